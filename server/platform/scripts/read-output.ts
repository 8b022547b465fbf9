import type { Readable } from 'node:stream'
import { OutputLines } from './output-lines.ts'

// A pipe that stays open after the script's end is held by a program that left its group; what the script itself has
// written has long been read by then.
const SILENT_MS = 1_000

/**
 * Hands on what a process prints, line by line, in order. The process is held up (its pipe is full) while `say` waits, so
 * no more than a few pieces of 64 kB are in memory, however much it prints. Returns at the stream's end, or when nothing
 * comes any more after `ended`.
 */
export async function readOutput(
  stream: Readable,
  say: (lines: readonly string[]) => Promise<void>,
  ended: Promise<unknown>,
): Promise<void> {
  const lines = new OutputLines()
  const pace = { chunks: 0, isBusy: false }
  const giveUp = new AbortController()
  void ended.then(
    () => destroyWhenSilent(stream, pace, giveUp.signal),
    () => stream.destroy(),
  )
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pace.chunks += 1
      pace.isBusy = true
      await saySome(say, lines.push(chunk))
      pace.isBusy = false
    }
  } catch (error) {
    if (!isCutOff(error)) throw error
  } finally {
    giveUp.abort()
  }
  await saySome(say, lines.end())
}

async function saySome(say: (lines: readonly string[]) => Promise<void>, lines: string[]): Promise<void> {
  if (lines.length > 0) await say(lines)
}

function destroyWhenSilent(
  stream: Readable,
  pace: { chunks: number; isBusy: boolean },
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  let before = pace.chunks
  const timer = setInterval(() => {
    if (!pace.isBusy && pace.chunks === before) stream.destroy()
    before = pace.chunks
  }, SILENT_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
