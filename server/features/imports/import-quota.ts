import { AppError } from '#server/platform/app-error.ts'

// A person has one or two at a time; a program that never finishes what it begins must not fill the ledger.
const MOST_UNFINISHED = 20
// A million rows are 0.5 GB: twenty such files a month, or the nightly stock of a large yard.
const MOST_STAGED_BYTES = 10 * 1024 ** 3
const STAGED_WITHIN_MS = 30 * 86_400_000

// A chunk is a row of the ledger, an import may have 100,000 of them, and what nobody finishes stays for a week.
const MOST_UNFINISHED_OF_ALL = 2_000
const RETRY_SECONDS = 60

/** How many checks of a seller may be unfinished; the oldest one is forgotten for a new one, since nothing hangs on it. */
export const MOST_UNFINISHED_DRY_RUNS = 20

/** Staged rows count from then on. */
export const stagedSince = (now: Date): Date => new Date(now.getTime() - STAGED_WITHIN_MS)

/** @throws AppError QUOTA_REACHED where so many imports are unfinished that no further one may begin */
export function requireRoom(unfinished: number): void {
  if (unfinished < MOST_UNFINISHED) return
  throw new AppError(
    'QUOTA_REACHED',
    `At most ${MOST_UNFINISHED} imports may be unfinished at a time. Send the missing chunks of earlier ones, or withdraw them; what stays unfinished is given up after 7 days.`,
  )
}

/** @throws AppError BUSY where so many imports of all sellers are unfinished that no further one may begin */
export function requireRoomForAll(unfinished: number): void {
  if (unfinished < MOST_UNFINISHED_OF_ALL) return
  throw new AppError(
    'BUSY',
    'Too many imports are under way, so no further one can begin now. Nothing was taken; please try again in a minute.',
    { retryAfterSeconds: RETRY_SECONDS },
  )
}

/** @throws AppError QUOTA_REACHED where the seller staged as much as is kept for one */
export function requireSpace(stagedBytes: number): void {
  if (stagedBytes < MOST_STAGED_BYTES) return
  throw new AppError(
    'QUOTA_REACHED',
    'At most 10 GB of rows may be staged in 30 days. Wait until older imports no longer count.',
  )
}
