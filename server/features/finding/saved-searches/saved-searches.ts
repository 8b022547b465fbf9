import { sql } from 'kysely'
import type { Frequency } from '#contract/search/saved-searches.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Conditions } from './conditions.ts'

/*
 * Saved searches. An owner is an account or just an email address. A search needs its owner's confirmation unless a
 * signed-in person saved it for the account's confirmed address.
 */

/** Enough for someone who restores several cars, too few to fill a mailbox. */
const MOST_SEARCHES = 20

export type SavedSearch = {
  id: string
  title: string
  query: string
  frequency: Frequency
  createdAt: Date
  mailedAt: Date | null
}

/** An owner whose row is locked until the transaction ends. */
export type Owner = { id: string; manageKey: string }

/** Locks the owner for an account or address; creates it if missing. */
export async function lockOwner(trx: Db, who: { userId: string } | { email: string }): Promise<Owner> {
  const [column, value] = 'userId' in who ? ['user_id', who.userId] : ['email', who.email]
  const { rows } = await sql<Owner>`
    insert into saved_search_owner as o (${sql.ref(column)}) values (${value})
    on conflict (${sql.ref(column)}) do update set created_at = o.created_at
    returning id, manage_key as "manageKey"
  `.execute(trx)
  return onlyRow(rows)
}

type StoredSearch = {
  owner: Owner
  conditions: Conditions
  frequency: Frequency
  /** Null until the owner confirms it. */
  confirmedAt: Date | null
  now: Date
}

/**
 * Stores a search, or changes the email frequency of the owner's same search. A stranger may have asked, so an
 * unconfirmed search does not change a confirmed one, unless that one is off: then it needs a new confirmation.
 */
export async function storeSearch(trx: Db, stored: StoredSearch): Promise<void> {
  const { owner, conditions, frequency, confirmedAt, now } = stored
  const { rows } = await sql<{ id: string; isOurs: boolean }>`
    select id, ${confirmedAt !== null} or confirmed_at is null or frequency = 'off' as "isOurs"
    from saved_search where owner_id = ${owner.id} and query = ${conditions.query}
  `.execute(trx)
  const [known] = rows
  if (!known) await insertSearch(trx, stored)
  if (!known?.isOurs) return
  await sql`
    update saved_search set frequency = ${frequency}, confirmed_at = ${confirmedAt}, changed_at = ${now}
    where id = ${known.id}
  `.execute(trx)
}

async function insertSearch(trx: Db, stored: StoredSearch): Promise<void> {
  const { owner, conditions, frequency, confirmedAt, now } = stored
  const row = {
    ...conditions.columns,
    owner_id: owner.id,
    frequency,
    confirmed_at: confirmedAt,
    changed_at: now,
  }
  const names = Object.keys(row)
  const { rows } = await sql<{ id: string }>`
    insert into saved_search (${sql.join(names.map((name) => sql.ref(name)))})
    select ${sql.join(names.map((name) => sql.ref(`r.${name}`)))}
    from jsonb_populate_record(null::saved_search, ${JSON.stringify(row)}::jsonb) r
    returning id
  `.execute(trx)
  await setKeys(trx, [{ id: onlyRow(rows).id, keys: conditions.keys }])
  await requireCapacity(trx, owner)
}

/** Replaces the keys of searches. */
export async function setKeys(
  trx: Db,
  searches: readonly { id: string; keys: readonly string[] }[],
): Promise<void> {
  const pairs = searches.flatMap(({ id, keys }) => keys.map((key) => ({ id, key })))
  await sql`delete from saved_search_key where search_id = any(${searches.map(({ id }) => id)}::uuid[])`.execute(
    trx,
  )
  await sql`
    insert into saved_search_key (key, search_id)
    select hashtextextended(key, 0), id
    from unnest(${pairs.map(({ key }) => key)}::text[], ${pairs.map(({ id }) => id)}::uuid[]) as t(key, id)
    on conflict do nothing
  `.execute(trx)
}

