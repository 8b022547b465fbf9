import { expect, test } from 'vitest'
import { pictureMissing } from '#contract/listing/listing-rules.ts'
import { errorsBesideFields, problemOf } from './listing-problems.ts'
import { emptyValues, type ListingValues } from './listing-values.ts'

const complete: ListingValues = {
  ...emptyValues(),
  partname: 'Alternator',
  partdescription: 'Tested',
  partcategoryId: 'c',
  partmanuId: 'm',
  partmanuname: 'Toyota',
  partmodel: 'Camry',
  partmodelId: 'k',
  parttrim: 'LE',
  partyear: '2014',
  partgrade: 'A',
  partnum: '27060-0V210',
  partprice: '129.95',
  partshipping: 'Flat $20',
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  dealername: 'Green Country Salvage',
  dealerphone: '(918) 555-0100',
  partmiles: '90000',
  partdamage: 'none',
}

test('a complete form has no problem', () => {
  expect(problemOf({ kind: 'ecommerce', values: complete, hasPicture: true })).toBeUndefined()
  expect(problemOf({ kind: 'quick', values: complete, hasPicture: false })).toBeUndefined()
})

test('an e-commerce listing needs a picture, which is reported once nothing else is wrong', () => {
  expect(problemOf({ kind: 'ecommerce', values: complete, hasPicture: false })).toEqual({
    error: pictureMissing,
    fields: { image: pictureMissing },
  })
  const empty = problemOf({ kind: 'ecommerce', values: emptyValues(), hasPicture: false })
  expect(empty?.error).toBe('Please fill in all required fields')
  expect(empty?.fields).toMatchObject({ image: pictureMissing, partname: 'Part name is required' })
})

test('a quick listing names its missing fields, and a typed model must be chosen from the list', () => {
  const problem = problemOf({ kind: 'quick', values: { ...complete, partmodelId: '' }, hasPicture: false })
  expect(problem).toEqual({
    error: 'Missing required: ModelId',
    fields: { partmodel: 'Choose a model from the list' },
  })
  const nothing = problemOf({ kind: 'quick', values: emptyValues(), hasPicture: false })
  expect(nothing?.error).toMatch(
    /^Missing required: Title, Description, Category, Manufacturer, Model, ModelId/,
  )
  expect(nothing?.fields.partmodel).toBe('Model is required')
})

test('an edit checks only the changed fields', () => {
  const before = { ...complete, partnum: '' }
  expect(problemOf({ kind: 'ecommerce', values: before, before, hasPicture: false })).toBeUndefined()
  const priced = problemOf({
    kind: 'ecommerce',
    values: { ...before, partprice: '12.345' },
    before,
    hasPicture: false,
  })
  expect(priced?.error).toBe('Invalid price format')
})

test('the server’s messages go to their inputs', () => {
  expect(
    errorsBesideFields('ecommerce', {
      partslug: 'That address is taken',
      partmanuname: 'Unknown',
      image: 'Too small',
    }),
  ).toEqual({ partslug: 'That address is taken', partmanuId: 'Unknown', image: 'Too small' })
})

test.each([
  ['ecommerce', 'partname', 'x'.repeat(161), 'Part name can have at most 160 characters'],
  ['quick', 'partname', 'x'.repeat(161), 'Title can have at most 160 characters'],
  [
    'ecommerce',
    'dealername',
    '\u200b',
    'Dealer name contains a line break or hidden characters. Remove them.',
  ],
  ['quick', 'partmiles', '9'.repeat(101), 'Miles can have at most 100 characters'],
  ['ecommerce', 'partprice', '12.345', 'Enter a price like 129.95 (up to 2 decimals)'],
] as const)('%s: a wrong %s is reported with the input’s own label', (kind, field, text, sentence) => {
  const problem = problemOf({ kind, values: { ...complete, [field]: text }, hasPicture: true })
  expect(problem?.fields).toEqual({ [field]: sentence })
})
