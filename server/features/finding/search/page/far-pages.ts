import type { Span } from '#server/features/finding/search/matches/ordered-lists.ts'
import { AppError } from '#server/platform/errors.ts'

/** Reads a page, unless it is far down a list and enough of those are being read. @throws AppError BUSY */
export type FarPages = <T>(span: Span, read: () => Promise<T>) => Promise<T>

// Contract, third edition. The last page of a million takes 0.3 s of one core.
const FAR_FROM = 10_000
const AT_ONCE = 2
const RETRY_SECONDS = 2

/** One for all lists of a process. Nearer pages never wait. */
export function openFarPages(): FarPages {
  let reading = 0
  return async ({ offset, limit }, read) => {
    if (offset + limit <= FAR_FROM) return read()
    if (reading >= AT_ONCE) {
      throw new AppError(
        'BUSY',
        'Too many pages this far down are being read. Please try again in a moment.',
        {
          retryAfterSeconds: RETRY_SECONDS,
        },
      )
    }
    reading += 1
    try {
      return await read()
    } finally {
      reading -= 1
    }
  }
}
