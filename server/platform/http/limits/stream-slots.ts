import type { Readable } from 'node:stream'
import { AppError } from '#server/platform/errors.ts'

export type StreamSlots = {
  /** Maximum for all callers together. */
  all: number
  perCaller: number
  /** Error message when no slot is free. */
  busy: string
}

const RETRY_SECONDS = 10

/**
 * Limits concurrent long downloads, which read the database page by page at the client's pace. Without it, 200
 * concurrent exports of one seller used up the connections. A slot is released when its stream closes.
 * @returns a function that opens a stream for a caller; it throws AppError BUSY if no slot is free
 */
export function openStreamSlots({ all, perCaller, busy }: StreamSlots) {
  const callers: string[] = []
  return (caller: string, open: () => Readable): Readable => {
    const own = callers.filter((one) => one === caller).length
    if (callers.length >= all || own >= perCaller) {
      throw new AppError('BUSY', busy, { retryAfterSeconds: RETRY_SECONDS })
    }
    const stream = open()
    callers.push(caller)
    return stream.once('close', () => void callers.splice(callers.indexOf(caller), 1))
  }
}
