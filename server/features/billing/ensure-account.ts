import type { Db } from '#server/platform/database/database.ts'
import { makeOnce } from './make-once.ts'
import type { NewAccount, ProviderCalls } from './provider.ts'
import { attachAccount, getStanding } from './queries.ts'

/** The seller's payout account at the provider, made the first time. @throws ProviderFailure */
export async function ensureAccount(db: Db, calls: ProviderCalls, account: NewAccount): Promise<string> {
  const { sellerId } = account
  const known = await getStanding(db, sellerId)
  if (known.accountId !== null) return known.accountId
  const made = await makeOnce(
    db,
    { sellerId, kind: 'account' },
    {
      make: async (key) => ({ id: await calls.createAccount(account, key) }),
      attach: (trx, id) => attachAccount(trx, sellerId, id),
    },
  )
  const accountId = made?.id ?? (await getStanding(db, sellerId)).accountId
  if (accountId === null) throw new Error(`seller ${sellerId} got no payout account`)
  return accountId
}
