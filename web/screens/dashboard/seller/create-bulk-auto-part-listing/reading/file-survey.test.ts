import { expect, test } from 'vitest'
import { fileSurvey } from './file-survey.ts'
import type { FileRow } from './import-file.ts'
import type { Passed } from './row-numbering.ts'

const none: Passed = { repeats: [], notes: [] }
const row = (number: number, cells: string[], problem?: FileRow['problem']): FileRow => ({
  row: number,
  cells,
  text: cells.join(','),
  problem,
})

function surveyed(headers: string[], rows: FileRow[], passed = none) {
  const survey = fileSurvey(
    headers,
    rows.slice(0, 200).map(({ cells }) => cells),
  )
  for (const one of rows) survey.add(one)
  return survey.finish(passed)
}

test('A18 amounts are looked at through the whole file: the last row may be the one that tells', () => {
  const rows = Array.from({ length: 300 }, (_, at) => row(at + 2, ['Door', '1,299']))
  expect(surveyed(['Part', 'Price'], rows).undecided).toEqual(['Price'])
  expect(surveyed(['Part', 'Price'], [...rows, row(302, ['Lamp', '12,50'])])).toMatchObject({
    decimals: { Price: 'comma' },
    undecided: [],
  })
})

test('a column whose name tells nothing is one of amounts by its values', () => {
  const rows = [row(2, ['Door', '1.299', '2012']), row(3, ['Lamp', '85', '2013'])]
  expect(surveyed(['Column 1', 'Column 2', 'Column 3'], rows).decimals).toEqual({ 'Column 2': 'undecided' })
})

test('the densest hundred rows are told, wherever they stand', () => {
  const rows = Array.from({ length: 250 }, (_, at) => row(at + 2, [at >= 100 && at < 200 ? 'xxxx' : 'x']))
  expect(surveyed(['Part'], rows)).toMatchObject({ records: 250, characters: 550, densest: 400 })
})

test('A11 broken rows and repeated headers are told in words, by the rows that Excel shows', () => {
  const rows = [2, 3, 4, 5, 6, 7].map((number) => row(number, ['"open'], 'UNCLOSED_QUOTE'))
  expect(surveyed(['Part'], rows, { repeats: [9, 12], notes: ['One more thing.'] }).notes).toEqual([
    'The header stands again in row 9, 12: it is no row of a part and is left out.',
    '6 rows have a quotation mark that opens and is never closed (row 2, 3, 4, 5, 6, …); they cannot be read. If the marks are inches, choose that cells have no quotes.',
    'One more thing.',
  ])
})
