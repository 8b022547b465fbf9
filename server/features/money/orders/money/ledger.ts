import { sql } from 'kysely'
import type { LedgerAccount } from '#contract/order/money/ledger.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'

/* The journal of the marketplace's money. Entries of one step add up to zero, refer to one object of the provider, and are written once. */

export type Posting = {
  orderId: string
  at: Date
  /** The step: "captured", "fee", "refund asked". */
  why: string
  /** The id of the provider's object, or of our own row for steps that the provider does not see. */
  providerId: string
  /** Cents by account, with the signs of `contract/order/money/ledger.ts`. */
  amounts: Partial<Record<LedgerAccount, number>>
}

/** Writes a step's entries, unless it is written already. Throws if they do not add up to zero. */
export async function post(trx: Db, { orderId, at, why, providerId, amounts }: Posting): Promise<void> {
  const entries = Object.entries(amounts).filter(([, cents]) => cents !== 0)
  const sum = entries.reduce((total, [, cents]) => total + cents, 0)
  if (sum !== 0) throw new Error(`the entries of ${why} ${providerId} add up to ${sum}`)
  for (const [account, cents] of entries) {
    await sql`
      insert into ledger_entry (order_id, account, amount_cents, at, why, provider_id)
      values (${orderId}, ${account}, ${cents}, ${at}, ${why}, ${providerId})
      on conflict (provider_id, why, account) do nothing`.execute(trx)
  }
  // The sweep of releases looks at it again, whoever changed it.
  if ((amounts.held ?? 0) !== 0) {
    await sql`update part_order set to_release = true where id = ${orderId} and not to_release`.execute(trx)
  }
}

/** An account's balance of an order, with the ledger's sign. */
export async function balanceOf(db: Db, orderId: string, account: LedgerAccount): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::float8 as cents from ledger_entry
    where order_id = ${orderId} and account = ${account}`.execute(db)
  return onlyRow(rows).cents
}

/** What a yard owes us: of refunds after the money was transferred and could not be taken back. */
export async function debtOf(db: Db, sellerId: string): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(e.amount_cents), 0)::float8 as cents
    from ledger_entry e join part_order o on o.id = e.order_id
    where e.account = 'seller-debt' and o.seller_id = ${sellerId}`.execute(db)
  return onlyRow(rows).cents
}

export type LedgerRow = { account: LedgerAccount; cents: number; at: Date; why: string; providerId: string }

export async function readLedger(db: Db, orderId: string): Promise<LedgerRow[]> {
  const { rows } = await sql<LedgerRow>`
    select account, amount_cents::float8 as cents, at, why, provider_id as "providerId"
    from ledger_entry where order_id = ${orderId} order by id`.execute(db)
  return rows
}

/** What an order has in each account, in cents with the signs of the ledger. */
export async function readBalances(db: Db, orderId: string): Promise<Partial<Record<LedgerAccount, number>>> {
  const balances: Partial<Record<LedgerAccount, number>> = {}
  for (const { account, cents } of await readLedger(db, orderId))
    balances[account] = (balances[account] ?? 0) + cents
  return balances
}

/** A debt for what we paid the provider, not for money of the order. */
export const FEE_OF_YARD = 'dispute fee of the yard'

/** An order's money that does not add up. */
export type LedgerProblem = { order: string; problem: string }

// Enough to see what is wrong.
const MOST_PROBLEMS = 50

/**
 * What must hold of every order's entries, as the queries of `payments doctor`: (b) an ended order holds no money, unless a
 * refund waits or its money moves right now (what moves too late is another check), and a closed one only the money of an open
 * core; (c) what was captured is somewhere, or went back by refund or dispute; never more than that is transferred; and every
 * step adds up to zero.
 */
export async function findLedgerProblems(db: Db): Promise<LedgerProblem[]> {
  const { rows } = await sql<LedgerProblem>`
    with balance as (
      select order_id, coalesce(sum(amount_cents), 0) as all_cents,
             coalesce(sum(amount_cents) filter (where account = 'held'), 0) as held,
             coalesce(sum(amount_cents) filter (where account = 'core'), 0) as core,
             coalesce(sum(amount_cents) filter (where account = 'refunds-due'), 0) as due,
             coalesce(sum(-amount_cents) filter (where account in ('held', 'royalty', 'refunds-due', 'core', 'tax', 'dispute')), 0)
             - coalesce(sum(amount_cents) filter (where account = 'seller-debt' and why <> ${FEE_OF_YARD}), 0) as somewhere
      from ledger_entry where order_id is not null group by order_id
    ), paid as (
      select order_id, sum(cents - reversed_cents) as transferred from order_transfer group by order_id
    ), moving as (
      select order_id from order_step where state = 'wanted' and kind in ('transfer', 'reverse')
      union select order_id from order_refund where state in ('requested', 'pending')
      union select t.order_id from order_transfer t join part_order u on u.id = t.order_id where u.to_release
    )
    select number as order, problem from part_order o left join balance b on b.order_id = o.id
    left join lateral (select coalesce((select transferred from paid where order_id = o.id), 0) as cents) transferred on true
    left join lateral (select coalesce(sum(taken_cents), 0) as cents from order_dispute d where d.order_id = o.id) taken on true
    left join lateral (
      select coalesce(b.somewhere, 0) + o.refunded_cents + taken.cents + transferred.cents as cents
    ) found_cents on true
    cross join lateral (values
      (case when b.all_cents <> 0 then 'the entries add up to ' || b.all_cents end),
      (case when o.state in ('refunded', 'canceled', 'expired', 'not-found') and (b.held <> 0 or b.core <> 0 or b.due <> 0)
              and not exists (select from order_refund r where r.order_id = o.id and r.state <> 'succeeded')
              and o.id not in (select order_id from moving)
            then 'ended with money held' end),
      (case when o.state = 'closed' and not o.disputed and o.held_at is null and o.open_returns = 0
              and (b.held <> 0 or b.due <> 0 or (b.core <> 0 and o.core_state is distinct from 'open'))
              and o.id not in (select order_id from moving)
            then 'closed with money held' end),
      (case when found_cents.cents <> o.captured_cents
            then 'captured ' || o.captured_cents || ', accounted for ' || found_cents.cents end),
      (case when transferred.cents > o.captured_cents - o.refunded_cents and o.id not in (select order_id from moving)
              and not exists (select from ledger_entry e where e.order_id = o.id and e.account = 'seller-debt')
            then 'transferred ' || transferred.cents || ' of ' || o.captured_cents - o.refunded_cents end)
    ) found(problem)
    where problem is not null order by o.id limit ${MOST_PROBLEMS}`.execute(db)
  return rows
}
