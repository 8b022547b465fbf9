import type { Chunk } from './file-chunks.ts'

type Upload = {
  chunks: AsyncGenerator<Chunk, undefined>
  /** As many are on their way at once. */
  concurrency: number
  send: (chunk: Chunk, signal: AbortSignal) => Promise<void>
  /** Resolves at once, or when a pause ends. */
  untilMayGoOn: () => Promise<void>
  signal: AbortSignal
}

/** Sends all chunks, a few at a time; the first failure ends the rest and is thrown. */
export async function uploadChunks({
  chunks,
  concurrency,
  send,
  untilMayGoOn,
  signal,
}: Upload): Promise<void> {
  const failed = new AbortController()
  const ended = AbortSignal.any([signal, failed.signal])
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
    await Promise.all(Array.from({ length: concurrency }, work))
  } catch (error) {
    failed.abort(error)
    throw error
  } finally {
    // Without waiting: a worker may still be asking for the next one.
    void chunks.return(undefined).catch(() => undefined)
  }
}
