import { describe, expect, test } from 'vitest'
import type { DryRunReply, RowIssue } from '#contract/imports.ts'
import { dryRunCollector, eachFailingRow } from './dry-run-result.ts'

const issue = (row: number, value = '', column = 'Price'): RowIssue => ({
  row,
  column,
  code: 'not-a-price',
  value,
  message: `${column} is a number`,
})

function answer(total: number, issues: RowIssue[], whole?: DryRunReply['preview']['whole']): DryRunReply {
  const rows = issues.map((one) => ({ index: one.row - 1, ok: false, errors: [one.message], issues: [one] }))
  const preview = { total, errors: rows.length, rows, ...(whole && { whole }) }
  return { ok: true, warnings: ['Two columns have one name.'], preview }
}

describe('chunks that arrive in any order', () => {
  const collector = dryRunCollector()
  collector.add({ index: 1, rowShift: 1_000 }, answer(500, [issue(4, '=1+1')]))
  collector.add({ index: 0, rowShift: 0 }, answer(1_000, [issue(2, '1,50'), issue(901, '', 'Year')]))
  const { failing, ...result } = collector.result()

  test('are one result, with the rows of the whole file', () => {
    expect(result).toMatchObject({
      chunks: 2,
      total: 1_500,
      errors: 3,
      changes: undefined,
      warnings: ['Two columns have one name.'],
      issueCount: 3,
    })
    expect(result.issues.map(({ row }) => row)).toEqual([2, 901, 1_004])
  })

  test('list each kind of mistake once, the most frequent first', () => {
    expect(result.kinds.map(({ column, message, count }) => [column, message, count])).toEqual([
      ['Price', 'Price is a number', 2],
      ['Year', 'Year is a number', 1],
    ])
  })

  test('have all failing rows in the order of the file, to be read a few at a time', async () => {
    expect([...failing.numbers]).toEqual([2, 901, 1_004])
    expect((await failing.read(1, 3)).map(({ row, issues }) => [row, issues[0]?.value])).toEqual([
      [901, ''],
      [1_004, '=1+1'],
    ])
    const all: number[] = []
    for await (const { row } of eachFailingRow(failing)) all.push(row)
    expect(all).toEqual([2, 901, 1_004])
  })
})

test('the last reply’s result for the whole file counts, whichever chunk was last', () => {
  const collector = dryRunCollector()
  const whole = { create: 2, update: 0, unchanged: 0, merged: 1, refused: 0 }
  collector.add({ index: 1, rowShift: 2 }, answer(1, [], whole))
  collector.add({ index: 0, rowShift: 0 }, answer(2, []))
  expect(collector.result()).toMatchObject({ changes: whole })
})

test('fifty issues are kept in memory, and all rows are reported', async () => {
  const collector = dryRunCollector()
  for (const index of [2, 0, 1]) {
    const issues = Array.from({ length: 100 }, (_, row) => issue(row + 2))
    collector.add({ index, rowShift: index * 100 }, answer(100, issues))
  }
  const { issues, issueCount, failing } = collector.result()
  expect(issues.map(({ row }) => row)).toEqual(Array.from({ length: 50 }, (_, row) => row + 2))
  expect(issueCount).toBe(300)
  expect([...failing.numbers]).toEqual(Array.from({ length: 300 }, (_, row) => row + 2))
})

test('values from the defaults are reported with their number of rows', () => {
  const collector = dryRunCollector()
  const reply = answer(3, [])
  const of = (city: number) => ({
    ...reply,
    preview: {
      ...reply.preview,
      defaults: [
        { field: 'partcity', rows: city },
        { field: 'partstate', rows: 3 },
      ],
    },
  })
  collector.add({ index: 0, rowShift: 0 }, of(1))
  collector.add({ index: 1, rowShift: 3 }, of(2))
  expect(collector.result().warnings[0]).toMatch(
    /^Filled from your defaults: City in 3 rows, State in all rows\./,
  )
})

test('a kind whose rows have different messages says so', () => {
  const collector = dryRunCollector()
  const split = (row: number, message: string) => ({ ...issue(row, '', 'Title'), message })
  collector.add({ index: 0, rowShift: 0 }, answer(9, [split(2, 'a'), split(3, 'b'), issue(4), issue(5)]))
  expect(collector.result().kinds.map(({ column, varies = false }) => [column, varies])).toEqual([
    ['Title', true],
    ['Price', false],
  ])
})

test('makes that came from the model are counted over all chunks', () => {
  const collector = dryRunCollector()
  for (const [index, rows] of [2, 1].entries()) {
    const { preview, ...reply } = answer(4, [])
    const filled = [{ field: 'partmanu', rows }]
    collector.add({ index, rowShift: 0 }, { ...reply, preview: { ...preview, filled } })
  }
  expect(collector.result().warnings).toContain(
    'Filled from the model: Manufacturer in 3 rows. Only one make has these models.',
  )
})

test('without problems the list is empty', () => {
  const collector = dryRunCollector()
  collector.add({ index: 0, rowShift: 0 }, answer(3, []))
  expect(collector.result()).toMatchObject({ total: 3, errors: 0, issues: [], issueCount: 0, kinds: [] })
})

test('a kind counts rows: a column that lacks make, model and year is wrong once in each row', () => {
  const collector = dryRunCollector()
  const lacking = (row: number) =>
    ['Manufacturer', 'Model', 'Year'].map((field) => ({
      ...issue(row, '', 'APPLICATION'),
      message: `${field} is required`,
    }))
  const rows = [2, 3].map((row) => ({ index: row - 1, ok: false, errors: [], issues: lacking(row) }))
  const { preview, ...reply } = answer(2, [])
  collector.add({ index: 0, rowShift: 0 }, { ...reply, preview: { ...preview, errors: 2, rows } })
  expect(collector.result().kinds.map(({ column, count, varies }) => [column, count, varies])).toEqual([
    ['APPLICATION', 2, true],
  ])
})
