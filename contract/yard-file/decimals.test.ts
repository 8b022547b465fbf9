import { describe, expect, it, test } from 'vitest'
import { decimalEvidence, decimalMarkOf, plainDecimals, sampledDecimals } from './decimals.ts'

describe('what one value says of its column’s decimal mark', () => {
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

describe('what a column says', () => {
  const decide = (...values: string[]) => {
    const evidence = decimalEvidence()
    for (const value of values) evidence.add(value)
    return evidence.decide()
  }

  it.each([
    ['one value that tells is enough', ['85', '1,299', '12.50'], 'point'],
    ['the same with a comma', ['85', '1.299', '12,50'], 'comma'],
    ['thousands alone tell nothing', ['1,299', '2,450', '85'], 'undecided'],
    ['nor with points', ['1.299'], 'undecided'],
    ['those that contradict each other', ['12.50', '12,50'], 'undecided'],
    ['no mark at all', ['85', 'free', ''], 'none'],
  ])('A24 %s', (_, values, decision) => {
    expect(decide(...values)).toBe(decision)
  })

  it('counts both sides, so that a question can name them', () => {
    const evidence = decimalEvidence()
    for (const value of ['12.50', '9.95', '12,50', '1,299', '85']) evidence.add(value)
    expect(evidence.counts()).toEqual({ point: 2, comma: 1, open: 1 })
  })

  it('is said in a reading only where the evidence is one-sided', () => {
    expect(plainDecimals(['1.299,00', '85'])).toBe('comma')
    expect(plainDecimals(['1,299.00', '1.299,00'])).toBeUndefined()
    expect(plainDecimals(['1,299'])).toBeUndefined()
  })
})

test('the columns of money of a sample tell what they can; what was said goes before it', () => {
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
