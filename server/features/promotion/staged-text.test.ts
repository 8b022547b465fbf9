import { expect, test } from 'vitest'
import { readStagedText } from './staged-text.ts'

const part = {
  partname: 'Alternator',
  partcategory: 'Alternator',
  partmanu: 'Ford',
  partmodel: 'F150',
  partyear: '2014',
  partprice: '95.50',
}

test('reads the target fields, trimmed; empty ones and others are left out', () => {
  expect(
    readStagedText({ ...part, partname: ' Alternator ', partprice: 95.5, vin: '', note: 'x' }, 2026),
  ).toEqual({
    ...part,
    partprice: '95.5',
  })
})

test.each(['2012-2015', '2012–2015'])(
  'takes the years %s, as somebody may type them at the desk',
  (partyear) => {
    expect(readStagedText({ ...part, partyear }, 2026)).toEqual({ ...part, partyear })
  },
)

test.each([
  ['a missing price', { partprice: ' ' }, 'Price is missing'],
  ['a year to come', { partyear: '2027' }, 'Year “2027”: A year from 1980 to 2026, or two such as 2012-2015'],
  [
    'years backwards',
    { partyear: '2015-2012' },
    'Year “2015-2012”: A year from 1980 to 2026, or two such as 2012-2015',
  ],
  [
    'a price in words',
    { partprice: 'call us' },
    'Price “call us”: Digits with at most 2 decimals, such as 129.95',
  ],
  ['a long make', { partmanu: 'x'.repeat(81) }, 'Manufacturer name has at most 80 characters'],
  ['a long category', { partcategory: 'x'.repeat(81) }, 'Category has at most 80 characters'],
  ['a list', { partname: ['Alternator'] }, 'Part name holds what cannot be stored as text'],
  ['half a character', { partdescription: 'a\ud800' }, 'Description holds what cannot be stored as text'],
  ['a long heading', { h1: 'x'.repeat(121) }, 'Heading has at most 120 characters'],
  [
    'a heading of two lines',
    { h1: 'Ford\nFocus' },
    'Heading holds characters that cannot be shown. Type it again.',
  ],
  [
    'a heading that swears',
    { h1: 'Fucking good alternator' },
    'Please remove inappropriate language (fucking).',
  ],
  ['a NUL', { partdescription: 'a\0b' }, 'Description holds what cannot be stored as text'],
])('refuses %s', (_, changes, sentence) => {
  expect(readStagedText({ ...part, ...changes }, 2026)).toBe(sentence)
})
