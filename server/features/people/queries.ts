import { type RawBuilder, sql } from 'kysely'
import type { Person } from '#contract/admin-people.ts'
import { SESSION_IDLE_MS } from '#server/features/accounts/session.ts'
import { liveListingsOf } from '#server/features/listings/tally-queries.ts'
import type { Db } from '#server/platform/database/database.ts'

export type PeopleFilter = {
  /** Part of a name, an e-mail or a yard's name. */
  q?: string | undefined
  role?: 'admin' | 'seller' | undefined
  tier?: Person['sellerTier'] | undefined
  state?: 'active' | 'disabled' | undefined
}

/** The seller that a person stands for; of several, the one they own. */
const theirSeller = sql`join lateral (
  select seller.* from seller_member m join seller on seller.id = m.seller_id
  where m.user_id = u.id order by m.role = 'owner' desc, seller.id limit 1
) s on true`

function matching({ q = '', role, tier, state }: PeopleFilter): RawBuilder<unknown> {
  const words = `%${q.trim().replaceAll(/[\\%_]/g, '\\$&')}%`
  const asked = [
    q.trim() !== '' && sql`(u.name ilike ${words} or u.email::text ilike ${words} or s.name ilike ${words})`,
    role && sql`u.role = ${role === 'admin' ? 1 : 0}`,
    tier && sql`s.tier = ${tier}`,
    state && (state === 'active' ? sql`u.disabled_at is null` : sql`u.disabled_at is not null`),
  ].filter((condition) => typeof condition === 'object')
  // Only these ask for the seller, which takes a look at each person's membership.
  const seller = q.trim() !== '' || tier ? theirSeller : sql``
  const where = asked.length > 0 ? sql`where ${sql.join(asked, sql` and `)}` : sql``
  return sql`from app_user u ${seller} ${where}`
}

export type PeoplePage = { page: number; perPage: number; now: Date }

/** Newest first. */
export function listPeople(
  db: Db,
  filter: PeopleFilter,
  { page, perPage, now }: PeoplePage,
): Promise<Person[]> {
  const chosen = sql`
    select u.id ${matching(filter)} order by u.id desc limit ${perPage} offset ${(page - 1) * perPage}
  `
  return readPeople(db, chosen, now)
}

export async function countPeople(db: Db, filter: PeopleFilter): Promise<number> {
  const { rows } = await sql<{ total: number }>`select count(*) as total ${matching(filter)}`.execute(db)
  return rows[0]?.total ?? 0
}

export async function findPerson(db: Db, id: string, now: Date): Promise<Person | undefined> {
  const [person] = await readPeople(db, sql`select ${id}::uuid as id`, now)
  return person
}

type Row = Omit<Person, 'createdAt' | 'lastSeenAt' | 'disabledAt'> & {
  createdAt: Date
  lastSeenAt: Date | null
  disabledAt: Date | null
}

async function readPeople(db: Db, chosen: RawBuilder<unknown>, now: Date): Promise<Person[]> {
  const idleSince = new Date(now.getTime() - SESSION_IDLE_MS)
  const { rows } = await sql<Row>`
    select u.id, u.name, u.email::text as email, u.role, u.disabled_at as "disabledAt",
           u.created_at as "createdAt", seen."lastSeenAt", seen.sessions,
           s.id as "sellerId", s.name as "sellerName", s.tier as "sellerTier",
           s.subscription_status as "subscriptionStatus", s.connect_status as "connectStatus",
           s.pro_granted_at is not null as "proGranted", s.trusted,
           ${liveListingsOf(sql.ref('s.id'))} as "activeListings"
    from (${chosen}) chosen
    join app_user u using (id)
    ${theirSeller}
    cross join lateral (
      select max(last_seen_at) as "lastSeenAt",
             count(*) filter (where expires_at > ${now} and last_seen_at > ${idleSince}) as sessions
      from session where user_id = u.id
    ) seen
    order by u.id desc
  `.execute(db)
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt?.toISOString() ?? null,
    disabledAt: row.disabledAt?.toISOString() ?? null,
  }))
}

export type PersonState = { id: string; role: number; disabled: boolean }

/**
 * A person and all who are administrators and can sign in, locked in the order of their ids: of two who take each other's
 * role at once the second waits, and then sees what the first did.
 */
export async function lockWithAdmins(trx: Db, id: string): Promise<PersonState[]> {
  const { rows } = await sql<PersonState>`
    select id, role, disabled_at is not null as disabled from app_user
    where id = ${id} or (role = 1 and disabled_at is null)
    order by id for update
  `.execute(trx)
  return rows
}

export async function setRole(trx: Db, id: string, role: number): Promise<void> {
  await sql`update app_user set role = ${role} where id = ${id}`.execute(trx)
}

export async function setDisabled(trx: Db, id: string, at: Date | null): Promise<void> {
  await sql`update app_user set disabled_at = ${at} where id = ${id}`.execute(trx)
}

export type SellerState = { id: string; proGranted: boolean; trusted: boolean }

export async function lockSellerOf(trx: Db, userId: string): Promise<SellerState | undefined> {
  const { rows } = await sql<SellerState>`
    select id, pro_granted_at is not null as "proGranted", trusted from seller
    where id = (select s.id from app_user u ${theirSeller} where u.id = ${userId})
    for update
  `.execute(trx)
  return rows[0]
}

export async function setTrusted(trx: Db, sellerId: string, trusted: boolean): Promise<void> {
  await sql`update seller set trusted = ${trusted} where id = ${sellerId}`.execute(trx)
}
