import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

export type RequestKind = 'customer' | 'account' | 'checkout'

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
export async function openRequest(
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
export async function answerRequest(trx: Db, id: string, answered: Answered): Promise<void> {
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
