import type { Event } from '#server/simulator/objects/stripe-objects.ts'
import type { Db } from './object-queries.ts'

export type Delivery = { readonly id: string; readonly attempts: number; readonly event: Event }

type NewDelivery = { readonly eventId: string; readonly dueAt: Date; readonly held: boolean }

export async function insertDelivery(db: Db, { eventId, dueAt, held }: NewDelivery): Promise<void> {
  await db.query('insert into stripe_simulator.delivery (event_id, due_at, held) values ($1, $2, $3)', [
    eventId,
    dueAt,
    held,
  ])
}

/** The next that is due: the oldest, or any of them. */
export async function findDueDelivery(db: Db, shuffle: boolean): Promise<Delivery | undefined> {
  const { rows } = await db.query<Delivery>(
    `select delivery.id::text, attempts, body as event
     from stripe_simulator.delivery join stripe_simulator.object on object.id = event_id
     where done_at is null and not held and due_at <= now()
     order by case when $1::boolean then random() end, delivery.id
     limit 1`,
    [shuffle],
  )
  return rows[0]
}

/** How long until one is due; undefined when none waits. */
export async function nextDeliveryInMs(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select extract(epoch from min(due_at) - now())::float8 * 1000 as ms
     from stripe_simulator.delivery where done_at is null and not held`,
  )
  return rows[0]?.ms ?? undefined
}

export async function finishDelivery(db: Db, id: string, outcome: string): Promise<void> {
  await db.query(
    `update stripe_simulator.delivery
     set done_at = now(), attempts = attempts + 1, outcome = $2 where id = $1`,
    [id, outcome],
  )
}

export async function postponeDelivery(db: Db, id: string, given: { ms: number; outcome: string }) {
  await db.query(
    `update stripe_simulator.delivery
     set attempts = attempts + 1, outcome = $3, due_at = now() + $2::float8 * interval '1 ms'
     where id = $1`,
    [id, given.ms, given.outcome],
  )
}

/** Lets go what was held back, in its order. */
export async function releaseHeldDeliveries(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    'update stripe_simulator.delivery set held = false, due_at = now() where done_at is null and held',
  )
  return rowCount ?? 0
}

/** Drops what was held back of an event that is sent in another way. */
export async function dropHeldDeliveries(db: Db, eventIds: readonly string[]): Promise<void> {
  await db.query(
    `update stripe_simulator.delivery set done_at = now(), outcome = 'sent in the order asked for'
     where done_at is null and held and event_id = any($1)`,
    [eventIds],
  )
}

export async function countDeliveries(db: Db): Promise<{ waiting: number; held: number; done: number }> {
  const { rows } = await db.query<{ waiting: number; held: number; done: number }>(
    `select count(*) filter (where done_at is null and not held)::integer as waiting,
            count(*) filter (where done_at is null and held)::integer as held,
            count(*) filter (where done_at is not null)::integer as done
     from stripe_simulator.delivery`,
  )
  return rows[0] ?? { waiting: 0, held: 0, done: 0 }
}

/** Stripe forgets what happened after 30 days as well. */
export async function deleteOldEvents(db: Db, now: number): Promise<void> {
  await db.query(
    `with sent as (
       delete from stripe_simulator.delivery using stripe_simulator.object
       where object.id = event_id and done_at is not null and (body->>'created')::bigint < $1
     )
     delete from stripe_simulator.object
     where kind = 'event' and (body->>'created')::bigint < $1
       and not exists (
         select from stripe_simulator.delivery where event_id = object.id and done_at is null
       )`,
    [now - 30 * 24 * 3600],
  )
}
