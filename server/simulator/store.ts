import type { Pool } from 'pg'
import { type Db, draw, type Work } from './simulator.ts'
import {
  API_VERSION,
  type BalanceTransaction,
  type Event,
  type EventType,
  type HostedPage,
  type Kind,
  newId,
  newToken,
  type Stored,
} from './stripe-objects.ts'

/*
 * The simulator's data, in its own schema next to the marketplace's; neither reads the other's. It is created at
 * startup and contains only test payments.
 */
const TABLES = `
  create schema if not exists stripe_simulator;

  -- Objects as the API returns them. json, not jsonb: it keeps the order of the fields.
  create table if not exists stripe_simulator.object (
    id text collate "C" primary key,
    kind text not null,
    -- The customer it belongs to, if any.
    owner text collate "C",
    place bigint generated always as identity,
    body json not null
  );
  create index if not exists object_by_kind on stripe_simulator.object (kind, place);
  create index if not exists object_by_owner on stripe_simulator.object (owner, kind, place);
  -- When something happens to it by itself: milliseconds of the simulator's clock.
  alter table stripe_simulator.object add column if not exists next_at bigint;
  -- Of a balance transaction: the automatic payout that it is part of.
  alter table stripe_simulator.object add column if not exists payout text collate "C";
  create index if not exists object_by_payout on stripe_simulator.object (payout) where payout is not null;
  create index if not exists object_due on stripe_simulator.object (next_at) where next_at is not null;
  -- Of balance transactions: cents, and the second from which on they are available. Sums read them from the index alone.
  alter table stripe_simulator.object add column if not exists net bigint;
  alter table stripe_simulator.object add column if not exists available_on bigint;
  create index if not exists object_balance on stripe_simulator.object (owner, available_on) include (net)
    where net is not null;
  create index if not exists object_by_intent on stripe_simulator.object ((body->>'payment_intent'), kind)
    where body->>'payment_intent' is not null;
  create index if not exists object_by_group on stripe_simulator.object ((body->>'transfer_group'), kind)
    where body->>'transfer_group' is not null;
  create index if not exists object_by_source on stripe_simulator.object ((body->>'source'))
    where kind = 'balance_transaction';

  -- Replies to requests that came with an Idempotency-Key.
  create table if not exists stripe_simulator.answer (
    idempotency_key text collate "C" primary key,
    fingerprint text not null,
    body text not null,
    made_at timestamptz not null
  );
  -- Of an earlier version.
  alter table stripe_simulator.answer drop column if exists request_id, drop column if exists status;

  -- Webhooks to send, in this order.
  create table if not exists stripe_simulator.delivery (
    id bigint generated always as identity primary key,
    event_id text collate "C" not null references stripe_simulator.object,
    due_at timestamptz not null,
    held boolean not null,
    attempts integer not null default 0,
    done_at timestamptz,
    outcome text
  );
  create index if not exists delivery_open on stripe_simulator.delivery (due_at, id) where done_at is null;
`

// An arbitrary number: keeps two simulators that start at once from creating the tables twice.
const CREATING_TABLES = 7_305_112

export async function createTables(pool: Pool): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_advisory_xact_lock($1)', [CREATING_TABLES])
    await client.query(TABLES)
    await client.query('commit')
  } finally {
    // Also ends a transaction that failed: the connection is not used again.
    client.release(true)
  }
}

export async function insertObject<K extends Kind>(
  db: Db,
  body: Stored[K],
  owner: string | null = null,
): Promise<void> {
  await db.query('insert into stripe_simulator.object (id, kind, owner, body) values ($1, $2, $3, $4)', [
    body.id,
    body.object,
    owner,
    JSON.stringify(body),
  ])
}

export async function insertTransaction(db: Db, body: BalanceTransaction, owner: string): Promise<void> {
  await db.query(
    `insert into stripe_simulator.object (id, kind, owner, body, net, available_on)
     values ($1, $2, $3, $4, $5, $6)`,
    [body.id, body.object, owner, JSON.stringify(body), body.net, body.available_on],
  )
}

