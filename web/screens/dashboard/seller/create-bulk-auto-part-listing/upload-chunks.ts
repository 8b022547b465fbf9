import { csvPieces } from '#contract/csv-records.ts'
import { chunkLimits, fileBytes, type ImportFile } from './read-import-file.ts'

/** Spec, section 9. */
const CONCURRENCY = 2

/** Below this, packing costs more than it saves. */
const WORTH_PACKING_BYTES = 4 * 1024

export type Chunk = {
  index: number
  records: number
  /** As the spreadsheet numbers its first row. */
  firstRow: number
  bytes: number
  /** A CSV of its own: the header line and the rows. Packed where the browser can. */
  content: () => Promise<Blob>
}

type Upload = {
  file: ImportFile
  send: (chunk: Chunk, signal: AbortSignal) => Promise<void>
  /** Resolves at once, or when a pause ends. */
  untilMayGoOn: () => Promise<void>
  signal: AbortSignal
}

/** Sends all chunks of a file, two at a time; the first failure ends the rest and is thrown. */
export async function uploadChunks({ file, send, untilMayGoOn, signal }: Upload): Promise<void> {
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
  const chunks = chunksOf(file)
  const work = async () => {
    for (;;) {
      await untilMayGoOn()
      ended.throwIfAborted()
      const { value: chunk, done } = await chunks.next()
      if (done) return
      await send(chunk, ended)
    }
  }
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work))
  } catch (error) {
    failed.abort(error)
    throw error
  } finally {
    await chunks.return(undefined)
  }
}

async function* chunksOf({ file, headerLine }: ImportFile): AsyncGenerator<Chunk, undefined> {
  let index = 0
  for await (const { content, records, firstRow, bytes } of csvPieces(fileBytes(file), chunkLimits)) {
    if (records === 0) continue
    const whole = new Blob([headerLine, content])
    yield { index, records, firstRow, bytes, content: () => packed(whole) }
    index++
  }
}

/** A yard's line sends a tenth of what it receives; a CSV packs to a tenth. */
async function packed(content: Blob): Promise<Blob> {
  if (content.size < WORTH_PACKING_BYTES || typeof CompressionStream === 'undefined') return content
  return await new Response(content.stream().pipeThrough(new CompressionStream('gzip'))).blob()
}
