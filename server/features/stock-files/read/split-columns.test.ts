import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { splitColumns } from './split-columns.ts'

const split = splitColumns({
  header: ['Title', 'Vendor'],
  mapping: { partmanu: 'Vendor', split: { from: 'Title', as: 'title' } },
  year: 2026,
  vocabulary: testVocabulary,
})

test.each([
  ['2010 TL door', 'Acura', ['Acura', 'TL', '2010', 'door']],
  ['2015 3 hood', 'Mazda', ['Mazda', '3', '2015', 'hood']],
  ['2011 Mazda 3 hood', 'Mazda', ['Mazda', '3', '2011', 'hood']],
  ['2011 Camry hood', 'Salvage World', ['Toyota', 'Camry', '2011', 'hood']],
])('“%s” by %s has the vendor’s model', (title, vendor, expected) => {
  const { fields, problems } = split?.read([title, vendor]) ?? { fields: {}, problems: [] }
  expect([fields.partmanu, fields.partmodel, fields.partyear, fields.partname]).toEqual(expected)
  expect(problems).toEqual([])
})

test('a title without a model stays unclear, whoever made it', () => {
  expect(split?.read(['Widget', 'Acura']).problems).toHaveLength(1)
})
