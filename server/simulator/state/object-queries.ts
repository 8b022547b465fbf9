import type { Pool, PoolClient } from 'pg'
import type { KeptObjects, Kind } from '#server/simulator/objects/stripe-objects.ts'

/** The pool, or a connection in a transaction. */
export type Db = Pool | PoolClient

export async function insertObject(db: Db, body: KeptObjects[Kind], owner: string | null): Promise<void> {
  await db.query('insert into stripe_simulator.object (id, kind, owner, body) values ($1, $2, $3, $4)', [
    body.id,
    body.object,
    owner,
    JSON.stringify(body),
  ])
}

export async function updateObject(db: Db, body: KeptObjects[Kind]): Promise<void> {
  await db.query('update stripe_simulator.object set body = $2 where id = $1', [
    body.id,
    JSON.stringify(body),
  ])
}

export async function findObject<K extends Kind>(
  db: Db,
  kind: K,
  id: string,
): Promise<KeptObjects[K] | undefined> {
  const { rows } = await db.query<{ body: KeptObjects[K] }>(
    'select body from stripe_simulator.object where kind = $1 and id = $2',
    [kind, id],
  )
  return rows[0]?.body
}

/** As `findObject`, and nobody else changes it before this transaction ends. */
export async function lockObject<K extends Kind>(
  db: Db,
  kind: K,
  id: string,
): Promise<KeptObjects[K] | undefined> {
  const { rows } = await db.query<{ body: KeptObjects[K] }>(
    'select body from stripe_simulator.object where kind = $1 and id = $2 for update',
    [kind, id],
  )
  return rows[0]?.body
}

/** Of whatever kind. */
export async function findAnyObject(db: Db, id: string): Promise<KeptObjects[Kind] | undefined> {
  const { rows } = await db.query<{ body: KeptObjects[Kind] }>(
    'select body from stripe_simulator.object where id = $1',
    [id],
  )
  return rows[0]?.body
}

export type Wanted<K extends Kind> = {
  readonly kind: K
  readonly owner?: string | undefined
  /** Only those whose status (of an event: whose type) is one of these. */
  readonly states?: readonly string[] | undefined
  /** The id of the last one already seen. */
  readonly after?: string | undefined
  readonly limit: number
}

/** Newest first, as all of Stripe's lists; one more than asked for where there are more. */
export async function listObjects<K extends Kind>(db: Db, wanted: Wanted<K>): Promise<KeptObjects[K][]> {
  const { rows } = await db.query<{ body: KeptObjects[K] }>(
    `select body from stripe_simulator.object
     where kind = $1
       and ($2::text is null or owner = $2)
       and ($3::text[] is null or coalesce(body->>'status', body->>'type') = any($3))
       and ($4::text is null or place < (select place from stripe_simulator.object where id = $4))
     order by place desc
     limit $5`,
    [wanted.kind, wanted.owner ?? null, wanted.states ?? null, wanted.after ?? null, wanted.limit + 1],
  )
  return rows.map(({ body }) => body)
}

/** Checkout sessions that are open past their time. */
export async function lockOverdueSessions(db: Db, now: number): Promise<KeptObjects['checkout.session'][]> {
  const { rows } = await db.query<{ body: KeptObjects['checkout.session'] }>(
    `select body from stripe_simulator.object
     where kind = 'checkout.session' and body->>'status' = 'open' and (body->>'expires_at')::bigint <= $1
     order by place
     for update`,
    [now],
  )
  return rows.map(({ body }) => body)
}
