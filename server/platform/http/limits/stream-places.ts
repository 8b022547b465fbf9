import type { Readable } from 'node:stream'
import { AppError } from '#server/platform/errors.ts'

export type StreamPlaces = {
  /** Of everyone. */
  all: number
  perCaller: number
  /** Said to whoever gets no place. */
  busy: string
}

const RETRY_SECONDS = 10

/**
 * Bounds the long downloads under way, which read the database page by page for as long as their reader takes. Without it,
 * 200 exports of one seller at once kept everyone waiting for a connection. A place is free again when its stream closes.
 * @returns opens a stream for a caller; throws AppError BUSY without a place
 */
export function openStreamPlaces({ all, perCaller, busy }: StreamPlaces) {
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
