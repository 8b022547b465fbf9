import { expect, test } from 'vitest'
import { noColumns } from './column-choice.ts'
import { confidenceOf } from './column-confidence.ts'

const reason = (confidence: number) => ({
  confidence,
  reason: 'The header says “X”',
  sure: confidence >= 0.8,
})
const choice = {
  ...noColumns,
  mapping: { partname: 'a', partprice: 'b', partyear: 'c', partmodel: 'd' },
  reasons: { partname: reason(0.9), partprice: reason(0.6), partyear: reason(0.4) },
  first: ['partcategory' as const],
}

test.each([
  ['partname', 'Sure'],
  ['partprice', 'Likely, please check'],
  ['partyear', 'A guess, please check'],
  ['partmodel', 'Your choice'],
  ['partcategory', 'No column'],
  ['vin', undefined],
] as const)('%s: %s', (field, word) => {
  expect(confidenceOf(choice, field).word).toBe(word)
})

test('a column of a template is said to be its', () => {
  expect(confidenceOf({ ...choice, templateId: '1' }, 'partmodel').word).toBe('Template')
})
