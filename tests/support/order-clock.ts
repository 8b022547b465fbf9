import { sql } from 'kysely'
import { expect } from 'vitest'
import { readProviderQueue } from '#server/features/money/billing/events.ts'
import { readOpenOrders, sweepDeadlines } from '#server/features/money/orders/deadlines.ts'
import { readOrderAtProvider } from '#server/features/money/orders/money/provider-steps.ts'
import { orderStepsQueue } from '#server/features/money/orders/money/wanted-steps.ts'
import { sweepReleases } from '#server/features/money/orders/release/sweep.ts'
import { stripeOf } from './payments.ts'
import type { TestSimulator } from './simulator.ts'
import type { TestApp } from './test-app.ts'

/** What the clock does with orders, when a test says so, and what is stored of one. */
export function openOrderClock(app: TestApp) {
  const stripe = stripeOf(app)
  const calls = () => stripe.within(9_000)
  const deps = { db: app.db, site: app.config, files: app.files, now: app.clock.now, calls }
  const run = { signal: new AbortController().signal }
  const rowsOf = async (query: ReturnType<typeof sql>): Promise<unknown[]> =>
    (await query.execute(app.db)).rows

  async function column<T = unknown>(orderId: string, name: string): Promise<T> {
    const { rows } = await sql<{ value: T }>`
      select ${sql.ref(name)} as value from part_order where id = ${orderId}`.execute(app.db)
    if (!rows[0]) throw new Error('there is no such order')
    return rows[0].value
  }

  return {
    deps,
    sweep: () => sweepDeadlines(deps, run),
    release: () => sweepReleases(deps, run),
    readOpen: () => readOpenOrders(deps, run),
    /** As after an event about it. */
    look: (orderId: string) => readOrderAtProvider(deps, orderId, calls()),

    column,

    async kinds(orderId: string): Promise<string[]> {
      const { rows } = await sql<{ kind: string }>`
        select kind from order_event where order_id = ${orderId} order by id`.execute(app.db)
      return rows.map(({ kind }) => kind)
    },

    /** The subjects of the mails about it to an address. */
    async mails(orderId: string, to: string): Promise<string[]> {
      const { rows } = await sql<{ subject: string }>`
        select subject from mail where order_id = ${orderId} and recipient = ${to} order by id`.execute(
        app.db,
      )
      return rows.map(({ subject }) => subject)
    },

    /**
     * Resolves when nothing of a paid order changes by itself any more: the provider has told its fee, which comes a moment
     * after the payment, and the jobs that its events asked for have ended. Only where `startBillingWorker` runs.
     */
    async quiet(orderId: string, simulator: TestSimulator): Promise<void> {
      await expect.poll(() => column(orderId, 'fee_cents')).not.toBeNull()
      await simulator.settled()
      const open = () =>
        rowsOf(sql`
          select queue from job where status in ('queued', 'running', 'retrying') and run_after <= now()
            and queue in (${readProviderQueue.name}, ${orderStepsQueue.name})`)
      await expect.poll(open).toEqual([])
    },

    /** Everything that is stored of it: what is refused changes none of this. */
    async snapshot(orderId: string): Promise<string> {
      const all = await Promise.all([
        rowsOf(sql`select * from part_order where id = ${orderId}`),
        rowsOf(sql`select * from order_line where order_id = ${orderId} order by id`),
        rowsOf(sql`select * from order_event where order_id = ${orderId} order by id`),
        rowsOf(sql`select * from order_step where order_id = ${orderId} order by id`),
        rowsOf(sql`select * from order_refund where order_id = ${orderId} order by id`),
        rowsOf(sql`select * from part_hold where order_id = ${orderId} order by id`),
        rowsOf(sql`select * from ledger_entry where order_id = ${orderId} order by id`),
        rowsOf(sql`select id, subject from mail where order_id = ${orderId} order by id`),
        rowsOf(sql`
          select id, quantity, ended_at, ended_reason, status from listing
          where id in (select listing_id from order_line where order_id = ${orderId})`),
      ])
      return JSON.stringify(all, (_key, value) => (typeof value === 'bigint' ? String(value) : value))
    },
  }
}
