import type { RowIssue } from '#contract/imports.ts'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { standardLine } from '#contract/yard-file/records.ts'
import { randomKey } from '#web/api/request-parts.ts'
import { headerLine } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/chunk-text.ts'
import type { Chunk } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/file-chunks.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { runCourse } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-course.ts'
import { sendChunk } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/send-chunk.ts'
import type { Verdict } from './row-findings.ts'

/** An answer lists at most a thousand failing rows. */
const ROWS_AT_ONCE = 1_000

type EditedRow = { row: number; cells: readonly string[] }

/** Checks these rows alone, as they were edited: a dry run of its own. Answers what was found of each. */
export async function checkEditedRows(
  order: RunOrder,
  rows: readonly EditedRow[],
  signal: AbortSignal,
): Promise<Map<number, Verdict>> {
  const verdicts = new Map<number, Verdict>()
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    const found = await findingsOf(order, some, signal)
    for (const [at, { row, cells }] of some.entries()) verdicts.set(row, { cells, issues: found[at] ?? [] })
  }
  return verdicts
}

/** Of each row in turn. */
async function findingsOf(
  order: RunOrder,
  rows: readonly EditedRow[],
  signal: AbortSignal,
): Promise<RowIssue[][]> {
  const edits = new Map(rows.map(({ row, cells }) => [row, cells]))
  const reply = await sendChunk(
    {
      order: { ...order, dryRun: true, edits },
      key: `bulk_${randomKey()}`,
      chunk: chunkOf(order.file.headers, rows),
      chunkCount: 1,
      course: runCourse(() => undefined),
    },
    signal,
  )
  if (!('preview' in reply)) throw new Error('A check answers what it found')
  const found: RowIssue[][] = rows.map(() => [])
  for (const { index, issues } of reply.preview.rows) found[index - 1] = issues
  return found
}

function chunkOf(headers: readonly string[], rows: readonly EditedRow[]): Chunk {
  const lines = [headerLine(headers, standardDialect), ...rows.map(({ cells }) => standardLine([...cells]))]
  const text = `${lines.join('\n')}\n`
  return {
    index: 0,
    records: rows.length,
    firstRow: 2,
    characters: text.length,
    content: async () => new Blob([text]),
  }
}
