import { sql } from 'kysely'
import type { BulkResult } from '#contract/admin/listings.ts'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import { changedBy, findLastChanges } from '#server/features/market/history/changes.ts'
import { toColumns } from '#server/features/market/listings/listing-columns.ts'
import {
  type ListingDetails,
  loadDetails,
  type ReadListing,
  readChanged,
  readLocked,
} from '#server/features/market/listings/listing-queries.ts'
import {
  findOrdered,
  inOrderSentence,
  type LetGo,
  letGoOfHeld,
} from '#server/features/market/listings/ordered-parts.ts'
import { presentListing } from '#server/features/market/listings/present-listing.ts'
import {
  changesRestriction,
  findRestrictions,
  restrictedFields,
} from '#server/features/market/listings/restricted.ts'
import {
  type BulkChange,
  changeListingsWhile,
  diffColumns,
  type ListingRecord,
  lockListings,
  recordAfter,
} from '#server/features/market/listings/write-queries.ts'
import { findModelSpellings } from '#server/features/market/lookups/lookup-names.ts'
import { listUniversalCategories } from '#server/features/market/lookups/lookup-queries.ts'
import { followingTexts } from '#server/features/market/writing/following-texts.ts'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { afterSending, allSettledOrThrow } from '#server/platform/processes/concurrency.ts'
import {
  type BulkItem,
  checkItem,
  chooseListing,
  duplicateItem,
  failure,
  findByPartNumbers,
  type ItemFailure,
} from './bulk-items.ts'

export type BulkEdit = {
  items: readonly BulkItem[]
  actor: Actor
  requestId: string
  ip: string
  now: Date
}
export type SavedBulkEdit = {
  /** Also counts listings that an earlier call of the same save has changed. */
  updated: number
  changeSetId: string | null
  earlierChangeSetIds?: string[]
  results: BulkResult[]
}

/** An item with its listing, once known, and its failure, if any. */
type Checked = {
  item: BulkItem
  id?: string
  listing?: ListingRecord
  failure?: ItemFailure
  /** The earlier save of the same values, whose answer the caller did not get. */
  earlier?: string
}

/**
 * Changes many listings in one transaction: valid items are saved under one change set even if others fail. Returns
 * what `toReply` builds from the results, in the items' order; it runs while the database is still writing.
 */
export function saveBulkEdit<T>(db: Db, edit: BulkEdit, toReply: (saved: SavedBulkEdit) => T): Promise<T> {
  return inTransaction(db, async (trx) => {
    const chosen = await chooseListings(trx, edit.items)
    // Locked, so that the checks hold until the transaction ends.
    const ids = chosen.flatMap(({ id, failure: failed }) => (id && !failed ? id : []))
    const listings = await lockListings(trx, ids)
    const [details, { checked, changes }] = await allSettledOrThrow([
      loadDetails(trx, [...listings.values()]),
      afterSending(() => decide(trx, edit, { chosen, listings })),
    ])
    const replyFor = (changeSetId: string | null) => {
      const results = readResults(checked, { changes, details, actor: edit.actor })
      const earlier = checked.filter((one) => one.earlier !== undefined)
      const sets = [...new Set(earlier.flatMap((one) => one.earlier ?? []))]
      return toReply({
        updated: changes.length + earlier.filter((one) => !one.failure).length,
        changeSetId,
        ...(sets.length > 0 && { earlierChangeSetIds: sets }),
        results,
      })
    }
    return changes.length > 0 ? saveChanges(trx, edit, { changes, replyFor }) : replyFor(null)
  })
}

/** Lets go of parts that buyers hold, before an administrator hides them. */
export async function letGoOfHidden(
  db: Db,
  items: readonly BulkItem[],
  letGo: LetGo | undefined,
): Promise<void> {
  const hiding = items.filter(({ status }) => status === 'HIDDEN')
  if (hiding.length === 0) return
  const chosen = await chooseListings(db, hiding)
  const ids = chosen.flatMap(({ id, failure: failed }) => (id && !failed ? id : []))
  await letGoOfHeld(db, ids, { letGo, side: 'admin' })
}

async function chooseListings(trx: Db, items: readonly BulkItem[]): Promise<Checked[]> {
  const partNumbers = items.flatMap(({ key }) => (key && 'partnum' in key ? key.partnum : []))
  const byPartNumber = await findByPartNumbers(trx, partNumbers)
  const taken = new Set<string>()
  return items.map((item): Checked => {
    const id = chooseListing(item, byPartNumber)
    if (typeof id !== 'string') return { item, failure: id }
    if (taken.has(id)) return { item, id, failure: duplicateItem }
    taken.add(id)
    return { item, id }
  })
}

