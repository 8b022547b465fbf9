import type { Db } from '#server/platform/database/database.ts'
import { ProviderFailure } from './provider-failure.ts'
import { answerRequest, closeRequest, openRequest, type RequestKind } from './request-queries.ts'

export type Made = { readonly id: string; readonly url?: string | null }

type Making = {
  /** Asks the provider; the same key gives the same object. */
  make(key: string): Promise<Made>
  /** Writes what was made to the seller, in the transaction that also closes the request. Unset: it stays open. */
  attach?(trx: Db, id: string): Promise<void>
}

/**
 * Makes one thing at the provider for a seller, however often and at whatever moment it is asked: the key of the request
 * is stored before it is sent, and sent again until there is an answer. Undefined where the seller has got one meanwhile.
 * No connection of ours is held while the provider is asked.
 */
export async function makeOnce(
  db: Db,
  wanted: { sellerId: string; kind: RequestKind },
  making: Making,
): Promise<Made | undefined> {
  for (let again = true; ; again = false) {
    const request = await db.transaction().execute((trx) => openRequest(trx, wanted.sellerId, wanted.kind))
    if (!request) return undefined
    const { id, providerId, url, idempotencyKey } = request
    if (providerId !== null) return { id: providerId, url }
    try {
      const made = await making.make(idempotencyKey)
      await store(db, { id, made, attach: making.attach })
      return made
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !error.isRemembered) throw error
      await closeRequest(db, id, 'void')
      // Somebody changed their e-mail address, say, since the first try: what was asked then is not what is asked now.
      if (!error.isKeyUsed || !again) throw error
    }
  }
}

type Storing = { id: string; made: Made; attach: Making['attach'] }

async function store(db: Db, { id, made, attach }: Storing): Promise<void> {
  await db.transaction().execute(async (trx) => {
    // The seller first, as in `openRequest`: two that lock in the other order would wait for each other.
    await attach?.(trx, made.id)
    const { id: providerId, ...rest } = made
    await answerRequest(trx, id, { providerId, ...rest, state: attach ? 'done' : 'open' })
  })
}
