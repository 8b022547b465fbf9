import { readSegmentLines } from '#server/features/staging/read-segment-lines.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { fromSegmentLine, type StagedRecord, toSegmentLine } from '#server/features/staging/staged-record.ts'
import { storeSegment } from '#server/features/staging/store-segment.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { inTurns } from '#server/platform/in-turns.ts'
import type { RowResolver } from './row-resolver.ts'

// A few milliseconds of work at once.
const ROWS_A_TURN = 250

type Resolving = {
  readonly files: FileStore
  readonly resolver: RowResolver
  readonly signal?: AbortSignal
  onRows?(done: number): void
}

/**
 * The segments of a version with all names resolved. One without a change stays the same; of the others no more than two
 * are in memory, the one that is read and the one that is stored meanwhile.
 */
export async function resolveSegments(
  segments: readonly Segment[],
  { files, resolver, signal, onRows }: Resolving,
): Promise<Segment[]> {
  const resolved: Promise<Segment>[] = []
  for (const segment of segments) {
    signal?.throwIfAborted()
    const rewritten = await rewrite(segment, files, resolver)
    await resolved.at(-1)
    const stored = rewritten
      ? storeSegment(files, rewritten.lines, rewritten.bytes)
      : Promise.resolve(segment)
    // Waited for before the next one is stored; an error in between must not end the process.
    stored.catch(() => undefined)
    resolved.push(stored)
    onRows?.(resolver.rows)
  }
  return Promise.all(resolved)
}

async function rewrite(
  segment: Segment,
  files: FileStore,
  resolver: RowResolver,
): Promise<{ lines: string[]; bytes: number } | undefined> {
  const lines = await readSegmentLines(files, segment.sha256)
  let { bytes } = segment
  let isChanged = false
  const rewritten: string[] = []
  for await (const some of inTurns(lines, ROWS_A_TURN)) {
    for (const line of some) {
      const record = fromSegmentLine(line)
      const fields = resolver.resolve(record.fields)
      rewritten.push(fields ? toSegmentLine({ ...record, fields }).line : line)
      if (!fields) continue
      isChanged = true
      bytes += lengthOfChanges(record, fields)
    }
  }
  return isChanged ? { lines: rewritten, bytes } : undefined
}

/** How much longer the row has become in the JSON view, about. */
function lengthOfChanges({ fields: before }: StagedRecord, after: StagedRecord['fields']): number {
  let length = 0
  for (const field of ['partcategory', 'partmanu', 'partmodel', 'parttrim']) {
    if (before[field] !== after[field]) {
      length += Buffer.byteLength(String(after[field])) - Buffer.byteLength(String(before[field] ?? ''))
    }
  }
  return length
}
