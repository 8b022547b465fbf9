import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-failures.ts'
import type { RowEdits } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { checkEditedRows } from './check-edited-rows.ts'
import { FixingSheet } from './fixing-sheet.ts'
import { openFailingRows } from './open-failing-rows.ts'

type Fixing = { step: 'opening' } | { step: 'failed' } | { step: 'open'; fixing: FixingSheet }

type Source = {
  order: RunOrder
  result: DryRunResult
  edits: RowEdits
  onEdit: (edits: RowEdits) => void
}

/** The failing rows of a checked file in a grid: opened from the file, every change told at once. */
export function useFixing({ order, result, edits, onEdit }: Source) {
  const [state, setState] = useState<Fixing>({ step: 'opening' })
  const tell = useEffectEvent(onEdit)
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
        if (isSame(now, next, ids)) return
        now = next
        tell(next)
      })
      setState({ step: 'open', fixing })
    }
    open().catch(() => ended.signal.aborted || setState({ step: 'failed' }))
    return () => ended.abort()
  }, [order, result, tries])
  return { state, again: () => setTries(tries + 1) }
}

/** Checks tell of rows too, and change none of them. */
function isSame(one: RowEdits, other: RowEdits, ids: readonly string[]): boolean {
  return ids.every((id) => {
    const [before, now] = [one.get(Number(id)), other.get(Number(id))]
    return before?.length === now?.length && (before ?? []).every((cell, at) => cell === now?.[at])
  })
}

/** "Check these rows again": those that were changed since they were checked. */
export function useRowCheck(order: RunOrder, fixing: FixingSheet) {
  const [isChecking, setChecking] = useState(false)
  const running = useRef<AbortController>(undefined)
  useEffect(() => () => running.current?.abort(), [])
  async function check(): Promise<void> {
    const rows = fixing.uncheckedRows()
    if (rows.length === 0 || isChecking) return
    setChecking(true)
    const course = new AbortController()
    running.current = course
    try {
      const verdicts = await checkEditedRows(order, rows, course.signal)
      fixing.judge(verdicts)
      const fine = [...verdicts.values()].filter(({ issues }) => issues.length === 0).length
      sayHowItWent(fixing, fine, verdicts.size)
    } catch (error) {
      if (!course.signal.aborted) notifyProblem(importSentence(error, 'Validation failed'))
    } finally {
      setChecking(false)
    }
  }
  return { isChecking, check: () => void check() }
}

function sayHowItWent({ grid }: FixingSheet, fine: number, checked: number): void {
  const wrong = checked - fine
  const text =
    wrong === 0
      ? `${checked === 1 ? 'The row is' : `All ${rowsInWords(checked)} are`} fine now`
      : `${rowsInWords(fine)} fine now, ${rowsInWords(wrong)} still wrong`
  grid.say(text)
  if (wrong === 0) notifyDone(text, { about: 'rows' })
  else notifyInfo(text, { about: 'rows' })
}
