import { useEffect, useMemo, useState } from 'react'
import { notifyProblem } from '#web/components/toasts.tsx'
import {
  fileRecords,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  isLeftOut,
  type RowEdits,
  sameCells,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/row-edits.ts'
import type { DryRunResult } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-order.ts'
import { type ColumnFix, fixesFor, type ProblemGroup, problemGroups } from './column-fixes.ts'

/** A fix in use. `number` tells fixes with the same label apart. */
export type AppliedFix = ColumnFix & {
  number: number
  group: string
  mended: ReadonlySet<number>
  /** The check that found the problem. */
  check: RunOrder
}

/** A row as the check saw it, before any fix. */
type Origin = { file: readonly string[]; edited: readonly string[] | undefined }

type Source = {
  order: RunOrder
  result: DryRunResult
  edits: RowEdits
  onEdit: (edits: RowEdits) => void
}

/** A file's fixes last as long as it is open, also across tabs and further checks. */
type Kept = { applied: readonly AppliedFix[]; readonly origins: Map<number, Origin> }
const keptFixes = new WeakMap<ImportFile, Kept>()

function keptFor(file: ImportFile): Kept {
  const known = keptFixes.get(file)
  if (known) return known
  const kept = { applied: [], origins: new Map() }
  keptFixes.set(file, kept)
  return kept
}

export type ColumnFixes = ReturnType<typeof useColumnFixes>

/** The fixes for a checked file's problems. A fix changes all its rows at once, and each can be undone at any time. */
export function useColumnFixes({ order, result, edits, onEdit }: Source) {
  const groups = useProblemGroups(order, result)
  const kept = keptFor(order.file)
  const [applied, setApplied] = useState(kept.applied)
  const [working, setWorking] = useState<string>()
  /** Counts the changes, so that opened rows are opened again. */
  const [version, setVersion] = useState(0)
  // Rows corrected by hand before this page was opened count as mended.
  const [corrected] = useState(() => correctedByHand(order.edits, edits, applied))
  const pending = useMemo(() => {
    // A problem that the next check finds again is not mended.
    const current = applied.filter(({ check }) => check === order)
    return pendingRows(groups, current, corrected)
  }, [groups, applied, corrected, order])

  function rewrite(
    rows: Iterable<number>,
    fixes: readonly AppliedFix[],
    before: readonly AppliedFix[],
  ): void {
    const next = new Map(edits)
    for (const row of rows) {
      const origin = kept.origins.get(row)
      if (!origin) continue
      const [was, now] = [before, fixes].map((some) => cellsAfter(row, origin, some))
      const current = edits.get(row) ?? origin.file
      // Keep what was corrected by hand since then.
      if (!was || !now || !sameCells(was, current)) continue
      if (origin.edited === undefined && sameCells(now, origin.file)) next.delete(row)
      else next.set(row, now)
    }
    kept.applied = fixes
    setApplied(fixes)
    setVersion((count) => count + 1)
    onEdit(next)
  }

  async function apply(group: ProblemGroup, fix: ColumnFix): Promise<void> {
    setWorking(group.key)
    try {
      await readOrigins(order, { edits, rows: fix.rows, origins: kept.origins })
      const known = fix.rows.filter((row) => kept.origins.has(row))
      const number = 1 + Math.max(0, ...applied.map((one) => one.number))
      const added = { ...fix, number, group: group.key, mended: new Set(known), check: order }
      const before = withoutCorrected(known, { applied, edits, origins: kept.origins })
      rewrite(known, [...before, added], before)
    } catch {
      notifyProblem('The file could not be read. Choose it again and check it.')
    } finally {
      setWorking(undefined)
    }
  }
  return {
    version,
    /** The key of the group whose fix is being applied. */
    working,
    groupOf: (key: string) => groups.get(key),
    pendingOf: (key: string) => pending.get(key) ?? [],
    fixesOf: (group: ProblemGroup): ColumnFix[] =>
      fixesFor(group, pending.get(group.key) ?? [], new Date().getFullYear()),
    appliedTo: (key: string) => applied.filter(({ group, check }) => group === key && check === order),
    /** From before the file was checked again. */
    earlier: applied.filter(({ check }) => check !== order),
    apply: (group: ProblemGroup, fix: ColumnFix) => void apply(group, fix),
    undo(fix: AppliedFix): void {
      const rest = applied.filter(({ number }) => number !== fix.number)
      rewrite(fix.mended, rest, applied)
    },
  }
}

function useProblemGroups(
  { file, mapping }: RunOrder,
  { failing }: DryRunResult,
): ReadonlyMap<string, ProblemGroup> {
  const [groups, setGroups] = useState<ReadonlyMap<string, ProblemGroup>>(new Map())
  useEffect(() => {
    let isOver = false
    const { headers } = file
    void problemGroups(failing, { headers, mapping }).then((found) => {
      if (!isOver) setGroups(found)
    })
    return () => {
      isOver = true
    }
  }, [file, mapping, failing])
  return groups
}

type Before = { applied: readonly AppliedFix[]; edits: RowEdits; origins: Map<number, Origin> }

/** A row corrected by hand after a fix starts over with its current cells: the fix no longer includes it. */
function withoutCorrected(
  rows: readonly number[],
  { applied, edits, origins }: Before,
): readonly AppliedFix[] {
  const corrected = new Set<number>()
  for (const row of rows) {
    const origin = origins.get(row)
    if (!origin || sameCells(cellsAfter(row, origin, applied), edits.get(row) ?? origin.file)) continue
    origins.set(row, { file: origin.file, edited: edits.get(row) })
    corrected.add(row)
  }
  if (corrected.size === 0) return applied
  return applied.map((fix) => ({
    ...fix,
    mended: new Set([...fix.mended].filter((row) => !corrected.has(row))),
  }))
}

function correctedByHand(
  before: RowEdits,
  now: RowEdits,
  applied: readonly AppliedFix[],
): ReadonlySet<number> {
  const rows = [...now]
    .filter(([row, cells]) => !sameCells(cells, before.get(row) ?? ['']))
    .map(([row]) => row)
  return new Set(rows.filter((row) => !applied.some(({ mended }) => mended.has(row))))
}

function pendingRows(
  groups: ReadonlyMap<string, ProblemGroup>,
  applied: readonly AppliedFix[],
  corrected: ReadonlySet<number>,
): Map<string, ProblemGroup['rows']> {
  const out = applied.filter(({ id }) => id === 'out')
  return new Map(
    [...groups].map(([key, group]) => {
      const own = applied.filter((fix) => fix.group === key)
      const isMended = (row: number) =>
        corrected.has(row) || [...own, ...out].some(({ mended }) => mended.has(row))
      return [key, group.rows.filter(({ row }) => !isMended(row))]
    }),
  )
}

function cellsAfter(row: number, { file, edited }: Origin, fixes: readonly AppliedFix[]): readonly string[] {
  let cells = edited ?? file
  for (const { mended, mend } of fixes) {
    if (mended.has(row) && !isLeftOut(cells)) cells = mend(cells) ?? cells
  }
  return cells
}

type Reading = { edits: RowEdits; rows: readonly number[]; origins: Map<number, Origin> }

/** Reads the cells of these rows from the file, unless they are known. */
async function readOrigins({ file }: RunOrder, { edits, rows, origins }: Reading): Promise<void> {
  const wanted = new Set(rows.filter((row) => !origins.has(row)))
  if (wanted.size === 0) return
  for await (const batch of fileRecords(file)) {
    for (const { row, cells } of batch) {
      if (wanted.delete(row)) origins.set(row, { file: cells, edited: edits.get(row) })
    }
    if (wanted.size === 0) return
  }
}
