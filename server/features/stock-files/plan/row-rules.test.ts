import { expect, test } from 'vitest'
import type { LookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { outcomeOfNewRow, readStagedText } from './row-rules.ts'

const part = {
  partname: 'Alternator',
  partcategory: 'Alternator',
  partmanu: 'Ford',
  partmodel: 'F150',
  partyear: '2014',
  partprice: '95.50',
}

test('reads the target fields, trimmed; empty and unknown fields are left out', () => {
  expect(
    readStagedText({ ...part, partname: ' Alternator ', partprice: 95.5, vin: '', note: 'x' }, 2026),
  ).toEqual({
    ...part,
    partprice: '95.5',
  })
})

test.each(['2012-2015', '2012–2015'])('accepts the years %s as an admin may type them', (partyear) => {
  expect(readStagedText({ ...part, partyear }, 2026)).toEqual({ ...part, partyear })
})

test.each([
  ['a missing price', { partprice: ' ' }, 'Price is missing'],
  ['a future year', { partyear: '2027' }, 'Year “2027”: A year from 1980 to 2026, or two such as 2012-2015'],
  [
    'reversed years',
    { partyear: '2015-2012' },
    'Year “2015-2012”: A year from 1980 to 2026, or two such as 2012-2015',
  ],
  [
    'a price in words',
    { partprice: 'call us' },
    'Price “call us”: Enter a price like 129.95 (up to 2 decimals)',
  ],
  ['a long make', { partmanu: 'x'.repeat(81) }, 'Manufacturer name can have at most 80 characters'],
  ['a long category', { partcategory: 'x'.repeat(81) }, 'Category can have at most 80 characters'],
  ['a list', { partname: ['Alternator'] }, 'Part name contains a value that cannot be stored as text'],
  [
    'half a character',
    { partdescription: 'a\ud800' },
    'Description contains a value that cannot be stored as text',
  ],
  ['a long heading', { h1: 'x'.repeat(121) }, 'Heading can have at most 120 characters'],
  [
    'a heading of two lines',
    { h1: 'Ford\nFocus' },
    'Heading contains a line break or hidden characters. Remove them.',
  ],
  [
    'a heading that swears',
    { h1: 'Fucking good alternator' },
    'Please remove inappropriate language (fucking).',
  ],
  ['a NUL', { partdescription: 'a\0b' }, 'Description contains a value that cannot be stored as text'],
])('refuses %s', (_, changes, sentence) => {
  expect(readStagedText({ ...part, ...changes }, 2026)).toBe(sentence)
})

test('a row with a name that its seller leaves out is left out and does not wait', () => {
  const names = { category: () => undefined } as unknown as LookupNames
  const rules = {
    year: 2026,
    names,
    ofFile: [],
    holds: true,
    withSureNames: undefined,
    restriction: () => undefined,
  }
  expect(outcomeOfNewRow({ ...part, waitsfor: 'category' }, rules)).toMatchObject({ waits: true })
  expect(outcomeOfNewRow({ ...part, waitsfor: 'left out: Guard' }, rules)).toEqual({
    problem: 'Parts named “Guard” are left out, as you answered',
    changes: false,
    isAnswered: true,
  })
})
