import { sql } from 'kysely'
import { z } from 'zod'
import type { AuditActor, AuditEntry } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { type LookupKind, nounOf } from './lookup-kind.ts'

/** A change that an admin makes to one lookup. */
export type LookupChange = {
  kind: LookupKind
  id: string
  by: AuditActor
}

/** Who changes a lookup: an admin, or a job that a person or a schedule started. */
export type LookupActor = LookupChange['by'] | { jobId: string; actorUserId: string | undefined }

export const changeSource = ({ kind, by }: { kind: LookupKind; by: LookupActor }, verb: string) => {
  const reason = `${verb} ${nounOf(kind)}`
  if (!('jobId' in by)) {
    const { actorUserId, requestId } = by
    return { actorKind: 'user' as const, actorUserId, requestId, reason }
  }
  const { jobId, actorUserId } = by
  return { actorKind: 'job' as const, jobId, ...(actorUserId !== undefined && { actorUserId }), reason }
}

/** The actor of a lookup change for the audit log. */
export function auditActor(by: LookupActor): Pick<AuditEntry, 'actorUserId' | 'jobId' | 'ip' | 'requestId'> {
  if (!('jobId' in by)) return by
  return { jobId: by.jobId, ...(by.actorUserId !== undefined && { actorUserId: by.actorUserId }) }
}

export const lookupNotFound = (kind: LookupKind): AppError =>
  new AppError('NOT_FOUND', `This ${nounOf(kind)} no longer exists. It was deleted or merged into another.`)

const HOUR = 3_600

/**
 * Updates the listings of a lookup that was renamed or merged, and deletes a merged one.
 */
export const relabelListingsQueue: JobQueue<{ kind: LookupKind; id: string }> = {
  name: 'relabel-listings',
  title: 'Relabel listings',
  payload: z.object({ kind: z.enum(['category', 'manufacturer', 'car_model']), id: z.uuid() }).strict(),
  // Fails only because of database trouble, which passes.
  maxAttempts: 5,
  retryDelaySeconds: 5,
  resumable: true,
  timeoutSeconds: 12 * HOUR,
  concurrency: 1,
  // One at a time, so that successive merges run in order.
  keyOf: () => 'relabel-listings',
}

type HistoryEntry = {
  changeSetId: string
  kind: LookupKind
  lookupId: string
  /** Field → its values before and after, as for listings. */
  changes: Record<string, [before: unknown, after: unknown]>
}

export async function insertLookupChange(trx: Db, change: HistoryEntry): Promise<void> {
  await sql`
    insert into lookup_change (change_set_id, kind, lookup_id, changes)
    values (${change.changeSetId}, ${change.kind}, ${change.lookupId}, ${JSON.stringify(change.changes)})
  `.execute(trx)
}

export type LookupRow = {
  id: string
  name: string
  confirmed: boolean
  mergedInto: string | null
  /** Only for a model. */
  manufacturerId: string | null
}

const columnsOf = (kind: LookupKind) => sql`
  id, name, confirmed, merged_into as "mergedInto",
  ${kind === 'car_model' ? sql`manufacturer_id` : sql`null::uuid`} as "manufacturerId"
`

/** Reads lookups and locks them until the transaction ends. */
export async function lockLookups(
  trx: Db,
  kind: LookupKind,
  ids: readonly string[],
): Promise<Map<string, LookupRow>> {
  const { rows } = await sql<LookupRow>`
    select ${columnsOf(kind)} from ${sql.table(kind)} where id = any(${[...ids]}::uuid[]) order by id for update
  `.execute(trx)
  return new Map(rows.map((row) => [row.id, row]))
}

export type WantedName = {
  kind: LookupKind
  name: string
  /** Only for a model, whose name is unique within its manufacturer. */
  manufacturerId: string | null
  /** The lookup that will get the name. */
  exceptId?: string
}

/** Finds the lookup that already has a name, ignoring case and spaces, and whether it is an alias. */
export async function findNameHolder(
  db: Db,
  { kind, name, manufacturerId, exceptId }: WantedName,
): Promise<{ name: string; isAlias: boolean } | undefined> {
  const ofModel = kind === 'car_model'
  const { rows } = await sql<{ name: string; isAlias: boolean }>`
    select l.name, l.name_key <> name_key(${name}) as "isAlias" from ${sql.table(kind)} l
    where l.merged_into is null and l.id is distinct from ${exceptId ?? null}::uuid
      ${ofModel ? sql`and l.manufacturer_id = ${manufacturerId}` : sql``}
      and (l.name_key = name_key(${name}) or l.id = (
        select ${sql.ref(`${kind}_id`)} from ${sql.table(`${kind}_alias`)}
        where alias_key = name_key(${name}) ${ofModel ? sql`and manufacturer_id = ${manufacturerId}` : sql``}
      ))
    order by 2 limit 1
  `.execute(db)
  return rows[0]
}

