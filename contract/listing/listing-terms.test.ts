import fc from 'fast-check'
import { expect, test } from 'vitest'
import { specOf, termFields } from './listing-fields.ts'
import { checkListing } from './listing-rules.ts'
import {
  readTerm,
  termContradictions,
  termsForState,
  termsInWords,
  termsOfTexts,
  termText,
} from './listing-terms.ts'

test.each([
  [
    { warrantydays: '90', returndays: '30', restockpct: '15' },
    ['90-day warranty', '30-day returns, 15% restocking fee'],
  ],
  [{ warrantydays: '0', returndays: '0' }, ['No warranty', 'No returns']],
  [{ asis: 'Yes' }, ['Sold AS-IS, no warranty']],
  // A file may leave both behind; buyers read the lesser promise.
  [{ asis: 'Yes', warrantydays: '90' }, ['Sold AS-IS, no warranty']],
  [{ returndays: '1', restockpct: '0' }, ['1-day returns, no restocking fee']],
  [{ corecharge: '75' }, ['Core charge $75.00, refunded when you return the old part']],
  [
    { corecharge: '1250.5', coredays: '30', corepart: 'complete, not cracked' },
    ['Core charge $1,250.50, refunded when you return the old part within 30 days (complete, not cracked)'],
  ],
  [{ coredays: '30', restockpct: '15' }, []],
  [{}, []],
])('%j reads %j', (text, lines) => {
  expect(termsInWords(termsOfTexts(text))).toEqual(lines)
})

test('a stored term reads back as itself', () => {
  for (const field of termFields) {
    const { type, most = 0 } = specOf(field)
    const values = type === 'yes' ? fc.constant<true>(true) : fc.nat(type === 'amount' ? most * 100 : most)
    fc.assert(fc.property(values, (value) => readTerm(field, termText(field, value)) === value))
  }
})

test.each([
  ['warrantydays', '3651'],
  ['warrantydays', '1.5'],
  ['returndays', '-1'],
  ['restockpct', '101'],
  ['corecharge', '75.999'],
  ['asis', 'maybe'],
] as const)('%s cannot be %s', (field, text) => {
  expect(readTerm(field, text)).toBeUndefined()
})

test('contradicting terms are refused at the field to change', () => {
  expect(termContradictions({ asis: 'Yes', warrantydays: '90' })).toEqual({
    warrantydays: 'Warranty must be empty or 0 for a part sold AS-IS. Clear it, or clear AS-IS',
  })
  expect(termContradictions({ asis: 'Yes', warrantydays: '0' })).toEqual({})
  expect(Object.keys(termContradictions({ restockpct: '15' }))).toEqual(['restockpct'])
  expect(Object.keys(termContradictions({ coredays: '30' }))).toEqual(['corecharge'])
  expect(termContradictions({ restockpct: '15' }, { fromFile: true })).toEqual({})
})

test('an edit is compared with what the listing has, and only if it touches the terms', () => {
  const edit = { mode: 'edit', year: 2026 } as const
  const stored = { asis: 'Yes', warrantydays: '' }
  expect(checkListing('quick', { warrantydays: '90' }, { ...edit, stored })?.fields).toHaveProperty(
    'warrantydays',
  )
  expect(checkListing('quick', { warrantydays: '90', asis: '' }, { ...edit, stored })).toBeUndefined()
  const broken = { asis: 'Yes', warrantydays: '90' }
  expect(checkListing('quick', { partprice: '5' }, { ...edit, stored: broken })).toBeUndefined()
})

test.each([
  [{ asis: 'Yes' }, 'OK', ['Sold AS-IS, no warranty']],
  [{ asis: 'Yes' }, 'MA', ['No returns']],
  [{ asis: 'Yes' }, 'massachusetts', ['No returns']],
  [{ asis: 'Yes', returndays: '0' }, 'DC', ['No returns']],
  // What the seller offers stays.
  [{ asis: 'Yes', returndays: '30' }, 'WA', ['30-day returns']],
  [
    { warrantydays: '0', corecharge: '75' },
    'VT',
    ['No returns', 'Core charge $75.00, refunded when you return the old part'],
  ],
  [{ warrantydays: '90', returndays: '0' }, 'MD', ['90-day warranty', 'No returns']],
  [{}, 'CT', []],
] as const)('the terms %j for a buyer in %s', (texts, state, lines) => {
  expect(termsForState(termsInWords(termsOfTexts(texts)), state)).toEqual(lines)
})