type LockedItems = { chosen: readonly Checked[]; listings: ReadonlyMap<string, ListingRecord> }

async function decide(trx: Db, edit: BulkEdit, { chosen, listings }: LockedItems) {
  const universal = await listUniversalCategories(trx)
  const found = chosen.map((one): Checked & { stale?: true } => {
    const listing = one.id === undefined ? undefined : listings.get(one.id)
    if (one.failure) return one
    const failed = checkItem(one.item, listing, { now: edit.now, universal })
    const known = listing ? { ...one, listing } : one
    if (failed === 'stale') return { ...known, stale: true }
    return failed ? { ...known, failure: failed } : known
  })
  const checked = await refuseRestricted(trx, await explainStale(trx, edit.actor, found))
  return refuseOrdered(trx, { checked, changes: await findChanges(trx, checked) })
}

/** Rejects items that would hide or lower the quantity of a part that a buyer ordered. */
async function refuseOrdered(
  trx: Db,
  { checked, changes }: { checked: readonly Checked[]; changes: readonly BulkChange[] },
): Promise<{ checked: readonly Checked[]; changes: readonly BulkChange[] }> {
  const ordered = await findOrdered(trx, changes)
  if (ordered.size === 0) return { checked, changes }
  return {
    checked: checked.map((one) => {
      const part = ordered.get(one.id ?? '')
      return part && !one.failure ? { ...one, failure: failure('IN_ORDER', inOrderSentence(part)) } : one
    }),
    changes: changes.filter(({ before }) => !ordered.has(before.id)),
  }
}

/** Rejects items that would make a part restricted without what that requires, such as a VIN. */
async function refuseRestricted(trx: Db, checked: readonly Checked[]): Promise<Checked[]> {
  const changing = checked.flatMap(({ item, listing, failure: failed }) => {
    if (!listing || failed) return []
    const before = restrictedTextOf(listing)
    const changed = Object.entries(item.text).filter(
      ([field, value]) => value !== before[field as ListingField],
    )
    return changesRestriction(Object.fromEntries(changed))
      ? { item, listing, text: { ...before, ...item.text } }
      : []
  })
  if (changing.length === 0) return [...checked]
  const names = await categoryNames(
    trx,
    changing.flatMap(({ listing }) => listing.category_id ?? []),
  )
  const found = await findRestrictions(
    trx,
    changing.map(({ listing, text }) => ({
      sellerId: listing.seller_id,
      text,
      category: names.get(listing.category_id ?? ''),
    })),
  )
  const missing = new Map(changing.map(({ item }, at) => [item, found[at] ?? []]))
  return checked.map((one) => {
    const restrictions = missing.get(one.item) ?? []
    if (restrictions.length === 0) return one
    const errors = restrictions.map(({ sentence }) => sentence)
    return { ...one, failure: { code: 'VALIDATION_FAILED', errors, fields: restrictedFields(restrictions) } }
  })
}

const restrictedTextOf = (listing: ListingRecord): ListingText => ({
  partname: listing.name,
  partnum: listing.part_number ?? '',
  partstate: listing.state,
  vin: listing.vin ?? '',
  neverdeployed: listing.never_deployed ? 'Yes' : '',
})