export async function setConfirmed(trx: Db, kind: LookupKind, id: string): Promise<void> {
  await sql`update ${sql.table(kind)} set confirmed = true where id = ${id}`.execute(trx)
}

/** Makes a name an alias of a lookup, even if it was another lookup's. */
export async function setAlias(
  trx: Db,
  kind: LookupKind,
  { id, name, manufacturerId }: { id: string; name: string; manufacturerId: string | null },
): Promise<void> {
  if (kind === 'car_model') {
    await sql`
      insert into car_model_alias (manufacturer_id, alias_key, alias, car_model_id)
      values (${manufacturerId}, name_key(${name}), ${name}, ${id})
      on conflict (manufacturer_id, alias_key)
      do update set alias = excluded.alias, car_model_id = excluded.car_model_id
    `.execute(trx)
    return
  }
  const owner = sql.ref(`${kind}_id`)
  await sql`
    insert into ${sql.table(`${kind}_alias`)} (alias_key, alias, ${owner}) values (name_key(${name}), ${name}, ${id})
    on conflict (alias_key) do update set alias = excluded.alias, ${owner} = excluded.${owner}
  `.execute(trx)
}

/** A lookup's own name must not be its alias. */
export async function dropOwnNameAlias(trx: Db, kind: LookupKind, id: string): Promise<void> {
  await sql`
    delete from ${sql.table(`${kind}_alias`)} a using ${sql.table(kind)} l
    where l.id = ${id} and ${sql.ref(`a.${kind}_id`)} = l.id and a.alias_key = l.name_key
  `.execute(trx)
}

/*
 * Imports read names from memory (`keptWithLookups`). To keep them from writing a renamed or merged lookup, the transaction
 * of a page of listings takes a shared lock on the names, and name changes wait for it. Forms read names every time.
 */

const lock = sql`hashtext('lookup names')`

/** Blocks renames and merges until the transaction ends; returns the version that names in memory must have. */
export async function holdLookups(trx: Db): Promise<number> {
  await sql`select pg_advisory_xact_lock_shared(${lock})`.execute(trx)
  // A separate statement, because its snapshot must come after the lock.
  return readLookupVersion(trx)
}

export async function readLookupVersion(db: Db): Promise<number> {
  const { rows } = await sql<{ version: number }>`select version from lookup_version`.execute(db)
  return rows[0]?.version ?? 0
}

/**
 * Keeps what `load` makes of all lookups, one copy for each database, until one is created, confirmed, renamed, merged or
 * deleted: reading them takes longer than most files. `through` is the connection to ask if not `db` itself, and must
 * not have changed lookups: what it sees is kept for everyone.
 */
export function keptWithLookups<T>(load: (db: Db) => Promise<T>): (db: Db, through?: Db) => Promise<T> {
  const kept = new WeakMap<Db, { state: string; loaded: Promise<T> }>()
  return async (db, through = db) => {
    // Read first, so that what changes while loading counts as outdated.
    const state = await readLookupState(through)
    const current = kept.get(db)
    if (current?.state === state) return current.loaded
    const read = { state, loaded: load(through) }
    kept.set(db, read)
    read.loaded.catch(() => {
      if (kept.get(db) === read) kept.delete(db)
    })
    return read.loaded
  }
}

/** Also changes with names that files create and administrators confirm, which need no new version. */
async function readLookupState(db: Db): Promise<string> {
  const counted = (kind: LookupKind) =>
    sql`(select count(*) || '/' || count(*) filter (where confirmed) from ${sql.table(kind)})`
  const { rows } = await sql<{ state: string }>`/* prepared */
    select concat_ws(' ', version, ${counted('category')}, ${counted('manufacturer')}, ${counted('car_model')}) as state
    from lookup_version
  `.execute(db)
  return rows[0]?.state ?? ''
}

/**
 * Takes the exclusive lock on names; names in memory are outdated once this transaction commits. Must come first in a
 * transaction, before any row is locked.
 */
export async function beginLookupChange(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lock})`.execute(trx)
  await sql`update lookup_version set version = version + 1`.execute(trx)
}
