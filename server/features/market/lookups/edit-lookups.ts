import { sql } from 'kysely'
import { followNames } from '#server/features/finding/addresses/addresses.ts'
import { joinChangeSet, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import {
  type Db,
  inTransaction,
  isWriteConflict,
  violatesUnique,
} from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import {
  auditActor,
  beginLookupChange,
  changeSource,
  dropOwnNameAlias,
  findNameHolder,
  holdLookups,
  insertLookupChange,
  type LookupActor,
  type LookupChange,
  type LookupRow,
  lockLookups,
  lookupNotFound,
  relabelListingsQueue,
  setAlias,
  setConfirmed,
} from './lookup-changes.ts'
import { type LookupKind, nounOf, pageKindOf } from './lookup-kind.ts'
import { getUsage, type LookupUsage, MAX_COUNTED, releaseDeletedListings } from './managed-lookups.ts'

type NewLookup<T> = {
  source: AuditActor
  kind: LookupKind
  /** The request's field that holds the name. */
  field: string
  name: string
  /** Only for a model. */
  manufacturerId?: string
  insert: (trx: Db) => Promise<T>
}

/**
 * Adds a lookup. A unique constraint (ignoring case and spaces) checks the name, so that exactly one of two concurrent
 * admins succeeds. The name must not be another lookup's alias, either.
 * @throws AppError CONFLICT, naming the field
 */
export async function createLookup<T extends { id: string }>(db: Db, lookup: NewLookup<T>): Promise<T> {
  const { kind, field, name, manufacturerId = null } = lookup
  const noun = nounOf(kind)
  const refused = (sentence: string) => new AppError('CONFLICT', sentence, { fields: { [field]: sentence } })
  const { ip, ...by } = lookup.source
  const source = { ...by, actorKind: 'user', reason: `create ${noun}` } as const
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      await holdLookups(trx)
      const holder = await findNameHolder(trx, { kind, name, manufacturerId })
      if (holder?.isAlias) throw refused(`“${name}” is another name of the ${noun} “${holder.name}”`)
      const made = await lookup.insert(trx)
      await insertLookupChange(trx, { changeSetId, kind, lookupId: made.id, changes: { name: [null, name] } })
      await writeAudit(trx, { action: 'lookup-created', target: made.id, ...by, ip, detail: { kind, name } })
      return made
    })
  } catch (error) {
    if (!violatesUnique(error, `${kind}_name_unique`)) throw error
    throw refused(`“${name}” already exists`)
  }
}

/**
 * Makes a provisional name from a file public. Confirming twice changes nothing.
 * @throws AppError NOT_FOUND, CONFLICT if a model's manufacturer is provisional itself
 */
export function confirmLookup(db: Db, change: LookupChange): Promise<void> {
  const { kind, id } = change
  return withChangeSet(db, changeSource(change, 'confirm'), async (trx, changeSetId) => {
    const lookup = (await lockLookups(trx, kind, [id])).get(id)
    if (!lookup || lookup.mergedInto) throw lookupNotFound(kind)
    if (lookup.confirmed) return
    if (lookup.manufacturerId) await requireConfirmed(trx, lookup.manufacturerId)
    await setConfirmed(trx, kind, id)
    await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes: { confirmed: [false, true] } })
    const detail = { kind, name: lookup.name }
    await writeAudit(trx, { action: 'lookup-confirmed', target: id, detail, ...change.by })
  })
}

/** A model of a provisional manufacturer would stay hidden. */
async function requireConfirmed(trx: Db, manufacturerId: string): Promise<void> {
  const manufacturer = (await lockLookups(trx, 'manufacturer', [manufacturerId])).get(manufacturerId)
  if (!manufacturer || manufacturer.confirmed) return
  throw new AppError(
    'CONFLICT',
    `Its manufacturer “${manufacturer.name}” is provisional too. Confirm or merge that one first.`,
  )
}

type LookupRename = { kind: LookupKind; id: string; name: string; by: LookupActor }

/**
 * Renames a lookup now; a job updates its listings. The old name becomes an alias for files and forms that still use
 * it, and the old page address redirects to the new one.
 * @throws AppError NOT_FOUND, CONFLICT if another lookup has that name
 */
