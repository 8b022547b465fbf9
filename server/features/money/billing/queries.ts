import { sql } from 'kysely'
import type { User } from '#contract/account/accounts.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import type { ConnectState, PlanState } from './provider-state.ts'

export type Standing = {
  readonly tier: User['sellerTier']
  readonly subscriptionStatus: User['subscriptionStatus']
  readonly connectStatus: User['connectStatus']
  readonly customerId: string | null
  readonly accountId: string | null
  /** Mode and account of the provider in which the customer was last found. */
  readonly home: string | null
}

/** A seller's current state; the request's actor may be a few seconds old. */
export async function getStanding(db: Db, sellerId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    select tier, subscription_status as "subscriptionStatus", connect_status as "connectStatus",
           stripe_customer_id as "customerId", stripe_account_id as "accountId", customer_home as home
    from seller where id = ${sellerId}`.execute(db)
  return onlyRow(rows)
}

export type NumberedRead = { readonly number: number } & Pick<Standing, 'customerId' | 'accountId' | 'home'>

/** Numbers a read that is about to begin. */
export async function beginRead(db: Db, sellerId: string): Promise<NumberedRead> {
  const { rows } = await sql<NumberedRead>`
    update seller set provider_reads = provider_reads + 1 where id = ${sellerId}
    returning provider_reads as number, stripe_customer_id as "customerId", stripe_account_id as "accountId",
              customer_home as home
  `.execute(db)
  return onlyRow(rows)
}

export type KnownPlan = PlanState & { readonly granted: boolean }

/** Locks the current plan for this read to write; returns undefined if a later read was already written. */
export async function lockPlan(trx: Db, sellerId: string, read: number): Promise<KnownPlan | undefined> {
  const { rows } = await sql<KnownPlan>`
    select tier, subscription_status as "subscriptionStatus", subscription_id as "subscriptionId",
           subscription_price_id as "subscriptionPriceId", subscription_ends_at as "subscriptionEndsAt",
           subscription_period_end as "subscriptionPeriodEnd", plan_problem as "planProblem",
           pro_granted_at is not null as granted
    from seller where id = ${sellerId} and subscription_read < ${read}
    for no key update`.execute(trx)
  return rows[0]
}

export async function writePlan(trx: Db, sellerId: string, plan: PlanState): Promise<void> {
  await sql`
    update seller set tier = ${plan.tier}, subscription_status = ${plan.subscriptionStatus},
                      subscription_id = ${plan.subscriptionId},
                      subscription_price_id = ${plan.subscriptionPriceId},
                      subscription_ends_at = ${plan.subscriptionEndsAt},
                      subscription_period_end = ${plan.subscriptionPeriodEnd},
                      plan_problem = ${plan.planProblem}
    where id = ${sellerId}`.execute(trx)
}

type PlanRead = { read: number; home: string | null; now: Date }

/** `home`: where the customer was found, or null if that is not known. */
export async function markPlanRead(trx: Db, sellerId: string, { read, home, now }: PlanRead): Promise<void> {
  await sql`
    update seller set subscription_read = ${read}, plan_read_at = ${now},
                      customer_home = coalesce(${home}, customer_home)
    where id = ${sellerId}`.execute(trx)
}

/** Marks a plan that could not be read because its ids belong to another account or mode; changes nothing else. */
export async function markForeignCustomer(db: Db, sellerId: string, now: Date): Promise<void> {
  await sql`
    update seller set plan_problem = 'OTHER_HOME', plan_read_at = ${now} where id = ${sellerId}`.execute(db)
}

/** Like `lockPlan`, for the payout account. */
export async function lockConnect(
  trx: Db,
  sellerId: string,
  read: number,
): Promise<ConnectState | undefined> {
  const { rows } = await sql<ConnectState>`
    select connect_status as "connectStatus", charges_enabled as "chargesEnabled",
           can_transfer as "canTransfer", payout_needs as "payoutNeeds"
    from seller where id = ${sellerId} and connect_read < ${read}
    for no key update`.execute(trx)
  return rows[0]
}

type ReadConnect = ConnectState & { read: number }

export async function writeConnect(trx: Db, sellerId: string, connect: ReadConnect): Promise<void> {
  await sql`
    update seller set connect_status = ${connect.connectStatus}, charges_enabled = ${connect.chargesEnabled},
                      can_transfer = ${connect.canTransfer},
                      payout_needs = ${connect.payoutNeeds && JSON.stringify(connect.payoutNeeds)},
                      connect_read = ${connect.read}
    where id = ${sellerId}`.execute(trx)
}

/** Never replaces a customer: the first one's subscriptions would no longer be read. */
export async function attachCustomer(trx: Db, sellerId: string, customerId: string): Promise<void> {
  await sql`
    update seller set stripe_customer_id = ${customerId}, customer_home = null
    where id = ${sellerId} and stripe_customer_id is null`.execute(trx)
}

/** Detaches a customer that the provider no longer has, unless the seller has another one by now. */
export async function detachCustomer(db: Db, sellerId: string, customerId: string): Promise<void> {
  await sql`
    update seller set stripe_customer_id = null, customer_home = null
    where id = ${sellerId} and stripe_customer_id = ${customerId}`.execute(db)
}

/** A new payout account has nothing submitted yet. */
export async function attachAccount(trx: Db, sellerId: string, accountId: string): Promise<void> {
  await sql`
    update seller set stripe_account_id = ${accountId}, connect_status = 'IN_PROGRESS', charges_enabled = false
    where id = ${sellerId} and stripe_account_id is null`.execute(trx)
}

/**
 * Detaches a payout account that the provider no longer has, and resets its state. Returns false if the seller has
 * another one by now. Reads in progress began earlier and write nothing.
 */
export async function detachAccount(trx: Db, sellerId: string, accountId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update seller set stripe_account_id = null, connect_status = 'NOT_STARTED', charges_enabled = false,
                      payout_needs = null, provider_reads = provider_reads + 1, connect_read = provider_reads + 1
    where id = ${sellerId} and stripe_account_id = ${accountId}`.execute(trx)
  return numAffectedRows === 1n
}

