import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type NewAccount, type NewCustomer, type ProviderCalls, ProviderFailure } from './provider.ts'
import { attachAccount, attachCustomer, getStanding } from './queries.ts'

type RequestKind = 'customer' | 'account' | 'checkout'

export type ProviderRequest = {
  readonly id: string
  readonly idempotencyKey: string
  /** Null until the provider responds. */
  readonly providerId: string | null
  readonly url: string | null
}

const columns = sql`id, idempotency_key as "idempotencyKey", provider_id as "providerId", url`

/**
 * Returns a seller's open request of this kind, created if needed, or undefined if the seller already has the customer
 * or account. Locks the seller's row, so that a call sees the result of a concurrent one.
 */
async function openRequest(
  trx: Db,
  sellerId: string,
  kind: RequestKind,
): Promise<ProviderRequest | undefined> {
  await sql`
    with lacking as (
      select id from seller
      where id = ${sellerId}
        and case ${kind} when 'customer' then stripe_customer_id is null
                         when 'account' then stripe_account_id is null else true end
      for no key update
    )
    insert into provider_request (seller_id, kind) select id, ${kind} from lacking
    on conflict (seller_id, kind) where state = 'open' do nothing`.execute(trx)
  return findOpenRequest(trx, sellerId, kind)
}

export async function findOpenRequest(
  db: Db,
  sellerId: string,
  kind: RequestKind,
): Promise<ProviderRequest | undefined> {
  const { rows } = await sql<ProviderRequest>`
    select ${columns} from provider_request
    where seller_id = ${sellerId} and kind = ${kind} and state = 'open'`.execute(db)
  return rows[0]
}

/**
 * Ends a request: `done` if it succeeded, `void` if another one is needed. The seller is locked first, as in
 * `openRequest`, where a request that blocks the insert must still be open for the following select.
 */
export async function closeRequest(db: Db, id: string, state: 'done' | 'void'): Promise<void> {
  await sql`
    update provider_request set state = ${state}
    from (
      select seller.id from seller join provider_request request on request.seller_id = seller.id
      where request.id = ${id}
      for no key update of seller
    ) owner
    where provider_request.id = ${id} and seller_id = owner.id and state = 'open'`.execute(db)
}

export async function findOpenCheckout(db: Db, providerId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from provider_request
    where provider_id = ${providerId} and kind = 'checkout' and state = 'open'`.execute(db)
  return rows[0]?.id
}

type ProviderObject = { readonly id: string; readonly url?: string | null }

type Creation = {
  /** Calls the provider; the same key returns the same object. */
  make(key: string): Promise<ProviderObject>
  /**
   * Attaches the object to the seller, in the transaction that closes the request. If unset, the request stays open.
   */
  attach?(trx: Db, id: string): Promise<void>
}

/**
 * Creates exactly one object at the provider for a seller, however often it is called: the key is stored before it is
 * sent, and resent until there is a response. Returns undefined if the seller got one in the meantime. Holds no
 * database connection during the call.
 */
export async function makeOnce(
  db: Db,
  wanted: { sellerId: string; kind: RequestKind },
  { make, attach }: Creation,
): Promise<ProviderObject | undefined> {
  for (let mayRetry = true; ; mayRetry = false) {
    const request = await db.transaction().execute((trx) => openRequest(trx, wanted.sellerId, wanted.kind))
    if (!request) return undefined
    const { id, providerId, url, idempotencyKey } = request
    if (providerId !== null) return { id: providerId, url }
    try {
      const made = await make(idempotencyKey)
      await db.transaction().execute(async (trx) => {
        // Locks the seller first, as `openRequest` does, to prevent deadlocks.
        await attach?.(trx, made.id)
        // Two clicks may get the same response; the second changes nothing.
        await sql`
          update provider_request
          set provider_id = ${made.id}, url = ${made.url ?? null}, state = ${attach ? 'done' : 'open'}
          where id = ${id} and state = 'open' and provider_id is null`.execute(trx)
      })
      return made
    } catch (error) {
      if (!(error instanceof ProviderFailure) || !error.isRemembered) throw error
      await closeRequest(db, id, 'void')
      // The parameters changed since the first try, such as the person's email.
      if (!error.isKeyUsed || !mayRetry) throw error
    }
  }
}

/** Returns the seller's payout account at the provider, created if needed. @throws ProviderFailure */
export function ensureAccount(db: Db, calls: ProviderCalls, account: NewAccount): Promise<string> {
  const { sellerId } = account
  return ensureId(
    db,
    { sellerId, kind: 'account' },
    {
      make: async (key) => ({ id: await calls.createAccount(account, key) }),
      attach: (trx, id) => attachAccount(trx, sellerId, id),
    },
  )
}

/** Returns the seller's customer at the provider, created if needed. @throws ProviderFailure */
export function ensureCustomer(db: Db, calls: ProviderCalls, customer: NewCustomer): Promise<string> {
  const { sellerId } = customer
  return ensureId(
    db,
    { sellerId, kind: 'customer' },
    {
      make: async (key) => ({ id: await calls.createCustomer(customer, key) }),
      attach: (trx, id) => attachCustomer(trx, sellerId, id),
    },
  )
}

async function ensureId(
  db: Db,
  wanted: { sellerId: string; kind: 'account' | 'customer' },
  creation: Creation,
): Promise<string> {
  const { sellerId, kind } = wanted
  const find = async () => (await getStanding(db, sellerId))[`${kind}Id`]
  const id = (await find()) ?? (await makeOnce(db, wanted, creation))?.id ?? (await find())
  if (id === null) throw new Error(`seller ${sellerId} got no ${kind} at the payment provider`)
  return id
}
