import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import { RowTable } from './row-table.ts'
import type { Segment } from './segment.ts'
import { fromSegmentLine, idOfLine } from './staged-record.ts'

/** A row of two versions that differs; -1 where a version does not have it. */
export type DifferingRow = { readonly before: number; readonly after: number }

/** A segment and the row it begins with. */
type Placed = Segment & { readonly first: number }

/**
 * The rows that differ between two versions, by their hidden ids, in the order of the newer one; those that are gone stand
 * where they stood. Segments that both have are not read; pairs of segments with the same ids in the same order, as scripts
 * leave them, are compared line by line; only the rest needs a table of its rows. A row that only moved does not differ.
 */
export async function findDifferences(
  files: FileStore,
  before: readonly Segment[],
  after: readonly Segment[],
): Promise<DifferingRow[]> {
  const found: DifferingRow[] = []
  const rest: { before: Placed[]; after: Placed[] } = { before: [], after: [] }
  const [gone, come] = [without(before, after), without(after, before)]
  for (const [place, old] of gone.entries()) {
    const young = come[place]
    const pairs = young?.rows === old.rows ? await comparePair(files, old, young) : undefined
    if (pairs) found.push(...pairs)
    else {
      rest.before.push(old)
      if (young) rest.after.push(young)
    }
  }
  rest.after.push(...come.slice(gone.length))
  found.push(...(await compareRest(files, rest)))
  return found.sort(inOrder)
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

/** Undefined where they do not have the same ids in the same order. */
async function comparePair(
  files: FileStore,
  old: Placed,
  young: Placed,
): Promise<DifferingRow[] | undefined> {
  const [before, after] = await Promise.all([
    readSegmentLines(files, old.sha256),
    readSegmentLines(files, young.sha256),
  ])
  const found: DifferingRow[] = []
  for (const [index, line] of before.entries()) {
    const other = after[index] ?? ''
    if (line === other) continue
    if (idOfLine(line) !== idOfLine(other)) return undefined
    if (contentOf(line) !== contentOf(other)) {
      found.push({ before: old.first + index, after: young.first + index })
    }
  }
  return found
}

async function compareRest(
  files: FileStore,
  { before, after }: { before: readonly Placed[]; after: readonly Placed[] },
): Promise<DifferingRow[]> {
  const table = new RowTable(before.reduce((sum, { rows }) => sum + rows, 0))
  for (const { sha256, first } of before) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) table.add(idOfLine(line), contentOf(line), first + index)
  }
  const found: DifferingRow[] = []
  for (const { sha256, first } of after) {
    const lines = await readSegmentLines(files, sha256)
    for (const [index, line] of lines.entries()) {
      const known = table.take(idOfLine(line), contentOf(line))
      if (!known?.isSame) found.push({ before: known?.row ?? -1, after: first + index })
    }
  }
  for (const row of table.rest()) found.push({ before: row, after: -1 })
  return found
}

const contentOf = (line: string) => JSON.stringify(fromSegmentLine(line).fields)

const placeOf = ({ before, after }: DifferingRow) => (after < 0 ? before : after)

/** Of two at one place the one that is gone comes first. */
const inOrder = (one: DifferingRow, other: DifferingRow) =>
  placeOf(one) - placeOf(other) || one.after - other.after
