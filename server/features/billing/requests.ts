import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type NewAccount, type NewCustomer, type ProviderCalls, ProviderFailure } from './provider.ts'
import { attachAccount, attachCustomer, getStanding } from './queries.ts'

type RequestKind = 'customer' | 'account' | 'checkout'

export type ProviderRequest = {
  readonly id: string
  readonly idempotencyKey: string
  /** Null until the provider has answered. */
  readonly providerId: string | null
  readonly url: string | null
}

const columns = sql`id, idempotency_key as "idempotencyKey", provider_id as "providerId", url`

/**
 * The open request of a seller for one of these, made if there is none; undefined where the seller has got a customer (or
 * an account) already. The seller's row is locked while it is asked, so that whoever comes while the last answer is
 * being written sees it.
 */
async function openRequest(
  trx: Db,
  sellerId: string,
  kind: RequestKind,
): Promise<ProviderRequest | undefined> {
  await sql`
    with wanting as (
      select id from seller
      where id = ${sellerId}
        and case ${kind} when 'customer' then stripe_customer_id is null
                         when 'account' then stripe_account_id is null else true end
      for no key update
    )
    insert into provider_request (seller_id, kind) select id, ${kind} from wanting
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

type Answered = { providerId: string; url?: string | null; state: 'open' | 'done' }

/** Writes down what came of a request; of two clicks that got the same answer the second changes nothing. */
async function answerRequest(trx: Db, id: string, answered: Answered): Promise<void> {
  await sql`
    update provider_request
    set provider_id = ${answered.providerId}, url = ${answered.url ?? null}, state = ${answered.state}
    where id = ${id} and state = 'open' and provider_id is null`.execute(trx)
}

/**
 * Ends a request: `done` where it led to something, `void` where another one has to be made. The seller is locked first, as
 * by `openRequest`: there a request that was open for the insert must still be there to be found.
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

/** The seller's customer at the provider, made the first time. @throws ProviderFailure */
export async function ensureCustomer(db: Db, calls: ProviderCalls, customer: NewCustomer): Promise<string> {
  const { sellerId } = customer
  const known = await getStanding(db, sellerId)
  if (known.customerId !== null) return known.customerId
  const made = await makeOnce(
    db,
    { sellerId, kind: 'customer' },
    {
      make: async (key) => ({ id: await calls.createCustomer(customer, key) }),
      attach: (trx, id) => attachCustomer(trx, sellerId, id),
    },
  )
  const customerId = made?.id ?? (await getStanding(db, sellerId)).customerId
  if (customerId === null) throw new Error(`seller ${sellerId} got no customer`)
  return customerId
}