export async function updateObject(db: Db, body: Stored[Kind]): Promise<void> {
  await db.query('update stripe_simulator.object set body = $2 where id = $1', [
    body.id,
    JSON.stringify(body),
  ])
}

/** The object with this id, whatever it is. */
export async function findAny(db: Db, id: string): Promise<Stored[Kind] | undefined> {
  const { rows } = await db.query<{ body: Stored[Kind] }>(
    'select body from stripe_simulator.object where id = $1',
    [id],
  )
  return rows[0]?.body
}

export async function findOwner(db: Db, id: string): Promise<string | undefined> {
  const { rows } = await db.query<{ owner: string | null }>(
    'select owner from stripe_simulator.object where id = $1',
    [id],
  )
  return rows[0]?.owner ?? undefined
}

/** Sets when something happens to an object by itself. */
export async function setDue(db: Db, id: string, dueAtMs: number | null): Promise<void> {
  await db.query('update stripe_simulator.object set next_at = $2 where id = $1', [id, dueAtMs])
}

export async function listDue(db: Db, nowMs: number): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    'select id from stripe_simulator.object where next_at <= $1 order by next_at, place limit 50',
    [nowMs],
  )
  return rows.map(({ id }) => id)
}

/** Locks an object, when another transaction at it has ended; returns it if it is still due, which it is not after that. */
export async function takeDue(
  db: Db,
  id: string,
  nowMs: number,
): Promise<{ object: Stored[Kind]; atMs: number } | undefined> {
  const { rows } = await db.query<{ body: Stored[Kind]; at: string }>(
    `with due as (
       select id, next_at from stripe_simulator.object where id = $1 and next_at <= $2 for update
     )
     update stripe_simulator.object set next_at = null from due where object.id = due.id
     returning body, due.next_at as at`,
    [id, nowMs],
  )
  const [row] = rows
  return row && { object: row.body, atMs: Number(row.at) }
}

/** Milliseconds of the simulator's clock at which the next thing is due. */
export async function nextDue(db: Db): Promise<number | undefined> {
  const { rows } = await db.query<{ at: string | null }>(
    'select min(next_at) as at from stripe_simulator.object where next_at is not null',
  )
  return rows[0]?.at == null ? undefined : Number(rows[0].at)
}

export async function findObject<K extends Kind>(
  db: Db,
  kind: K,
  id: string,
  lock: '' | 'for update' = '',
): Promise<Stored[K] | undefined> {
  const { rows } = await db.query<{ body: Stored[K] }>(
    `select body from stripe_simulator.object where kind = $1 and id = $2 ${lock}`,
    [kind, id],
  )
  return rows[0]?.body
}

/** Locks the object until this transaction ends. */
export const lockObject = <K extends Kind>(db: Db, kind: K, id: string) =>
  findObject(db, kind, id, 'for update')

/** Fields that lists can be filtered by. */
type Field =
  | 'charge'
  | 'destination'
  | 'id'
  | 'payment_intent'
  | 'source'
  | 'status'
  | 'transfer'
  | 'transfer_group'

type Bound = number | undefined

type Range = number | { gt?: Bound; gte?: Bound; lt?: Bound; lte?: Bound }

