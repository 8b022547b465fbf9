import type { Db } from '#server/platform/database/database.ts'
import { type ConnectState, connectState, type PayoutAccount } from './connect-state.ts'
import type { ProviderCalls } from './provider.ts'
import { beginRead, lockConnect, writeConnect } from './queries.ts'

export type SyncedConnect = {
  readonly account: PayoutAccount
  /** Undefined where a read that began later had been written already. */
  readonly written: { readonly before: ConnectState; readonly after: ConnectState } | undefined
}

/**
 * Reads a seller's payout account and writes how far it is; in the order of `syncSubscription`. A seller without an
 * account is left alone.
 * @throws ProviderFailure
 */
export async function syncConnect(
  db: Db,
  calls: ProviderCalls,
  sellerId: string,
): Promise<SyncedConnect | undefined> {
  const { number, accountId } = await beginRead(db, sellerId)
  if (accountId === null) return undefined
  const account = await calls.getAccount(accountId)
  const written = await db.transaction().execute(async (trx) => {
    const before = await lockConnect(trx, sellerId, number)
    if (!before) return undefined
    const after = connectState(account)
    await writeConnect(trx, sellerId, { ...after, read: number })
    return { before, after }
  })
  return { account, written }
}
