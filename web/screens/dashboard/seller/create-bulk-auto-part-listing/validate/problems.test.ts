import { expect, test } from 'vitest'
import { type Reading, standardDialect } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { failingRowsCollector } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { failingRowsFile } from './problems.tsx'

const reading: Reading = {
  ...standardDialect,
  encoding: 'utf-8',
  headerRow: 1,
  layout: 'plain',
  decimals: {},
  rowOffset: 0,
}

function fileOf(text: string): ImportFile {
  const headers = ['Part', 'Cost']
  return {
    file: new File([text], 'stock.csv'),
    detection: { reading, header: headers, rows: [], alternatives: [], notes: [] },
    reading,
    sheets: [],
    headers,
    samples: [],
    records: 4,
    characters: text.length,
    densest: text.length,
    decimals: {},
    undecided: [],
    notes: [],
  }
}

test('all rows with errors include their cells and messages, and no formula', async () => {
  const file = fileOf('Part,Cost\n=1+1,call\nDoor,10\n"Hood, left",free\nDoor,left,10\n')
  const failing = failingRowsCollector()
  const issue = (row: number, column: string, message: string) => ({
    row,
    column,
    code: 'X',
    value: '',
    message,
  })
  failing.add(0, [
    { row: 2, issues: [issue(2, 'Cost', 'No price'), issue(2, 'Part', 'No part')] },
    { row: 4, issues: [issue(4, 'Cost', 'No price')] },
    { row: 5, issues: [issue(5, '', 'Too many cells')] },
  ])
  const order: RunOrder = {
    file,
    mapping: {},
    defaults: {},
    mode: 'add',
    dryRun: true,
    chunkSize: 1_000,
    concurrency: 2,
    edits: new Map([[4, ['Hood', 'gift']]]),
    staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-21' },
  }
  const blob = await failingRowsFile(order, { failing: failing.rows() })
  expect((await blob.text()).split('\r\n')).toEqual([
    'row,errors,Part,Cost',
    "2,No price No part,'=1+1,call",
    '4,No price,Hood,gift',
    '5,Too many cells,Door,left,10',
    '',
  ])
})