export type Filter<K extends Kind> = {
  readonly kind: K
  readonly owner?: string | undefined
  /** Only events of this type. */
  readonly type?: string | undefined
  /** Only balance transactions of this automatic payout. */
  readonly payout?: string | undefined
  /** Only those with these values in their fields. */
  readonly where?: Readonly<Partial<Record<Field, string | undefined>>>
  readonly created?: Range | undefined
  /** The id of the last one already seen. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Newest first, as in all of Stripe's lists; one more than the limit if there are more. */
export async function listObjects<K extends Kind>(db: Db, filter: Filter<K>): Promise<Stored[K][]> {
  const values: unknown[] = [
    filter.kind,
    filter.owner ?? null,
    filter.type ?? null,
    filter.after ?? null,
    filter.limit + 1,
    filter.payout ?? null,
  ]
  // Written out, so that the indexes on these fields are used.
  const conditions = Object.entries(filter.where ?? {}).flatMap(([field, value]) =>
    value === undefined ? [] : [`and body->>'${field}' = $${values.push(value)}`],
  )
  for (const [operator, at] of comparisonsOf(filter.created)) {
    conditions.push(`and (body->>'created')::bigint ${operator} $${values.push(at)}`)
  }
  const { rows } = await db.query<{ body: Stored[K] }>(
    `select body from stripe_simulator.object
     where kind = $1
       and ($2::text is null or owner = $2)
       and ($3::text is null or body->>'type' = $3)
       and ($6::text is null or payout = $6)
       and ($4::text is null or place < (select place from stripe_simulator.object where id = $4))
       ${conditions.join('\n')}
     order by place desc
     limit $5`,
    values,
  )
  return rows.map(({ body }) => body)
}

function comparisonsOf(range: Range | undefined): [operator: string, at: number][] {
  if (range === undefined) return []
  if (typeof range === 'number') return [['=', range]]
  const operators = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const
  return Object.entries(operators).flatMap(([name, operator]): [string, number][] => {
    const at = range[name as keyof typeof operators]
    return at === undefined ? [] : [[operator, at]]
  })
}

type NewPage = Pick<HostedPage, 'subject'> & Partial<Pick<HostedPage, 'return_url' | 'refresh_url'>>

/** Stores a page that works for some seconds and returns its path. */
export async function insertPage(
  { db, now }: Work,
  path: HostedPage['path'],
  { seconds, ...page }: NewPage & { readonly seconds: number },
): Promise<string> {
  const id = newToken()
  const times = { created: now, expires_at: now + seconds }
  const row = { return_url: null, refresh_url: null, ...page, ...times, id, path, used: false }
  await insertObject(db, { ...row, object: 'page' })
  return `/${path}/${id}`
}

/** The sums of an account's balance transactions in cents: of those that are available by now, and of the others. */
export async function sumTransactions(
  db: Db,
  owner: string,
  now: number,
): Promise<{ available: number; pending: number }> {
  const { rows } = await db.query<{ available: number; pending: number }>(
    `select coalesce(sum(net) filter (where available_on <= $2), 0)::float8 as available,
            coalesce(sum(net) filter (where available_on > $2), 0)::float8 as pending
     from stripe_simulator.object where owner = $1 and net is not null`,
    [owner, now],
  )
  return rows[0] ?? { available: 0, pending: 0 }
}

/** An automatic payout takes all that is available and was in none before. */
export async function assignToPayout(db: Db, owner: string, payout: string, now: number): Promise<void> {
  await db.query(
    `update stripe_simulator.object set payout = $2
     where owner = $1 and kind = 'balance_transaction' and payout is null and available_on <= $3`,
    [owner, payout, now],
  )
}

/** When the next of the platform's pending money is available, in seconds. */
export async function findNextAvailable(db: Db, owner: string, now: number): Promise<number | undefined> {
  const { rows } = await db.query<{ at: number | null }>(
    `select min(available_on)::float8 as at from stripe_simulator.object
     where owner = $1 and net is not null and available_on > $2`,
    [owner, now],
  )
  return rows[0]?.at ?? undefined
}

/** Stores an event and queues its webhook, which is sent after the commit. */
export async function recordEvent(
  { db, now, simulator }: Work,
  type: EventType,
  object: Stored[Kind],
  account = object.object === 'account' ? object.id : undefined,
): Promise<void> {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    ...(account !== undefined && { account }),
    api_version: API_VERSION,
    created: now,
    data: { object },
    livemode: false,
    type,
  }
  await insertObject(db, event)
  const { hold, seed, double, shuffle, shuffleMs, drop } = simulator.behavior.webhooks
  simulator.eventsDrawn += 1
  const drawn = (what: string) => draw(`${seed} ${simulator.eventsDrawn} ${what}`)
  const isDropped = drawn('drop') < drop
  const times = !isDropped && drawn('double') < double ? 2 : 1
  for (let time = 1; time <= times; time += 1) {
    const lateMs = drawn(`shuffle ${time}`) < shuffle ? Math.ceil(drawn(`late ${time}`) * shuffleMs) : 0
    await insertDelivery(db, event.id, { held: hold, lateMs, isDropped })
  }
}

