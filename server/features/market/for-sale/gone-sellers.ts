import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { noteChange } from './tally.ts'

/*
 * Sellers who are gone: the account of every member is disabled or closed. Nothing of theirs is for sale or has a
 * page, but their data stays unchanged. A seller without members is not gone.
 */

/** Tells the buyers of a gone seller's open conversations (`leads/gone-mails.ts`). */
export const mailGoneQueue: JobQueue<{ sellerId: string }> = {
  name: 'mail-gone',
  title: 'Tell buyers that a seller is gone',
  payload: z.object({ sellerId: z.uuid() }).strict(),
  maxAttempts: 5,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 3_600,
  concurrency: 1,
}

/** Ends what is not confirmed of a gone seller's orders, and holds the rest (`orders/let-go.ts`). */
export const goneOrdersQueue: JobQueue<{ sellerId: string }> = {
  name: 'gone-orders',
  title: 'Settle the orders of a seller who is gone',
  payload: z.object({ sellerId: z.uuid() }).strict(),
  maxAttempts: 10,
  retryDelaySeconds: 30,
  resumable: true,
  timeoutSeconds: 600,
  concurrency: 1,
}

/**
 * Updates which sellers are gone, in the transaction that disabled, enabled, closed or reopened a person's account.
 * Without a person, for all sellers: a process of an earlier version changes accounts without it.
 */
export async function settleGoneSellers(trx: Db, personId?: string): Promise<void> {
  const chosen =
    personId === undefined
      ? ofAnybodyGone
      : sql`select seller_id from seller_member where user_id = ${personId}`
  // Of two members who are disabled at once, the second sees the first.
  await sql`select from seller where id in (${chosen}) order by id for no key update`.execute(trx)
  const { rows } = await sql<{ back: boolean; gone: string[] }>`
    with state as materialized (
      select c.seller_id, ${stateOf(sql`c.seller_id`)} as state from (${chosen}) c
    ), back as (
      delete from gone_seller g using state s where g.seller_id = s.seller_id and s.state is null returning g.seller_id
    ), gone as (
      insert into gone_seller as g (seller_id, state) select seller_id, state from state where state is not null
      on conflict (seller_id) do update set state = excluded.state where g.state <> excluded.state
      returning seller_id
    )
    select exists (select from back) as back, array(select seller_id from gone order by seller_id) as gone
  `.execute(trx)
  const { back = false, gone = [] } = rows[0] ?? {}
  if (back || gone.length > 0) await noteChange(trx)
  for (const sellerId of gone) {
    await enqueueJob(trx, { queue: mailGoneQueue, payload: { sellerId } })
    await enqueueJob(trx, { queue: goneOrdersQueue, payload: { sellerId } })
  }
}

const isShut = sql`(
  u.disabled_at is not null
  or exists (select from account_closure c where c.user_id = u.id and c.reopened_at is null))`

/** Sellers whose members cannot sign in, and those already marked as gone. */
const ofAnybodyGone = sql`
  select m.seller_id from seller_member m join app_user u on u.id = m.user_id where ${isShut}
  union
  select seller_id from gone_seller`

/** Null for a seller with a member who can sign in. */
const stateOf = (sellerId: RawBuilder<unknown>) => sql`(
  select case when bool_or(not ${isShut}) then null
              when bool_and(exists (select from account_closure c where c.user_id = u.id and c.reopened_at is null))
              then 'closed' when count(*) > 0 then 'disabled' end
  from seller_member m join app_user u on u.id = m.user_id where m.seller_id = ${sellerId})`
