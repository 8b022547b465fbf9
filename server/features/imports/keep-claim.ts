import type { Db } from '#server/platform/database.ts'
import { stillRunning } from './chunk-refusals.ts'
import { type ChunkClaim, showLife } from './ledger-queries.ts'

const ALIVE_EVERY_MS = 2_000

export type WorkLife = {
  /** Tells how many rows were read, for whoever watches. */
  readonly rows: (read: number) => void
  /** Aborted once the claim is somebody else's. */
  readonly signal: AbortSignal
}

/**
 * Works on a claimed chunk and shows life meanwhile, so that nobody takes it for dead.
 * @throws AppError STILL_RUNNING where somebody took it over
 */
export async function keepClaim<T>(
  db: Db,
  claim: ChunkClaim,
  work: (life: WorkLife) => Promise<T>,
): Promise<T> {
  const lost = new AbortController()
  let read = 0
  const timer = setInterval(() => {
    // A database that is away for a moment decides nothing: finishing asks again.
    showLife(db, claim, read)
      .then((ours) => ours || lost.abort(stillRunning()))
      .catch(() => undefined)
  }, ALIVE_EVERY_MS)
  try {
    return await work({
      rows: (count) => {
        read = count
      },
      signal: lost.signal,
    })
  } catch (error) {
    // Whatever broke off because of it.
    throw lost.signal.aborted ? lost.signal.reason : error
  } finally {
    clearInterval(timer)
  }
}