type SellerBefore = { readonly tier: User['sellerTier']; readonly customerId: string | null }

/** Sets or clears an administrator's grant and locks the seller; returns the previous tier. */
export async function setGrant(trx: Db, sellerId: string, granted: boolean): Promise<SellerBefore> {
  const { rows } = await sql<SellerBefore>`
    update seller set pro_granted_at = case when ${granted} then coalesce(pro_granted_at, now()) end
    where id = ${sellerId}
    returning tier, stripe_customer_id as "customerId"`.execute(trx)
  return onlyRow(rows)
}

export async function setTier(trx: Db, sellerId: string, tier: User['sellerTier']): Promise<void> {
  await sql`update seller set tier = ${tier} where id = ${sellerId}`.execute(trx)
}

/** The seller of a customer or a payout account, or undefined. */
export async function findSellerOf(db: Db, subject: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from seller where stripe_customer_id = ${subject}
    union all select id from seller where stripe_account_id = ${subject}`.execute(db)
  return rows[0]?.id
}

export type ProviderSeller = { readonly id: string; readonly slug: string }

type SellerPage = { after: string; limit: number; dueAt: Date | undefined }

/**
 * A page of sellers known to the provider, by id. With `dueAt`, only sellers whose plan was not read for a day, and Pro
 * sellers whose paid period ended over three days ago, who are read every hour until that is settled.
 */
export async function listProviderSellers(
  db: Db,
  { after, limit, dueAt }: SellerPage,
): Promise<ProviderSeller[]> {
  const isDue = sql`
    stripe_customer_id is not null
    and (subscription_id is not null or tier = 'PAID' or exists (
      select from provider_request request
      where request.seller_id = seller.id and request.kind = 'checkout' and request.state = 'open'
    ))
    and (plan_read_at is null or plan_read_at < ${dueAt}::timestamptz - interval '1 day'
         or (tier = 'PAID' and subscription_period_end < ${dueAt}::timestamptz - interval '3 days'
             and plan_read_at < ${dueAt}::timestamptz - interval '50 minutes'))`
  const isKnown = sql`stripe_customer_id is not null or stripe_account_id is not null`
  const { rows } = await sql<ProviderSeller>`
    select id, slug from seller
    where id > ${after} and (${dueAt === undefined ? isKnown : isDue})
    order by id limit ${limit}`.execute(db)
  return rows
}
