import { fileKind, KIND_BYTES } from '#contract/yard-file/file-kind.ts'
import { FileProblem } from './import-file.ts'

/** Of the file as it lies on the disk. */
export type OnRead = (share: number) => void

/* As the server has them. */
const MOST_BYTES = 2 * 1024 ** 3
/** Text packs to a tenth; zeros to a thousandth, and a file that does is made to exhaust its reader. */
const MOST_RATIO = 200
// Below it a file of few and equal rows may well pack better.
const RATIO_COUNTS_FROM = 10 * 1024 ** 2

const damaged =
  'Failed to read CSV: the .gz file is damaged, cut off or made of several parts. Unpack it and choose the file that is in it.'
const tooLarge = 'This .gz file holds more than 2 GB. Split it into several files.'
const bomb =
  'This .gz file unpacks to more than 200 times its size, as no list of parts does. Choose the CSV unpacked.'

/** The first bytes as they lie on the disk. */
export const rawStart = async (file: Blob): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, KIND_BYTES).arrayBuffer())

/** The file's bytes, unpacked where it is packed; each call reads it anew. */
export async function* fileBytes(file: Blob, onRead?: OnRead): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const isPacked = fileKind(await rawStart(file)).kind === 'gzip'
  let taken = 0
  const counted = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(piece, way) {
      taken += piece.length
      onRead?.(taken / file.size)
      way.enqueue(piece)
    },
  })
  const raw = file.stream().pipeThrough(counted)
  const reader = (isPacked ? raw.pipeThrough(new DecompressionStream('gzip')) : raw).getReader()
  let bytes = 0
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      bytes += piece.value.length
      if (isPacked) requireSane(bytes, taken)
      yield piece.value
    }
  } catch (cause) {
    // Inflating complains in words of its own, in each browser others.
    throw isPacked && cause instanceof TypeError ? new FileProblem(damaged, { cause }) : cause
  } finally {
    // Without waiting: a stream that failed has nothing to cancel.
    void reader.cancel().catch(() => undefined)
  }
}

function requireSane(bytes: number, taken: number): void {
  if (bytes > MOST_BYTES) throw new FileProblem(tooLarge)
  if (bytes > RATIO_COUNTS_FROM && bytes > MOST_RATIO * taken) throw new FileProblem(bomb)
}

/** The file's beginning, unpacked, and whether that is all of it. */
export type FileStart = { bytes: Uint8Array<ArrayBuffer>; whole: boolean }

export async function fileStart(file: Blob, most: number): Promise<FileStart> {
  const start = new Uint8Array(most)
  let length = 0
  for await (const piece of fileBytes(file)) {
    const part = piece.subarray(0, most - length)
    start.set(part, length)
    length += part.length
    if (part.length < piece.length) return { bytes: start, whole: false }
  }
  return { bytes: start.slice(0, length), whole: true }
}