/** Changes an object and records the event that Stripe sends for it. */
export async function changeObject<Kept extends Stored[Kind]>(
  work: Work,
  object: Kept,
  change: { readonly fields: Partial<Kept>; readonly type: EventType; readonly account?: string },
): Promise<Kept> {
  const changed: Kept = { ...object, ...change.fields }
  await updateObject(work.db, changed)
  await recordEvent(work, change.type, changed, change.account)
  return changed
}

/** Waits while another transaction has this key: an Idempotency-Key, or an account whose balance is read. */
export async function lockKey(db: Db, key: string): Promise<void> {
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [key])
}

type StoredReply = { readonly fingerprint: string; readonly body: string }

export async function findReply(db: Db, key: string): Promise<StoredReply | undefined> {
  const { rows } = await db.query<StoredReply>(
    'select fingerprint, body from stripe_simulator.answer where idempotency_key = $1',
    [key],
  )
  return rows[0]
}

export async function insertReply(db: Db, key: string, { fingerprint, body }: StoredReply): Promise<void> {
  await db.query(
    `insert into stripe_simulator.answer (idempotency_key, fingerprint, body, made_at) values ($1, $2, $3, now())`,
    [key, fingerprint, body],
  )
}

export type Delivery = { readonly id: string; readonly attempts: number; readonly event: Event }

async function insertDelivery(
  db: Db,
  eventId: string,
  { held, lateMs, isDropped }: { held: boolean; lateMs: number; isDropped: boolean },
): Promise<void> {
  await db.query(
    `insert into stripe_simulator.delivery (event_id, due_at, held, done_at, outcome)
     values ($1, now() + $3::float8 * interval '1 ms', $2,
             case when $4::boolean then now() end, case when $4::boolean then 'dropped' end)`,
    [eventId, held, lateMs, isDropped],
  )
}

/** The oldest that is due. */
export async function findDueDelivery(db: Db): Promise<Delivery | undefined> {
  const { rows } = await db.query<Delivery>(
    `select delivery.id::text, attempts, body as event
     from stripe_simulator.delivery join stripe_simulator.object on object.id = event_id
     where done_at is null and not held and due_at <= now()
     order by due_at, delivery.id
     limit 1`,
  )
  return rows[0]
}

/**
 * Lists events that a receiver rejected and has not accepted since, newest first; one more than the limit if there are
 * more.
 */
export async function listFailedEvents(db: Db, limit: number): Promise<Event[]> {
  const { rows } = await db.query<{ body: Event }>(
    `select body from stripe_simulator.delivery join stripe_simulator.object on object.id = event_id
     where done_at is null and attempts > 0
     order by delivery.id desc
     limit $1`,
    [limit + 1],
  )
  return rows.map(({ body }) => body)
}

/** Milliseconds until the next is due, or undefined if none waits. */
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

export async function releaseHeldDeliveries(db: Db): Promise<number> {
  const { rowCount } = await db.query(
    'update stripe_simulator.delivery set held = false where done_at is null and held',
  )
  return rowCount ?? 0
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

/** Stripe also forgets keys after 24 hours and events after 30 days. */
export async function deleteOld(db: Db): Promise<void> {
  await db.query(`delete from stripe_simulator.answer where made_at < now() - interval '24 hours'`)
  await db.query(
    `with old as (
       select id from stripe_simulator.object
       where kind in ('event', 'page') and (body->>'created')::bigint < extract(epoch from now() - interval '30 days')
     ), unsent as (
       delete from stripe_simulator.delivery using old where event_id = old.id
     )
     delete from stripe_simulator.object using old where object.id = old.id`,
  )
}
