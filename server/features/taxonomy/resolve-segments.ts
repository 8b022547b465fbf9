import { LineFieldReader, withLineFields } from '#server/features/staging/line-fields.ts'
import { readSegmentLines } from '#server/features/staging/read-segment-lines.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { fromSegmentLine, toSegmentLine } from '#server/features/staging/staged-record.ts'
import { storeSegment } from '#server/features/staging/store-segment.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { inTurns } from '#server/platform/in-turns.ts'
import { type NameChanges, namedFields, type RowNames, type RowResolver } from './row-resolver.ts'

// A few milliseconds of work at once.
const ROWS_A_TURN = 250

type Resolving = {
  readonly files: FileStore
  readonly resolver: RowResolver
  readonly signal?: AbortSignal
  onRows?(done: number): void
}

/**
 * The segments of a version with all names resolved. One without a change stays the same; of the others no more than three
 * are in memory: the one that is worked on, the one that is read and the one that is stored meanwhile.
 */
export async function resolveSegments(
  segments: readonly Segment[],
  { files, resolver, signal, onRows }: Resolving,
): Promise<Segment[]> {
  const resolved: Promise<Segment>[] = []
  const reader = new LineFieldReader(namedFields)
  const linesAt = (place: number) => {
    const segment = segments[place]
    return segment && handled(readSegmentLines(files, segment.sha256))
  }
  let next = linesAt(0)
  for (const [place, segment] of segments.entries()) {
    signal?.throwIfAborted()
    const lines = (await next) ?? []
    next = linesAt(place + 1)
    const rewritten = await rewrite({ lines, bytes: segment.bytes }, reader, resolver)
    await resolved.at(-1)
    const stored = rewritten
      ? storeSegment(files, rewritten.lines, rewritten.bytes)
      : Promise.resolve(segment)
    resolved.push(handled(stored))
    onRows?.(resolver.rows)
  }
  return Promise.all(resolved)
}

/** Waited for later; an error in between must not end the process. */
function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

type Lines = { lines: string[]; bytes: number }

async function rewrite(
  { lines, bytes }: Lines,
  reader: LineFieldReader,
  resolver: RowResolver,
): Promise<Lines | undefined> {
  let isChanged = false
  const rewritten: Lines = { lines: [], bytes }
  for await (const some of inTurns(lines, ROWS_A_TURN)) {
    for (const line of some) {
      const changed = resolveLine(line, reader, resolver)
      rewritten.lines.push(changed?.line ?? line)
      if (!changed) continue
      isChanged = true
      rewritten.bytes += changed.longer
    }
  }
  return isChanged ? rewritten : undefined
}

/** The line with its names as they should be, and how much longer its row is in the JSON view, about. */
function resolveLine(
  line: string,
  reader: LineFieldReader,
  resolver: RowResolver,
): { line: string; longer: number } | undefined {
  const found = reader.read(line)
  const names: RowNames = found ?? fromSegmentLine(line).fields
  const changes = resolver.resolve(names)
  if (!changes) return undefined
  const changed = (found && withLineFields(line, changes)) ?? withRecordFields(line, changes)
  return { line: changed, longer: lengthOfChanges(names, changes) }
}

function withRecordFields(line: string, changes: NameChanges): string {
  const record = fromSegmentLine(line)
  return toSegmentLine({ ...record, fields: { ...record.fields, ...changes } }).line
}

function lengthOfChanges(before: RowNames, changes: NameChanges): number {
  let length = 0
  for (const [field, text] of Object.entries(changes)) {
    length += Buffer.byteLength(text) - Buffer.byteLength(String(before[field as keyof RowNames] ?? ''))
  }
  return length
}
