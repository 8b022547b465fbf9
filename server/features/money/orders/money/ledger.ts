import { sql } from 'kysely'
import type { LedgerAccount } from '#contract/order/ledger.ts'
import type { Db } from '#server/platform/database/database.ts'

/* The journal of the marketplace's money. Entries of one step add up to zero, refer to one object of the provider, and are written once. */

export type Posting = {
  orderId: string
  at: Date
  /** The step: "captured", "fee", "refund asked". */
  why: string
  /** The id of the provider's object, or of our own row for steps that the provider does not see. */
  providerId: string
  /** Cents by account, with the signs of `contract/order/ledger.ts`. */
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
 * refund waits; (c) what was captured is somewhere, or went back by refund or dispute; and every step adds up to zero.
 */
export async function findLedgerProblems(db: Db): Promise<LedgerProblem[]> {
  const { rows } = await sql<LedgerProblem>`
    with balance as (
      select order_id, coalesce(sum(amount_cents), 0) as all_cents,
             coalesce(sum(amount_cents) filter (where account = 'held'), 0) as held,
             coalesce(sum(amount_cents) filter (where account = 'core'), 0) as core,
             coalesce(sum(amount_cents) filter (where account = 'refunds-due'), 0) as due,
             coalesce(sum(-amount_cents) filter (where account in ('held', 'royalty', 'refunds-due', 'core', 'tax', 'dispute')), 0)
               - coalesce(sum(amount_cents) filter (where account = 'seller-debt' and why <> ${FEE_OF_YARD}), 0)
               + coalesce(sum(amount_cents) filter (where account = 'seller-paid'), 0) as somewhere
      from ledger_entry where order_id is not null group by order_id
    )
    select number as order, problem from part_order o left join balance b on b.order_id = o.id
    cross join lateral (select coalesce(sum(taken_cents), 0) as cents from order_dispute d where d.order_id = o.id) taken
    cross join lateral (values
      (case when b.all_cents <> 0 then 'the entries add up to ' || b.all_cents end),
      (case when o.state in ('refunded', 'canceled', 'expired', 'not-found') and (b.held <> 0 or b.core <> 0 or b.due <> 0)
              and not exists (select from order_refund r where r.order_id = o.id and r.state <> 'succeeded')
            then 'ended with money held' end),
      (case when coalesce(b.somewhere, 0) + o.refunded_cents + taken.cents <> o.captured_cents
            then 'captured ' || o.captured_cents || ', accounted for ' || coalesce(b.somewhere, 0) + o.refunded_cents + taken.cents end)
    ) found(problem)
    where problem is not null order by o.id limit ${MOST_PROBLEMS}`.execute(db)
  return rows
}