export async function renameLookup(db: Db, change: LookupRename): Promise<void> {
  const { kind, id, name } = change
  try {
    await withChangeSet(db, changeSource(change, 'rename'), async (trx, changeSetId) => {
      await beginLookupChange(trx)
      const before = (await lockLookups(trx, kind, [id])).get(id)
      if (!before || before.mergedInto) throw lookupNotFound(kind)
      if (before.name === name) return
      const { manufacturerId } = before
      const holder = await findNameHolder(trx, { kind, name, manufacturerId, exceptId: id })
      if (holder) throw nameTaken(kind, name, holder)
      await sql`update ${sql.table(kind)} set name = ${name} where id = ${id}`.execute(trx)
      await setAlias(trx, kind, { id, name: before.name, manufacturerId })
      await dropOwnNameAlias(trx, kind, id)
      await followNames(trx, pageKindOf(kind), [id])
      await insertLookupChange(trx, {
        changeSetId,
        kind,
        lookupId: id,
        changes: { name: [before.name, name] },
      })
      const detail = { kind, from: before.name, to: name }
      await writeAudit(trx, { action: 'lookup-renamed', target: id, detail, ...auditActor(change.by) })
      await enqueueJob(trx, {
        queue: relabelListingsQueue,
        payload: { kind, id },
        ...(change.by.actorUserId !== undefined && { createdBy: change.by.actorUserId }),
      })
    })
  } catch (error) {
    // An import added the name at the same moment.
    if (violatesUnique(error, `${kind}_name_unique`)) throw nameTaken(kind, name, { name, isAlias: false })
    throw error
  }
}

type UniversalMark = { id: string; universal: boolean; by: LookupActor }

/**
 * Says whether the parts of a category need no vehicle. Such parts that name none keep the mark, since they could not even
 * change their price without it.
 * @throws AppError NOT_FOUND, CONFLICT if parts of it name no vehicle
 */
export function markUniversal(db: Db, change: UniversalMark): Promise<void> {
  const { id, universal } = change
  const kind = 'category'
  return withChangeSet(db, changeSource({ ...change, kind }, 'mark'), async (trx, changeSetId) => {
    await beginLookupChange(trx)
    const category = (await lockLookups(trx, kind, [id])).get(id)
    if (!category || category.mergedInto) throw lookupNotFound(kind)
    const { rows } = await sql<{ universal: boolean }>`
      select coalesce(universal, false) as universal from category where id = ${id}`.execute(trx)
    const before = rows[0]?.universal === true
    if (!universal) await refuseWithoutVehicle(trx, category)
    await sql`update category set universal = ${universal} where id = ${id}`.execute(trx)
    if (before === universal) return
    await insertLookupChange(trx, {
      changeSetId,
      kind,
      lookupId: id,
      changes: { universal: [before, universal] },
    })
    const detail = { kind, name: category.name, universal }
    await writeAudit(trx, { action: 'lookup-marked', target: id, detail, ...auditActor(change.by) })
  })
}

async function refuseWithoutVehicle(trx: Db, { id, name }: LookupRow): Promise<void> {
  const { rows } = await sql`
    select from listing
    where category_id = ${id} and deleted_at is null
      and (manufacturer_name = '' or model_name = '' or year_from is null)
    limit 1`.execute(trx)
  if (rows.length === 0) return
  throw new AppError(
    'CONFLICT',
    `Some parts in “${name}” name no vehicle. Give them one, or another category.`,
  )
}

function nameTaken(kind: LookupKind, name: string, holder: { name: string; isAlias: boolean }): AppError {
  const noun = nounOf(kind)
  const sentence = holder.isAlias
    ? `“${name}” is another name of the ${noun} “${holder.name}”. Merge the two instead.`
    : `“${holder.name}” already exists. Merge the two instead.`
  return new AppError('CONFLICT', sentence, { fields: { name: sentence } })
}

type Deletion = Omit<LookupChange, 'by'> & { by: LookupActor }

// An undone import of a whole yard may leave hundreds of thousands of deleted listings with a name.
const LISTINGS_A_PAGE = 1_000
/** Shorter than a person waits for the response, and than the server's grace period in a deployment. */
const TIME_LIMIT_MS = 15_000