/** @throws AppError VALIDATION_FAILED if the owner has confirmed too many */
export async function requireCapacity(trx: Db, owner: Owner): Promise<void> {
  const { rows } = await sql<{ count: number }>`
    select count(*) from saved_search where owner_id = ${owner.id} and confirmed_at is not null
  `.execute(trx)
  if (onlyRow(rows).count <= MOST_SEARCHES) return
  const sentence = `You have ${MOST_SEARCHES} saved searches, which is the limit. Delete one first.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { query: sentence } })
}

/** Searches of some owners, newest first. */
export async function listSearches(
  db: Db,
  ownerIds: readonly string[],
  { confirmed }: { confirmed: boolean },
): Promise<SavedSearch[]> {
  const { rows } = await sql<SavedSearch>`
    select id, title, query, frequency, created_at as "createdAt", mailed_at as "mailedAt"
    from saved_search
    where owner_id = any(${[...ownerIds]}::uuid[]) and (confirmed_at is not null) = ${confirmed}
    order by id desc
  `.execute(db)
  return rows
}

/** Who manages searches: a holder of the key from an email, or the signed-in person. */
export type Manager = { key: string | undefined; actor: Actor | undefined }

/**
 * Returns the owners whose searches someone may manage, and their address. An account also manages searches saved for
 * its confirmed address.
 * @throws AppError LINK_EXPIRED, SIGNED_OUT
 */
export async function getManaged(
  db: Db,
  { key, actor }: Manager,
): Promise<{ email: string; ownerIds: string[] }> {
  if (key === undefined && !actor) {
    throw new AppError('SIGNED_OUT', 'Sign in, or open the link in one of our emails.')
  }
  const { rows } = await sql<{ id: string; email: string }>`
    select o.id, coalesce(o.email, u.email)::text as email
    from saved_search_owner o left join app_user u on u.id = o.user_id
    where ${
      key === undefined
        ? sql`o.user_id = ${actor?.userId} or (o.email = ${actor?.emailConfirmed ? actor.email : null}::citext)`
        : sql`o.manage_key = ${key}`
    }
  `.execute(db)
  const email = actor && key === undefined ? actor.email : rows[0]?.email
  if (email === undefined) {
    throw new AppError('LINK_EXPIRED', 'This link is incomplete. Open it again from the email.')
  }
  return { email, ownerIds: rows.map(({ id }) => id) }
}

type Change = {
  ownerIds: readonly string[]
  /** Undefined for all of them. */
  id: string | undefined
  frequency: Frequency
  now: Date
}

/**
 * Sets how often a search sends email. Pausing a search drops its found parts; it starts over when resumed.
 * @throws AppError NOT_FOUND
 */
export function changeSearches(db: Db, { ownerIds, id, frequency, now }: Change): Promise<void> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ id: string }>`
      update saved_search
      set frequency = ${frequency}, changed_at = ${now},
          waiting = case when ${frequency} = 'off' then 0 else waiting end,
          waiting_since = case when ${frequency} <> 'off' then waiting_since end
      where owner_id = any(${[...ownerIds]}::uuid[]) and confirmed_at is not null and ${id === undefined ? sql`true` : sql`id = ${id}`}
      returning id
    `.execute(trx)
    if (rows.length === 0 && id !== undefined) throw searchNotFound()
    if (frequency !== 'off') return
    await sql`
      delete from saved_search_hit where search_id = any(${rows.map((row) => row.id)}::uuid[]) and mailed_at is null
    `.execute(trx)
  })
}

/** @throws AppError NOT_FOUND */
export async function removeSearch(db: Db, ownerIds: readonly string[], id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from saved_search where id = ${id} and owner_id = any(${[...ownerIds]}::uuid[])
  `.execute(db)
  if (!numAffectedRows) throw searchNotFound()
}

const searchNotFound = () => new AppError('NOT_FOUND', 'This saved search was deleted.')

/** Turns off all searches of the owner with this unsubscribe key; false if there is no such owner. */
export async function stopSearches(db: Db, stopKey: string, now: Date): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select id from saved_search_owner where stop_key = ${stopKey}
  `.execute(db)
  const ownerIds = rows.map(({ id }) => id)
  await changeSearches(db, { ownerIds, id: undefined, frequency: 'off', now })
  return ownerIds.length > 0
}
