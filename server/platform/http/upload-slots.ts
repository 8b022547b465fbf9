import { AppError } from '#server/platform/app-error.ts'

const RETRY_SECONDS = 2

/** Takes a place for one caller; the answer gives it back. */
type TakeSlot = (caller: string) => () => void

/**
 * Takes one of the places for reading an upload.
 * @throws AppError BUSY where all places, or all that one caller may have, are taken
 */
function uploadSlots(atOnce: number, atOnceForOne: number): TakeSlot {
  const uploads = new Map<string, number>()
  let all = 0
  return (caller) => {
    const own = uploads.get(caller) ?? 0
    if (all >= atOnce || own >= atOnceForOne) {
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
}

/** Each picture stands in memory until it is whole: at most 24 × 10 MB a process, and nobody takes them all. */
export const takePictureSlot: TakeSlot = uploadSlots(24, 4)

/** Files on the disk: each holds a descriptor, its size in space and its fields (16 × 1 MB) for as long as its call runs. */
export const takeFileSlot: TakeSlot = uploadSlots(40, 6)