/**
 * Deletes an unused lookup with its aliases. First removes it from deleted listings, in pages so that no lock is held
 * for long; after an interruption, the next call continues.
 * @throws AppError NOT_FOUND, CONFLICT with the number of uses, BUSY if there are too many deleted listings for one
 * call
 */
export async function deleteLookup(db: Db, change: Deletion): Promise<void> {
  const { kind } = change
  const giveUpAt = Date.now() + TIME_LIMIT_MS
  try {
    const { changeSetId, released } = await withChangeSet(
      db,
      changeSource(change, 'delete'),
      async (trx, id) => ({
        changeSetId: id,
        released: await releasePage(trx, change, id),
      }),
    )
    const inSameChangeSet = <T>(work: (trx: Db) => Promise<T>) =>
      inTransaction(db, async (trx) => {
        await joinChangeSet(trx, changeSetId)
        return work(trx)
      })
    for (let last = released; last === LISTINGS_A_PAGE; ) {
      if (Date.now() > giveUpAt) throw moreToDelete(kind)
      last = await inSameChangeSet((trx) => releasePage(trx, change, changeSetId))
    }
    await inSameChangeSet((trx) => deleteUnused(trx, change, changeSetId))
  } catch (error) {
    if (!isWriteConflict(error)) throw error
    const sentence = `Another change just started to use this ${nounOf(kind)}. Please check it again.`
    throw new AppError('CONFLICT', sentence, { cause: error })
  }
}

async function releasePage(trx: Db, change: Deletion, changeSetId: string): Promise<number> {
  await lockUnused(trx, change)
  const { kind, id } = change
  return releaseDeletedListings(trx, { kind, id, changeSetId, limit: LISTINGS_A_PAGE })
}

/** The lock keeps new listings from pointing to it until the transaction ends. */
async function lockUnused(trx: Db, { kind, id }: Deletion): Promise<LookupRow> {
  const lookup = (await lockLookups(trx, kind, [id])).get(id)
  if (!lookup || lookup.mergedInto) throw lookupNotFound(kind)
  refuseUsed(kind, lookup, await getUsage(trx, kind, id))
  return lookup
}

async function deleteUnused(trx: Db, change: Deletion, changeSetId: string): Promise<void> {
  const { kind, id } = change
  await beginLookupChange(trx)
  const { name } = await lockUnused(trx, change)
  // Listings deleted since the last page.
  await releaseDeletedListings(trx, { kind, id, changeSetId, limit: LISTINGS_A_PAGE })
  await sql`delete from ${sql.table(kind)} where id = ${id}`.execute(trx)
  const changes = { name: [name, null] as [string, null] }
  await insertLookupChange(trx, { changeSetId, kind, lookupId: id, changes })
  await writeAudit(trx, {
    action: 'lookup-deleted',
    target: id,
    detail: { kind, name },
    ...auditActor(change.by),
  })
}

const moreToDelete = (kind: LookupKind) =>
  new AppError(
    'BUSY',
    `This ${nounOf(kind)} is still in use by many deleted listings. Delete it again to continue.`,
    { retryAfterSeconds: 1 },
  )

function refuseUsed(
  kind: LookupKind,
  { name }: LookupRow,
  { listings, models, isMerging }: LookupUsage,
): void {
  const noun = nounOf(kind)
  const refused = (sentence: string) => new AppError('CONFLICT', sentence)
  if (isMerging) throw refused(`Another ${noun} is being merged into “${name}”. Wait until that finishes.`)
  if (listings > 0) {
    throw refused(`${amount(listings)} “${name}”. Merge it into another ${noun}, or change those first.`)
  }
  if (models === 0) return
  const many = models === 1 ? '1 car model belongs' : `${models} car models belong`
  throw refused(`${many} to “${name}”. Delete or merge those first, or merge it into another ${noun}.`)
}

function amount(listings: number): string {
  if (listings === 1) return '1 listing uses'
  if (listings > MAX_COUNTED) return `More than ${MAX_COUNTED.toLocaleString('en-US')} listings use`
  return `${listings.toLocaleString('en-US')} listings use`
}
