import { AppError } from '#server/platform/app-error.ts'

// Each upload stands in memory until it is whole: at most 24 × 10 MB a process, and nobody takes them all.
const AT_ONCE = 24
const AT_ONCE_FOR_ONE = 4
const RETRY_SECONDS = 2

const uploads = new Map<string, number>()
let all = 0

/**
 * Takes one of the places for reading an upload; the answer gives it back.
 * @throws AppError BUSY where all places, or all that one caller may have, are taken
 */
export function takeUploadSlot(caller: string): () => void {
  const own = uploads.get(caller) ?? 0
  if (all >= AT_ONCE || own >= AT_ONCE_FOR_ONE) {
    throw new AppError('BUSY', 'Too many uploads are under way. Please try again in a moment.', {
      retryAfterSeconds: RETRY_SECONDS,
    })
  }
  all += 1
  uploads.set(caller, own + 1)
  return () => {
    all -= 1
    const left = (uploads.get(caller) ?? 1) - 1
    if (left === 0) uploads.delete(caller)
    else uploads.set(caller, left)
  }
}