async function categoryNames(trx: Db, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select id, name from category where id = any(${[...new Set(ids)]}::uuid[])
  `.execute(trx)
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** Fails stale items, except those whose values the listing already has: saving them changes nothing. */
async function explainStale(
  trx: Db,
  actor: Actor,
  checked: readonly (Checked & { stale?: true })[],
): Promise<Checked[]> {
  const stale = checked.filter((one) => one.stale)
  if (stale.length === 0) return [...checked]
  const differing = new Set((await findChanges(trx, stale)).map(({ before }) => before.id))
  const changes = await findLastChanges(trx, [...differing])
  const earlier = await findEarlierSaves(trx, actor, stale)
  return checked.map(({ stale: isStale, ...one }) => {
    if (!isStale) return one
    const set = earlier.get(one.id ?? '')
    const known = set === undefined ? one : { ...one, earlier: set }
    if (!differing.has(one.id ?? '')) return known
    const sentence = `${changedBy(changes.get(one.id ?? ''))}, after you loaded it`
    return { ...known, failure: failure('STALE', sentence) }
  })
}

/**
 * By listing, the actor's own bulk save that directly followed the version an item was loaded with: the same save, sent
 * again because its answer was lost.
 */
async function findEarlierSaves(
  trx: Db,
  actor: Actor,
  stale: readonly Checked[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ listingId: string; changeSetId: string }>`
    select c.listing_id as "listingId", c.change_set_id as "changeSetId"
    from unnest(${stale.map(({ id }) => id ?? '')}::uuid[], ${stale.map(({ item }) => Number(item.version))}::int[])
      as sent(id, version)
    join listing_change c on c.listing_id = sent.id and c.version = sent.version + 1
    join change_set s on s.id = c.change_set_id
    where s.actor_user_id = ${actor.userId} and s.reason = 'bulk edit'
      and not exists (select from change_set_undo u where u.change_set_id = s.id)
  `.execute(trx)
  return new Map(rows.map(({ listingId, changeSetId }) => [listingId, changeSetId]))
}

/** Returns the items' changes; items that already match their listing have none. */
async function findChanges(trx: Db, checked: readonly Checked[]): Promise<BulkChange[]> {
  const good = checked.flatMap(({ item, listing, failure: failed }) =>
    listing && !failed ? { item, listing } : [],
  )
  const models = await findModels(trx, good)
  const prose = await findScriptProse(
    trx,
    good.map(({ listing }) => listing.description),
  )
  return good.flatMap(({ item, listing }) => {
    const sent = {
      ...toColumns(item.text),
      ...(item.status && item.status !== 'wrong' && { status: item.status }),
      ...models(listing, item.text.partmodel),
    }
    const columns = diffColumns(listing, { ...sent, ...followingTexts(listing, sent, { prose }) })
    return Object.keys(columns).length > 0 ? { before: listing, columns } : []
  })
}

type Good = { item: BulkItem; listing: ListingRecord }
type ModelColumns = { model_name?: string; car_model_id?: string | null }

/** Finds the manufacturer's model of each name; if there is none, only the name is stored. */
async function findModels(
  trx: Db,
  good: readonly Good[],
): Promise<(listing: ListingRecord, name: string | undefined) => ModelColumns> {
  const asked = new Map<string, { manufacturerId: string; model: string }>()
  for (const { item, listing } of good) {
    const model = item.text.partmodel
    const manufacturerId = listing.manufacturer_id
    if (model && manufacturerId) asked.set(`${manufacturerId}/${model}`, { manufacturerId, model })
  }
  const found = asked.size > 0 ? await findModelSpellings(trx, [...asked.values()]) : []
  const known = new Map(found.map((model) => [`${model.manufacturerId}/${model.spelling}`, model]))
  return (listing, name) => {
    if (name === undefined || name === listing.model_name) return {}
    const model = known.get(`${listing.manufacturer_id}/${name}`)
    return { model_name: model?.name ?? name, car_model_id: model?.id ?? null }
  }
}

type Saving<T> = { changes: readonly BulkChange[]; replyFor: (changeSetId: string) => T }

function saveChanges<T>(trx: Db, edit: BulkEdit, { changes, replyFor }: Saving<T>): Promise<T> {
  const { actor, requestId, ip } = edit
  return withChangeSet(trx, userSource(edit, 'bulk edit'), async (_trx, changeSetId) => {
    const reply = await changeListingsWhile(trx, { changes, changeSetId }, () => replyFor(changeSetId))
    const detail = { updated: changes.length, sent: edit.items.length }
    const entry = { actorUserId: actor.userId, target: changeSetId, requestId, ip, detail }
    await writeAudit(trx, { action: 'bulk-edit-saved', ...entry })
    return reply
  })
}

type Outcome = { changes: readonly BulkChange[]; details: ListingDetails; actor: Actor }

/** Returns saved and stale listings in their state after the save. */
function readResults(checked: readonly Checked[], { changes, details, actor }: Outcome): BulkResult[] {
  const changeOf = new Map(changes.map((change) => [change.before.id, change]))
  const readNow = (listing: ListingRecord): ReadListing => {
    const change = changeOf.get(listing.id)
    return change ? readChanged(recordAfter(change), details) : readLocked(listing, details)
  }
  return checked.map(({ item: { key }, id, listing, failure: failed }) => {
    const now = listing && (!failed || failed.code === 'STALE') ? readNow(listing) : undefined
    return {
      id: id ?? (key && 'id' in key ? key.id : null),
      partnum: key && 'partnum' in key ? key.partnum : (now?.partNumber ?? listing?.part_number ?? null),
      ok: !failed,
      errors: [],
      ...failed,
      ...(now && { current: presentListing(now, actor) }),
    }
  })
}
