import { expect, test } from 'vitest'
import { type ImportField, withSplits } from '#contract/csv/import-fields.ts'
import { fixesFor, type ProblemGroup, problemGroups, setFix } from './column-fixes.ts'

const group = (code: string, field: ImportField | undefined, values: string[]): ProblemGroup => ({
  key: code,
  column: 'Column',
  code,
  at: field === undefined ? -1 : 1,
  field,
  width: 3,
  rows: values.map((value, at) => ({ row: at + 2, value })),
})

const mended = (code: string, field: ImportField, value: string): string | undefined => {
  const one = group(code, field, [value])
  const fix = fixesFor(one, one.rows, 2026).find(({ id }) => id === 'mend' || id === 'list')
  return fix?.mend(['a', value, 'c'])?.[1]
}

test.each([
  ['INVALID_YEAR', 'partyear', '05', '2005'],
  ['INVALID_YEAR', 'partyear', '98', '1998'],
  ['INVALID_YEAR', 'partyear', '2O12', '2012'],
  ['INVALID_YEAR', 'partyear', '2008,2009,2010', '2008-2010'],
  ['INVALID_YEAR', 'partyear', '2017+', '2017-2026'],
  ['INVALID_YEAR', 'partyear', 'MY 2012 (approx)', '2012'],
  ['INVALID_YEAR', 'partyear', '2005,2007', undefined],
  ['INVALID_YEAR', 'partyear', '4-Apr', undefined],
  ['UNSURE_SPLIT', 'partyear', '2O09', '2009'],
  ['UNSURE_SPLIT', 'partyear', '2015 (?)', '2015'],
  ['INVALID_GRADE', 'partgrade', 'Exc', 'A'],
  ['INVALID_GRADE', 'partgrade', 'VG', 'B'],
  ['INVALID_GRADE', 'partgrade', 'Z', undefined],
  ['INVALID_PRICE', 'partprice', '$1,250.00 OBO', '1250.00'],
  ['INVALID_PRICE', 'partprice', '125 firm', '125'],
  ['INVALID_PRICE', 'partprice', '125.00-', undefined],
  ['INVALID_PRICE', 'partprice', '(125)', undefined],
  ['INVALID_PRICE', 'partprice', '100 or 120', undefined],
  ['INVALID_PRICE', 'partprice', '1.299,00', undefined],
  ['INVALID_PRICE', 'partprice', 'call', undefined],
  ['INVALID_PRICE', 'partprice', '1,250.00 MXN', undefined],
  ['INVALID_PRICE', 'partprice', 'C$ 45 firm', undefined],
  ['INVALID_PRICE', 'partprice', '45 € VB', undefined],
  ['INVALID_NUMBER', 'partmiles', '150000 km', '93206'],
  ['INVALID_NUMBER', 'partmiles', '123,456 actual', '123456'],
  ['INVALID_NUMBER', 'partmiles', '~ 98k', '98000'],
  ['INVALID_NUMBER', 'partmiles', '100-120k', undefined],
  ['INVALID_NUMBER', 'partquantity', '2 left', '2'],
  ['INVALID_ADDRESS', 'imageUrl', 'www.yard.example/a.jpg', 'https://www.yard.example/a.jpg'],
  ['INVALID_ADDRESS', 'imageUrl', 'a.jpg', undefined],
  ['OUT_OF_STOCK', 'partquantity', '0', '1'],
  ['NOT_ONE_LINE', 'partname', 'Door\nleft', 'Door left'],
] as const)('%s in %s: “%s” becomes %s', (code, field, value, expected) => {
  expect(mended(code, field, value)).toBe(expected)
})

test('a fix says what it reads and how many rows it fixes; others follow for the rest', () => {
  const grades = group('INVALID_GRADE', 'partgrade', ['Exc', 'Exc', 'Gd', 'Z'])
  const labels = fixesFor(grades, grades.rows, 2026).map(({ label }) => label)
  expect(labels).toEqual([
    'Read “Exc” as grade A, “Gd” as grade B: fixes 3 rows',
    'Leave “Grade” empty in 4 rows',
    'Leave these 4 rows out',
  ])
})

test('a price with words around it is shown as it will be read', () => {
  const prices = group('INVALID_PRICE', 'partprice', ['$235 or best offer', '45 CAD'])
  expect(fixesFor(prices, prices.rows, 2026).map(({ label }) => label)).toEqual([
    'Read “$235 or best offer” as $235: fixes 1 row',
    'Leave these 2 rows out',
  ])
})

test('a value that each row has for itself is not set for all, and a required one is not emptied', () => {
  const numbers = group('DAMAGED_NUMBER', 'partnum', ['8.79E+11'])
  expect(setFix(numbers, numbers.rows, 'X')).toBeUndefined()
  const prices = group('REQUIRED', 'partprice', ['', ''])
  expect(fixesFor(prices, prices.rows, 2026).map(({ id }) => id)).toEqual(['out'])
  expect(setFix(prices, prices.rows, '20')?.mend(['a', '', 'c'])).toEqual(['a', '20', 'c'])
})

test('rows with missing cells are filled, totals need nothing', () => {
  const short = group('TOO_FEW_CELLS', undefined, ['a,b'])
  expect(fixesFor(short, short.rows, 2026)[0]?.mend(['a', 'b'])).toEqual(['a', 'b', ''])
  const lines = group('TOO_FEW_CELLS', undefined, ['Fiat', 'Audi', 'a,b'])
  expect(fixesFor(lines, lines.rows, 2026).map(({ label, rows }) => [label, rows.length])).toEqual([
    ['Skip these 2 lines', 2],
    ['Read missing cells as empty in 1 row', 1],
  ])
  const total = group('NOT_A_PART', undefined, ['Total'])
  expect(fixesFor(total, total.rows, 2026)).toEqual([])
})

test('a year that could not be read from a column of years is mended like any other', async () => {
  const issues = [{ row: 2, column: 'When', code: 'UNSURE_SPLIT', value: '2O09', message: '' }]
  const failing = { numbers: Uint32Array.of(2), read: async () => [{ row: 2, issues }] }
  const mapping = withSplits({ partname: 'What' }, [{ from: 'When', as: 'years' }])
  const groups = await problemGroups(failing, { headers: ['What', 'When'], mapping })
  expect([...groups.values()].map(({ field }) => field)).toEqual(['partyear'])
})
