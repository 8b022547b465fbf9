import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { DifferingRows } from './differing-rows.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import { RowTable } from './row-table.ts'
import type { Segment } from './segment.ts'
import { idOfLine } from './staged-record.ts'

/** A segment and the row it begins with. */
type Placed = Segment & { readonly first: number }

/**
 * The rows that differ between two versions, by their hidden ids. Segments that both have are not read; pairs of segments
 * with the same ids in the same order, as scripts leave them, are compared line by line; only the rest needs a table of its
 * rows. A row that only moved does not differ; one whose line says something else does, and beside its fields a line holds
 * nothing that an edit can change.
 */
export async function findDifferences(
  files: FileStore,
  before: readonly Segment[],
  after: readonly Segment[],
): Promise<DifferingRows> {
  const found = new DifferingRows()
  const rest: { before: Placed[]; after: Placed[] } = { before: [], after: [] }
  const [gone, come] = [without(before, after), without(after, before)]
  for (const [place, old] of gone.entries()) {
    const young = come[place]
    if (young && (await comparePair(files, { old, young }, found))) continue
    rest.before.push(old)
    if (young) rest.after.push(young)
  }
  rest.after.push(...come.slice(gone.length))
  await compareRest(files, rest, found)
  return found
}

function without(segments: readonly Segment[], others: readonly Segment[]): Placed[] {
  const shared = new Set(others.map(({ sha256 }) => sha256))
  let first = 0
  return segments.flatMap((segment) => {
    const placed = { ...segment, first }
    first += segment.rows
    return shared.has(segment.sha256) ? [] : [placed]
  })
}

/** False where they do not have the same ids in the same order; then nothing was found. */
async function comparePair(
  files: FileStore,
  { old, young }: { old: Placed; young: Placed },
  found: DifferingRows,
): Promise<boolean> {
  if (old.rows !== young.rows) return false
  const [before, after] = await Promise.all([
    readSegmentLines(files, old.sha256),
    readSegmentLines(files, young.sha256),
  ])
  const pairs = before.map((line, index) => [line, after[index] ?? ''] as const)
  if (pairs.some(([line, other]) => line !== other && idOfLine(line) !== idOfLine(other))) return false
  for (const [index, [line, other]] of pairs.entries()) {
    if (line !== other) found.add({ before: old.first + index, after: young.first + index })
  }
  return true
}

async function compareRest(
  files: FileStore,
  { before, after }: { before: readonly Placed[]; after: readonly Placed[] },
  found: DifferingRows,
): Promise<void> {
  const table = new RowTable(before.reduce((sum, { rows }) => sum + rows, 0))
  for (const { sha256, first } of before) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) table.add(idOfLine(line), line, first + index)
  }
  for (const { sha256, first } of after) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) {
      const known = table.take(idOfLine(line), line)
      if (!known?.isSame) found.add({ before: known?.row ?? -1, after: first + index })
    }
  }
  for (const row of table.rest()) found.add({ before: row, after: -1 })
}
