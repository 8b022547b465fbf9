import { expect, test } from 'vitest'
import {
  choiceOf,
  firstChoice,
  missingFields,
  samplesOf,
  suggestedChoice,
  withColumn,
} from './column-choice.ts'

const template = (mapping: Record<string, string>) => ({
  id: '1',
  name: 'Ours',
  scope: 'USER' as const,
  description: '',
  mapping,
  reading: null,
  shipped: false,
})

test('what only a part of the header suggests is to be looked at, until somebody chooses', () => {
  const choice = suggestedChoice(['Part name', 'Asking price'])
  expect(choice).toEqual({
    mapping: { partname: 'Part name', partprice: 'Asking price' },
    unsure: ['partprice'],
    lacking: [],
  })
  expect(withColumn(choice, 'partprice', 'Asking price').unsure).toEqual([])
  expect(withColumn(choice, 'partprice', null).mapping).toEqual({ partname: 'Part name' })
})

test('A18 a template counts as far as the file has its columns, and the others are named', () => {
  const ours = template({ partname: 'Part', partprice: 'Cost', zip: 'ZIP', nonsense: 'Part' })
  expect(choiceOf(ours, ['PART', 'ZIP'])).toEqual({
    mapping: { partname: 'PART', zipcode: 'ZIP' },
    unsure: [],
    lacking: ['Cost'],
  })
})

test('the template of last time is taken where it fits as a whole', () => {
  const ours = template({ partname: 'Title', partprice: 'Part price' })
  expect(firstChoice(['Title', 'Part price', 'Name'], ours).mapping).toEqual(ours.mapping)
  expect(firstChoice(['Name'], ours).mapping).toEqual({ partname: 'Name' })
  expect(firstChoice(['Name'], undefined).mapping).toEqual({ partname: 'Name' })
})

test('a default of blanks gives nothing', () => {
  const mapping = { partname: 'a', partmodel: 'b', partyear: 'c', partprice: 'd' }
  expect(missingFields(mapping, { partcategory: ' ', partmanu: 'Toyota' })).toEqual(['partcategory'])
})

test('samples leave empty cells and short rows out', () => {
  expect(samplesOf([['a', ''], ['b'], ['c', ' x '], ['d', 'y'], ['e', 'z']], 1)).toEqual(['x', 'y'])
})
