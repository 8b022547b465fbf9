import { expect, test } from 'vitest'
import type { DryRunReply, RowIssue } from '#contract/imports.ts'
import { dryRunCollector } from './dry-run-result.ts'

const issue = (row: number, value = ''): RowIssue => ({
  row,
  column: 'Price',
  code: 'not-a-price',
  value,
  message: 'Price is a number',
})

function answer(total: number, issues: RowIssue[]): DryRunReply {
  const rows = issues.map((one) => ({ index: one.row - 1, ok: false, errors: [one.message], issues: [one] }))
  const changes = { create: total - rows.length, update: 0, unchanged: 0, merged: 0 }
  return { ok: true, warnings: [], preview: { total, errors: rows.length, rows, changes } }
}

test('chunks that come in any order are one result, with the rows of the whole file and no formula', async () => {
  const collector = dryRunCollector()
  collector.add({ index: 1, firstRow: 1_002 }, answer(500, [issue(4, '=1+1')]))
  collector.add({ index: 0, firstRow: 2 }, answer(1_000, [issue(2, '1,50'), issue(901)]))
  const { issueFile, ...result } = collector.result()
  expect(result).toMatchObject({
    total: 1_500,
    errors: 3,
    changes: { create: 1_497, update: 0, unchanged: 0, merged: 0 },
    issueCount: 3,
  })
  expect(result.issues.map(({ row }) => row)).toEqual([2, 901, 1_004])
  expect((await issueFile.text()).split('\r\n')).toEqual([
    'row,column,value,problem',
    '2,Price,"1,50",Price is a number',
    '901,Price,,Price is a number',
    "1004,Price,'=1+1,Price is a number",
    '',
  ])
})

test('A28 fifty issues are shown, all are in the file', async () => {
  const collector = dryRunCollector()
  for (const index of [2, 0, 1]) {
    const issues = Array.from({ length: 100 }, (_, row) => issue(row + 2))
    collector.add({ index, firstRow: index * 100 + 2 }, answer(100, issues))
  }
  const { issues, issueCount, issueFile } = collector.result()
  expect(issues.map(({ row }) => row)).toEqual(Array.from({ length: 50 }, (_, row) => row + 2))
  expect(issueCount).toBe(300)
  expect((await issueFile.text()).trim().split('\r\n')).toHaveLength(301)
})

test('nothing wrong is an empty list', () => {
  const collector = dryRunCollector()
  collector.add({ index: 0, firstRow: 2 }, answer(3, []))
  expect(collector.result()).toMatchObject({ total: 3, errors: 0, issues: [], issueCount: 0 })
})
