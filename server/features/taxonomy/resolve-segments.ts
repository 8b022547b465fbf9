import { setImmediate } from 'node:timers/promises'
import { LineFieldReader } from '#server/features/staging/line-fields.ts'
import { readSegmentText } from '#server/features/staging/read-segment-text.ts'
import type { Segment } from '#server/features/staging/segment.ts'
import { SplicedText } from '#server/features/staging/spliced-text.ts'
import { storeSegmentText } from '#server/features/staging/store-segment-text.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { releaseBytes } from '#server/platform/release-bytes.ts'
import { namedFields, type RowNames, type RowResolver } from './row-resolver.ts'

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
  const [even, odd] = [new SplicedText(), new SplicedText()]
  const textAt = (place: number) => {
    const segment = segments[place]
    return segment && handled(readSegmentText(files, segment.sha256))
  }
  let next = textAt(0)
  for (const [place, segment] of segments.entries()) {
    signal?.throwIfAborted()
    const text = await next
    next = textAt(place + 1)
    // What the one holds is stored while the other one is filled.
    const target = place % 2 === 0 ? even : odd
    const rewritten = text && (await rewrite(text, { reader, resolver, target }))
    if (text) releaseBytes(text)
    await resolved.at(-1)
    const { rows, bytes } = segment
    const stored = rewritten
      ? storeSegmentText(files, rewritten, { rows, bytes: bytes + target.longer })
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

type Rewriting = {
  readonly reader: LineFieldReader
  readonly resolver: RowResolver
  readonly target: SplicedText
}

/** The text with its changed lines; undefined where there is none. */
async function rewrite(text: Buffer, { reader, resolver, target }: Rewriting): Promise<Buffer | undefined> {
  const names = namesOfLine(reader)
  target.begin(text)
  for (let from = 0, row = 1; from < text.length; row += 1) {
    reader.begin(text, from)
    const changes = resolver.resolve(names)
    if (changes) reader.replace(changes, target)
    from = reader.endOfLine
    if (row % ROWS_A_TURN === 0) await setImmediate()
  }
  return target.end()
}

/** Of whichever line the reader has turned to: the trim, far behind, is hardly ever asked for. */
function namesOfLine(reader: LineFieldReader): RowNames {
  return {
    get partcategory() {
      return reader.value('partcategory')
    },
    get partmanu() {
      return reader.value('partmanu')
    },
    get partmodel() {
      return reader.value('partmodel')
    },
    get parttrim() {
      return reader.value('parttrim')
    },
    get partyear() {
      return reader.value('partyear')
    },
  }
}
