import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { dialectLine, standardLine } from '#contract/yard-file/records.ts'
import { randomKey } from '#web/api/request-parts.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  isLeftOut,
  type RowEdits,
  sameEdits,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { Chunk } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/file-chunks.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { runTracker } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-progress.ts'
import { sendChunk } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/send-chunk.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import { FixingSheet, type RowToFix, type Verdict } from './fixing-sheet.ts'

type Fixing = { step: 'opening' } | { step: 'failed' } | { step: 'open'; fixing: FixingSheet }

type Source = {
  order: RunOrder
  result: DryRunResult
  edits: RowEdits
  onEdit: (edits: RowEdits) => void
}

/** Opens the failing rows of a checked file in a grid, and reports each edit through `onEdit`. */
export function useFixing({ order, result, edits, onEdit }: Source) {
  const [state, setState] = useState<Fixing>({ step: 'opening' })
  const report = useEffectEvent(onEdit)
  const before = useEffectEvent(() => edits)
  const [tries, setTries] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try opens the same rows again
  useEffect(() => {
    const ended = new AbortController()
    setState({ step: 'opening' })
    const open = async () => {
      const rows = await openFailingRows(order, result, before(), ended.signal)
      if (ended.signal.aborted) return
      let now = before()
      const fixing = new FixingSheet({ headers: order.file.headers, rows, edits: now })
      fixing.sheet.follow((ids) => {
        if (ended.signal.aborted) return
        const next = fixing.editsAfter(now, ids)
        // Checks also notify about rows, without changing them.
        if (sameEdits(now, next)) return
        now = next
        report(next)
      })
      setState({ step: 'open', fixing })
    }
    open().catch(() => ended.signal.aborted || setState({ step: 'failed' }))
    return () => ended.abort()
  }, [order, result, tries])
  return { state, again: () => setTries(tries + 1) }
}

/** “Check these rows again”: checks the rows changed since the last check. */
export function useRowCheck(order: RunOrder, fixing: FixingSheet) {
  const [isChecking, setChecking] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  async function check(): Promise<void> {
    const rows = fixing.uncheckedRows()
    if (rows.length === 0 || isChecking) return
    setChecking(true)
    const controller = new AbortController()
    running.current = controller
    try {
      const verdicts = await checkEditedRows(order, rows, controller.signal)
      fixing.judge(verdicts)
      const fine = [...verdicts.values()].filter(({ issues }) => issues.length === 0).length
      announceResult(fixing, fine, verdicts.size)
    } catch (error) {
      if (!controller.signal.aborted) notifyProblem(importSentence(error, 'Validation failed'))
    } finally {
      setChecking(false)
    }
  }
  return { isChecking, check: () => void check() }
}

function announceResult({ grid }: FixingSheet, fine: number, checked: number): void {
  const wrong = checked - fine
  const text =
    wrong === 0
      ? `${checked === 1 ? 'The row is' : `All ${rowsInWords(checked)} are`} fixed`
      : `${rowsInWords(fine)} fixed, ${rowsInWords(wrong)} with errors`
  grid.announce(text)
  if (wrong === 0) notifyDone(text, { about: 'rows' })
  else notifyInfo(text, { about: 'rows' })
}

/** More than anyone fixes by hand; a problem that is this common is better fixed in the file. */
export const MAX_ROWS_OPENED = 5_000

/**
 * Reads the first 5,000 failing rows and those already corrected from the file. A check's findings are about the cells as
 * they were sent.
 */
async function openFailingRows(
  { file, edits: checked }: RunOrder,
  { failing }: DryRunResult,
  edits: RowEdits,
  signal: AbortSignal,
): Promise<RowToFix[]> {
  const rows = await failing.read(0, MAX_ROWS_OPENED)
  const issues = new Map(rows.map((row) => [row.row, row.issues]))
  const wanted = new Set([...issues.keys(), ...edits.keys()])
  const found: RowToFix[] = []
  if (wanted.size === 0) return found
  for await (const batch of fileRecords(file, signal)) {
    for (const { row, cells } of batch) {
      if (!wanted.delete(row)) continue
      const sent = checked.get(row) ?? cells
      const verdict: Verdict = { cells: sent, issues: issues.get(row) ?? [] }
      found.push(isLeftOut(checked.get(row)) ? { row, cells } : { row, cells, verdict })
    }
    if (wanted.size === 0) break
  }
  return found
}

/** A reply lists at most a thousand failing rows. */
const MAX_ROWS_PER_CHECK = 1_000

type EditedRow = { row: number; cells: readonly string[] }

/** Checks only these edited rows in a separate dry run. */
async function checkEditedRows(
  order: RunOrder,
  rows: readonly EditedRow[],
  signal: AbortSignal,
): Promise<Map<number, Verdict>> {
  const verdicts = new Map(rows.map(({ row, cells }): [number, Verdict] => [row, { cells, issues: [] }]))
  for (let from = 0; from < rows.length; from += MAX_ROWS_PER_CHECK) {
    const some = rows.slice(from, from + MAX_ROWS_PER_CHECK)
    const edits = new Map(some.map(({ row, cells }) => [row, cells]))
    const reply = await sendChunk(
      {
        order: { ...order, dryRun: true, edits },
        key: `bulk_${randomKey()}`,
        chunk: chunkOf(order.file.headers, some),
        chunkCount: 1,
        tracker: runTracker(() => undefined),
      },
      signal,
    )
    if (!('preview' in reply)) throw new Error('The dry run returned no preview')
    for (const { index, issues } of reply.preview.rows) {
      const checked = some[index - 1]
      if (checked) verdicts.set(checked.row, { cells: checked.cells, issues })
    }
  }
  return verdicts
}

function chunkOf(headers: readonly string[], rows: readonly EditedRow[]): Chunk {
  const lines = [dialectLine(headers, standardDialect), ...rows.map(({ cells }) => standardLine([...cells]))]
  const text = `${lines.join('\n')}\n`
  return {
    index: 0,
    records: rows.length,
    firstRow: 2,
    characters: text.length,
    content: async () => new Blob([text]),
  }
}
