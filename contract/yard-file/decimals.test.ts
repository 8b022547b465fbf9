import { describe, expect, it, test } from 'vitest'
import { decimalEvidence, decimalMarkOf, plainDecimals, sampledDecimals } from './decimals.ts'

describe('the decimal mark that one value shows', () => {
  it.each([
    ['1.299,00', 'comma'],
    ['12,50', 'comma'],
    ['12,5', 'comma'],
    [',50', 'comma'],
    ['1.299.000', 'comma'],
    ['1 299,00 USD', 'comma'],
    ['EUR 1.299,-', 'open'],
    ['1,299.00', 'point'],
    ['$12.50', 'point'],
    ['Flat $20.00', 'point'],
    ['.50', 'point'],
    ['0.500', 'point'],
    ['1299.000', 'point'],
    ['1,299,000', 'point'],
    ["1'299.50", 'point'],
    ['1,299', 'open'],
    ['1.299', 'open'],
    ['85.000', 'open'],
    ['85', undefined],
    ['US$ 45.-', undefined],
    ['Call us, please', undefined],
    ['20.11.2026', undefined],
    ['1,2,3.4', undefined],
    ['', undefined],
  ])('%s: %s', (value, mark) => {
    expect(decimalMarkOf(value)).toBe(mark)
  })
})

describe('the decimal mark that a column shows', () => {
  const decide = (...values: string[]) => {
    const evidence = decimalEvidence()
    for (const value of values) evidence.add(value)
    return evidence.decide()
  }

  const belowThousand = ['45', '$60', '75', '85', '95', '$120', '310', '445', '650', '$980']
  it.each([
    ['one clear value is enough', ['85', '1,299', '12.50'], 'point'],
    ['one clear value with a comma', ['85', '1.299', '12,50'], 'comma'],
    ['thousands separators alone prove nothing', ['1,299', '2,450', '85'], 'undecided'],
    ['thousands with points prove nothing either', ['1.299'], 'undecided'],
    ['values that contradict each other', ['12.50', '12,50'], 'undecided'],
    ['no mark at all', ['85', 'free', ''], 'none'],
    ['every whole amount from a thousand on is marked', [...belowThousand, '$1,200', '$12,500'], 'point'],
    ['with terms behind', [...belowThousand, '85 obo', '$1,175 obo'], 'point'],
    ['marked with a point', [...belowThousand, '1.299'], 'comma'],
    ['one thousand with a comma and one without', [...belowThousand, '$1,200', '1500'], 'point'],
    ['one thousand with a point and one without', [...belowThousand, '1.200', '1500'], 'undecided'],
    ['both marks', [...belowThousand, '1,200', '1.299'], 'undecided'],
    ['maybe three decimals', [...belowThousand, '85.000'], 'undecided'],
  ])('%s', (_, values, decision) => {
    expect(decide(...values)).toBe(decision)
  })

  it('counts both sides so that a question can quote them', () => {
    const evidence = decimalEvidence()
    for (const value of ['12.50', '9.95', '12,50', '1,299', '85']) evidence.add(value)
    expect(evidence.counts()).toEqual({ point: 2, comma: 1, open: 1 })
  })

  it('is included in a reading only if the evidence is one-sided', () => {
    expect(plainDecimals(['1.299,00', '85'])).toBe('comma')
    expect(plainDecimals(['1,299.00', '1.299,00'])).toBeUndefined()
    expect(plainDecimals(['1,299'])).toBeUndefined()
  })
})

test('the money columns of a sample show their mark; an explicit setting takes precedence', () => {
  const sample = {
    header: ['Part', 'Preis', 'Versand'],
    rows: [
      ['Tür', '1.299,00', '12'],
      ['Lampe', '85', ''],
    ],
  }
  const mapping = { partname: 'Part', partprice: 'Preis', partshipping: 'Versand' }
  expect(sampledDecimals(sample, mapping)).toEqual({ partprice: 'comma' })
  expect(sampledDecimals(sample, mapping, { partprice: 'point' })).toEqual({ partprice: 'point' })
  expect(sampledDecimals(sample, {})).toEqual({})
})

test('a few values with the other mark decide nothing if they name their currency', () => {
  const decide = (values: string[]) => {
    const evidence = decimalEvidence()
    for (const value of values) evidence.add(value)
    return evidence.decide()
  }
  const numbers = ['144.95 €', '125.00 €', '90.50 €']
  expect(decide([...numbers, '184,95 €'])).toBe('point')
  expect(decide([...numbers, '184,95'])).toBe('undecided')
  expect(decide(['144.95 €', '184,95 €'])).toBe('undecided')
  expect(decide([...numbers, '184,95 €', '1.130 €'])).toBe('undecided')
})
