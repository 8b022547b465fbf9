import type { FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { callerKey } from './rate-limits.ts'

/*
 * Limits concurrent uploads per process, network and caller. When no slot is free, a caller with fewer uploads takes a
 * slot from a caller with more: the slowest upload is dropped. So a flood of slow requests, from any number of
 * accounts, cannot lock out other users.
 */

export type Uploader = {
  /** The account, or the IP address if signed out. */
  caller: string
  network: string
  /** Bytes received since the upload began. */
  bytes: () => number
}

export type UploadSlot = {
  /** Rejects with BUSY when another caller takes this slot. */
  readonly lost: Promise<never>
  /** Call when all bytes have arrived; the slot can no longer be taken away. */
  arrived(): void
  leave(): void
}

type Taken = Uploader & { since: number; isArriving: boolean; lose: () => void }

export type SlotRules = { all: number; perCaller: number; perNetwork: number }

const RETRY_SECONDS = 2
const busy = () =>
  new AppError('BUSY', 'Too many uploads are in progress. Please try again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

// 128 kbit/s, a tenth of the slowest line in use. A slower upload loses its slot if another caller needs it.
const SLOW_BYTES_PER_SECOND = 16 * 1024
// Grace period for the first bytes of an upload.
const GRACE_MS = 2_000

export class UploadSlots {
  readonly #rules: SlotRules
  readonly #now: () => number
  readonly #taken = new Set<Taken>()

  constructor(rules: SlotRules, now: () => number = () => performance.now()) {
    this.#rules = rules
    this.#now = now
  }

  /** @throws AppError BUSY if no slot is free for this uploader */
  take(uploader: Uploader): UploadSlot {
    const { all, perCaller, perNetwork } = this.#rules
    const own = this.#countsOf(uploader)
    if (own.caller >= perCaller) throw busy()
    if (this.#taken.size >= all) this.#makeRoom([...this.#taken], own, { acrossNetworks: true })
    else if (own.network >= perNetwork) {
      const neighbors = [...this.#taken].filter(({ network }) => network === uploader.network)
      this.#makeRoom(neighbors, own, { acrossNetworks: false })
    }
    const { promise: lost, reject } = Promise.withResolvers<never>()
    // May reject after the upload failed for another reason; must not be an unhandled rejection.
    lost.catch(() => undefined)
    const lose = () => reject(busy())
    const taken: Taken = { ...uploader, since: this.#now(), isArriving: true, lose }
    this.#taken.add(taken)
    return {
      lost,
      arrived: () => {
        taken.isArriving = false
      },
      leave: () => void this.#taken.delete(taken),
    }
  }

  #countsOf({ caller, network }: Pick<Uploader, 'caller' | 'network'>) {
    const taken = [...this.#taken]
    return {
      caller: taken.filter((one) => one.caller === caller).length,
      network: taken.filter((one) => one.network === network).length,
    }
  }

  #makeRoom(
    crowd: readonly Taken[],
    own: { caller: number; network: number },
    { acrossNetworks }: { acrossNetworks: boolean },
  ): void {
    const candidates = crowd
      .filter(({ isArriving }) => isArriving)
      .map((taken) => ({ taken, counts: this.#countsOf(taken), rate: this.#rateOf(taken) }))
      // At least two more; with one more, the two callers would keep taking the slot from each other.
      .filter(
        ({ counts, rate }) =>
          rate < SLOW_BYTES_PER_SECOND ||
          counts.caller >= own.caller + 2 ||
          (acrossNetworks && counts.network >= own.network + 2),
      )
      .toSorted(
        (one, other) =>
          (acrossNetworks ? other.counts.network - one.counts.network : 0) ||
          other.counts.caller - one.counts.caller ||
          one.rate - other.rate,
      )
    const [first] = candidates
    if (!first) throw busy()
    this.#taken.delete(first.taken)
    first.taken.lose()
  }

  /** Bytes per second; infinite during the grace period. */
  #rateOf({ since, bytes }: Taken): number {
    const ms = this.#now() - since
    return ms < GRACE_MS ? Number.POSITIVE_INFINITY : (bytes() * 1_000) / ms
  }
}

export function uploaderOf(request: FastifyRequest): Uploader {
  const { socket } = request.raw
  const before = socket.bytesRead
  return {
    caller: callerKey(request),
    network: networkOf(request.ip),
    bytes: () => socket.bytesRead - before,
  }
}
