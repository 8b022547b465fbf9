import { setImmediate } from 'node:timers/promises'
import { LineFieldReader, withLineFields } from '#server/features/staging/line-fields.ts'
import { readSegmentText } from '#server/features/staging/read-segment-text.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { fromSegmentLine, toSegmentLine } from '#server/features/staging/staged-record.ts'
import { storeSegmentText } from '#server/features/staging/store-segment-text.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { type NameChanges, namedFields, type RowNames, type RowResolver } from './row-resolver.ts'

// A few milliseconds of work at once.
const ROWS_A_TURN = 250
const LINE_END = 10

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
  const textAt = (place: number) => {
    const segment = segments[place]
    return segment && handled(readSegmentText(files, segment.sha256))
  }
  let next = textAt(0)
  for (const [place, segment] of segments.entries()) {
    signal?.throwIfAborted()
    const text = await next
    next = textAt(place + 1)
    const rewritten = text && (await rewrite(text, reader, resolver))
    await resolved.at(-1)
    const { rows, bytes } = segment
    const stored = rewritten
      ? storeSegmentText(files, rewritten.text, { rows, bytes: bytes + rewritten.longer })
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

/**
 * The text with its changed lines; undefined where there is none. Lines become strings one by one and what stays is copied
 * as bytes: strings of whole segments keep the garbage collector busier than everything else.
 */
async function rewrite(
  text: Buffer,
  reader: LineFieldReader,
  resolver: RowResolver,
): Promise<{ text: Buffer; longer: number } | undefined> {
  const pieces: Uint8Array[] = []
  let longer = 0
  let copied = 0
  for (let from = 0, row = 1; from < text.length; row += 1) {
    const to = text.indexOf(LINE_END, from)
    const changed = resolveLine(text.toString('utf8', from, to), reader, resolver)
    if (changed) {
      pieces.push(text.subarray(copied, from), Buffer.from(changed.line))
      longer += changed.longer
      copied = to
    }
    from = to + 1
    if (row % ROWS_A_TURN === 0) await setImmediate()
  }
  if (pieces.length === 0) return undefined
  return { text: Buffer.concat([...pieces, text.subarray(copied)]), longer }
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
