import { sql } from 'kysely'
import type { ListingField, ListingKind } from '#contract/listing/listing-fields.ts'
import type { ListingText } from '#contract/listing/listing-rules.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import type { Listing } from '#contract/listings.ts'
import type { BesideModel } from '#contract/trade-language/verdicts.ts'
import { userSource, withChangeSet } from '#server/features/market/history/change-sets.ts'
import {
  changedFields,
  findLastChanges,
  formatMinute,
  isSameBesidesPictures,
  type RecordedChange,
  whoChanged,
} from '#server/features/market/history/changes.ts'
import { findCarModel, findCategory, findLookup } from '#server/features/market/lookups/lookup-queries.ts'
import { type ForeignName, listForeignNames, shareName } from '#server/features/market/lookups/new-names.ts'
import {
  listChange,
  readPictureLists,
  writePictureLists,
} from '#server/features/market/pictures/picture-lists.ts'
import {
  attachPicture,
  type StoredPicture,
  storePicture,
} from '#server/features/market/pictures/store-picture.ts'
import { followingTexts } from '#server/features/market/writing/following-texts.ts'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import { type Actor, isAdmin } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { brokenForeignKey, type Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { camelCase, type ListingColumns, storedTerms, toColumns } from './listing-columns.ts'
import { findListing, type ReadListing } from './listing-queries.ts'
import { type LetGo, letGoOfHeld, requireNotOrdered } from './ordered-parts.ts'
import { listingDeleted, listingNotFound } from './policy.ts'
import { changesRestriction, requireUnrestricted } from './restricted.ts'
import { chooseSlug, generatedSlug, isSlugViolation, slugTaken } from './slugs.ts'
import { checkText } from './text-check.ts'
import {
  type ColumnChanges,
  changeListing,
  diffColumns,
  insertListings,
  type ListingRecord,
  lockListing,
  newListingIds,
  rememberSlug,
} from './write-queries.ts'

type LookupColumns = Partial<
  Pick<
    ListingColumns,
    | 'category_id'
    | 'manufacturer_id'
    | 'manufacturer_name'
    | 'car_model_id'
    | 'model_name'
    | 'body_style'
    | 'trim_name'
  >
>

/**
 * Turns category, manufacturer and model, sent as id or name, into ids; `before` has what a change does not send. An unknown model stays text: yards sell parts of
 * cars that we have no entry for. Names that only another yard's file made are unknown, unless this yard may share them.
 * @throws AppError VALIDATION_FAILED with a sentence for each unknown one
 */
async function resolveLookups(
  db: Db,
  { text, before, chooser }: { text: ListingText; before?: ListingRecord; chooser: Actor },
): Promise<LookupColumns> {
  const fields: Record<string, string> = {}
  const category = await resolveCategory(db, text, fields)
  const manufacturer = await resolveManufacturer(db, text, fields)
  const { manufacturer_id = before?.manufacturer_id } = manufacturer
  const manufacturerId = manufacturer_id ?? undefined
  const model = await resolveModel(db, { text, manufacturerId, before }, fields)
  const found = { ...category, ...manufacturer, ...model }
  const closed = (await listForeign(db, { found, before, chooser })).filter(({ isOpen }) => !isOpen)
  const closedModel = closed.some(({ kind }) => kind === 'car_model')
  if (closed.some(({ kind }) => kind === 'category')) fields.partcategoryId = NO_CATEGORY
  if (closed.some(({ kind }) => kind === 'manufacturer')) fields.partmanuId = NO_MANUFACTURER
  if (closedModel && text.partmodelId) fields.partmodelId = NO_MODEL
  const [sentence] = Object.values(fields)
  if (sentence) throw new AppError('VALIDATION_FAILED', sentence, { fields })
  return closedModel ? { ...found, car_model_id: null } : found
}

const NO_CATEGORY = 'There is no such category. Choose one from the list.'
const NO_MANUFACTURER = 'There is no such manufacturer. Choose one from the list.'
const NO_MODEL = 'There is no such model of this manufacturer. Choose one from the list.'

type Choice = { found: LookupColumns; before: ListingRecord | undefined; chooser: Actor }

/** The names of other yards' files that were just chosen: what a listing has already is no choice. Administrators choose any. */
async function listForeign(db: Db, { found, before, chooser }: Choice): Promise<ForeignName[]> {
  if (isAdmin(chooser)) return []
  const ids = (['category_id', 'manufacturer_id', 'car_model_id'] as const).flatMap((column) => {
    const id = found[column]
    return id && id !== before?.[column] ? [id] : []
  })
  return listForeignNames(db, chooser.sellerId, ids)
}

/** A person's choice makes a name of another yard everybody's; a program only repeats what it was given. */
async function shareChosen(trx: Db, choice: Choice): Promise<void> {
  const { userId, sellerId, scopes } = choice.chooser
  if (scopes) return
  for (const { kind, id } of await listForeign(trx, choice))
    await shareName(trx, { kind, id, sellerId, userId })
}

type Fields = Record<string, string>

async function resolveCategory(db: Db, text: ListingText, fields: Fields): Promise<LookupColumns> {
  if (!text.partcategoryId) return {}
  const category = await findLookup(db, 'category', text.partcategoryId)
  if (!category) fields.partcategoryId = NO_CATEGORY
  return category ? { category_id: category.id } : {}
}

async function resolveManufacturer(db: Db, text: ListingText, fields: Fields): Promise<LookupColumns> {
  const idOrName = text.partmanuId || text.partmanuname
  // Only universal categories let an edit empty it.
  if (text.partmanuId === '' && !idOrName) return { manufacturer_id: null, manufacturer_name: '' }
  if (!idOrName) return {}
  const manufacturer = await findLookup(db, 'manufacturer', idOrName)
  if (!manufacturer) fields.partmanuId = NO_MANUFACTURER
  return manufacturer ? { manufacturer_id: manufacturer.id, manufacturer_name: manufacturer.name } : {}
}

type ModelQuestion = {
  text: ListingText
  manufacturerId: string | undefined
  before: ListingRecord | undefined
}

async function resolveModel(db: Db, question: ModelQuestion, fields: Fields): Promise<LookupColumns> {
  const { text, manufacturerId, before } = question
  const manufacturerMoved = before !== undefined && (manufacturerId ?? null) !== before.manufacturer_id
  if (text.partmodel === undefined && text.partmodelId === undefined && !manufacturerMoved) return {}
  const name = text.partmodel ?? before?.model_name ?? ''
  if (manufacturerId === undefined) return { model_name: name, car_model_id: null }
  if (text.partmodelId) {
    const chosen = await findCarModel(db, manufacturerId, text.partmodelId)
    if (!chosen) {
      fields.partmodelId = NO_MODEL
      return {}
    }
    return { car_model_id: chosen.id, model_name: chosen.name }
  }
  const named = name === '' ? undefined : await findCarModel(db, manufacturerId, name)
  const columns = { model_name: named?.name ?? name, car_model_id: named?.id ?? null }
  return named ? { ...columns, ...impliedColumns(named, text, before) } : columns
}

/** Columns that a model's alias implies, if the listing has none yet: "328i" is a 3 Series with that trim. */
function impliedColumns(
  { bodyStyle, trim }: BesideModel,
  text: ListingText,
  before: ListingRecord | undefined,
): LookupColumns {
  const has = (typed: string | undefined, column: string | null | undefined) =>
    Boolean(typed === undefined ? column : typed.trim())
  return {
    ...(bodyStyle && !has(text.bodystyle, before?.body_style) && { body_style: bodyStyle }),
    ...(trim && !has(text.parttrim, before?.trim_name) && { trim_name: trim }),
  }
}

const lookups: Readonly<Record<string, [field: string, noun: string]>> = {
  listing_category_id_fkey: ['partcategoryId', 'category'],
  listing_manufacturer_id_fkey: ['partmanuId', 'manufacturer'],
  listing_car_model_id_fkey: ['partmodelId', 'model'],
}

/** The error if a lookup was deleted, or its merge finished, after it was read and before the listing was written. */
export function missingLookupError(error: unknown): AppError | undefined {
  const [field, noun] = lookups[brokenForeignKey(error) ?? ''] ?? []
  if (!field) return undefined
  const sentence = `This ${noun} was just deleted or merged into another. Choose it from the list again.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence }, cause: error })
}

export type NewListing = {
  kind: ListingKind
  actor: Actor
  text: ListingText
  /** The picture's bytes as sent. */
  picture: Uint8Array | undefined
}

type PreparedListing = {
  kind: ListingKind
  columns: Omit<ListingColumns, 'kind' | 'slug' | 'seller_id'>
  /** The slug that the seller chose, as typed. */
  ownSlug: string | undefined
  picture: StoredPicture | undefined
}

/**
 * Checks a new listing's text and stores its picture: everything slow, before the transaction. The file is stored first
 * because a row without its file would be a broken page, while a file without a row is swept.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE (no picture), STORAGE_FULL
 */
export async function prepareListing(
  db: Db,
  { kind, actor, text, picture }: NewListing,
  deps: { files: FileStore; now: () => Date },
): Promise<PreparedListing> {
  const pictureMissing = kind === 'ecommerce' && !picture
  const category = text.partcategoryId ? await findCategory(db, text.partcategoryId) : undefined
  const universal = category?.universal
  checkText(kind, text, { mode: 'create', now: deps.now(), pictureMissing, universal })
  const columns = {
    ...emptyListing,
    ...toColumns(text),
    ...(await resolveLookups(db, { text, chooser: actor })),
  }
  await requireUnrestricted(db, { sellerId: actor.sellerId, text, category: category?.name })
  const stored = picture && (await storePicture(deps.files, picture))
  return { kind, columns, ownSlug: text.partslug || undefined, picture: stored }
}

/** Columns without a default in the table; a validated text sets them. */
const emptyListing = {
  name: '',
  manufacturer_name: '',
  model_name: '',
  year_from: null,
  year_to: null,
  price_cents: 0,
}

// Six characters of an id repeat once in 16 million; the draws after the first take twelve.
const SLUG_DRAWS = 3

type Creator = { actor: Actor; requestId: string }

/**
 * Writes a prepared listing with its search row, picture, history and picture job, in one transaction.
 * @throws AppError CONFLICT if the seller's own slug is taken
 */
export async function createListing(
  db: Db,
  { kind, columns, ownSlug, picture }: PreparedListing,
  { actor, requestId }: Creator,
): Promise<ReadListing> {
  const source = userSource({ actor, requestId }, `create ${kind} listing`, actor.sellerId)
  try {
    return await withChangeSet(db, source, async (trx, changeSetId) => {
      const words = [
        String(columns.year_from ?? ''),
        columns.manufacturer_name,
        columns.model_name,
        columns.name,
      ]
      const insert = async (draw: number) => {
        const [newId = ''] = await newListingIds(trx, 1)
        const slug = ownSlug
          ? await chooseSlug(trx, ownSlug, newId)
          : generatedSlug(words, newId, draw === 1 ? 6 : 12)
        const row = { ...columns, id: newId, kind, slug, seller_id: actor.sellerId }
        await insertListings(trx, [row], { changeSetId, source: `${kind} form` })
        return newId
      }
      const id = ownSlug ? await insert(1) : await drawUntilFree(trx, insert)
      if (picture) await attachPicture(trx, { listingId: id, stored: picture })
      const listing = await findListing(trx, id)
      if (!listing) throw new Error('a listing vanished in its own transaction')
      await shareChosen(trx, { found: columns, before: undefined, chooser: actor })
      return listing
    })
  } catch (error) {
    throw ownSlug && isSlugViolation(error) ? slugTaken() : (missingLookupError(error) ?? error)
  }
}

/**
 * Inserts under a generated slug, or the next one if it is taken: the seller did not choose it and could not fix it. The
 * savepoint is there because a failed statement ends the transaction, which may be that of an Idempotency-Key.
 */
async function drawUntilFree(trx: Db, insert: (draw: number) => Promise<string>): Promise<string> {
  for (let draw = 1; ; draw += 1) {
    await sql`savepoint slug_draw`.execute(trx)
    try {
      const id = await insert(draw)
      await sql`release savepoint slug_draw`.execute(trx)
      return id
    } catch (error) {
      if (draw === SLUG_DRAWS || !isSlugViolation(error)) throw error
      await sql`rollback to savepoint slug_draw`.execute(trx)
    }
  }
}

export type ListingEdit = {
  listing: ReadListing
  text: ListingText
  /** The version that the editor loaded; undefined overwrites. */
  version: number | undefined
  /** The new picture's bytes as sent. */
  picture: Uint8Array | undefined
  /** Only for admins; undefined leaves it unchanged. */
  status?: Listing['status'] | undefined
  actor: Actor
  requestId: string
  /** Set for an administrator's edit, which the audit log shows. */
  ip?: string | undefined
}

type Deps = { files: FileStore; now: () => Date; letGo?: LetGo | undefined }

/**
 * Changes any subset of a listing's fields, its picture and its status. The caller checks permission.
 * @throws AppError VALIDATION_FAILED, CONFLICT (address taken), STALE, LISTING_DELETED, IN_ORDER
 */
export async function editListing(db: Db, edit: ListingEdit, deps: Deps): Promise<ReadListing> {
  const { listing } = edit
  const text = withoutKnownPhones(edit.text, listing)
  const stored = {
    ...storedTerms((column) => listing[camelCase(column)]),
    ...storedVehicle(listing),
  }
  const categoryId = text.partcategoryId || listing.categoryId
  const universal = categoryId !== null && (await findCategory(db, categoryId))?.universal
  checkText(listing.kind, text, { mode: 'edit', now: deps.now(), stored, universal })
  await requireStillUnrestricted(db, listing, text)
  const picture = edit.picture && (await storePicture(deps.files, edit.picture))
  if (listing.held && hides(edit)) await letGoOfHeld(db, [listing.id], { letGo: deps.letGo, side: 'admin' })
  try {
    return await withChangeSet(
      db,
      userSource(edit, 'edit listing', listing.sellerId),
      async (trx, changeSetId) => {
        const before = await lockExisting(trx, listing.id)
        await refuseStale(trx, before, edit)
        const elsewhere = picture && (await replaceCover(trx, before.id, picture))
        const sent = {
          ...toColumns(withoutKnownYear(text, before)),
          ...(edit.status && { status: edit.status }),
          ...(await resolveLookups(trx, { text, before, chooser: edit.actor })),
          ...(await newSlug(trx, before, text)),
        }
        const prose = await findScriptProse(trx, [before.description])
        const columns = { ...sent, ...followingTexts(before, sent, { prose }) }
        await requireNotOrdered(trx, { before, columns: diffColumns(before, columns) })
        if (columns.slug) await rememberSlug(trx, before.id, { old: before.slug, now: columns.slug })
        const changed = await changeListing(trx, before, { changeSetId, columns, elsewhere })
        if (changed && edit.ip !== undefined) await auditEdit(trx, edit, diffColumns(before, columns))
        const after = await findListing(trx, before.id)
        if (!after) throw listingNotFound()
        await shareChosen(trx, { found: sent, before, chooser: edit.actor })
        return after
      },
    )
  } catch (error) {
    throw isSlugViolation(error) ? slugTaken() : (missingLookupError(error) ?? error)
  }
}

/** Only administrators set the status. */
const hides = ({ listing, status, version }: ListingEdit): boolean =>
  status === 'HIDDEN' && listing.status === 'ACTIVE' && (version === undefined || version === listing.version)

/** Its vehicle as text, '' where it names none, for the check of a change of its category. */
const storedVehicle = ({ manufacturerName, modelName, yearFrom, yearTo }: ReadListing): ListingText => ({
  partmanuId: manufacturerName,
  partmodel: modelName,
  partyear: yearSpanText({ from: yearFrom, to: yearTo }),
})

/** Checks only changes that turn a part into another one, so that parts listed before a rule can still be edited. */
async function requireStillUnrestricted(db: Db, listing: ReadListing, text: ListingText): Promise<void> {
  const before = restrictedTextOf(listing)
  const changed = Object.fromEntries(
    Object.entries(text).filter(([field, value]) => value !== before[field as ListingField]),
  )
  if (!changesRestriction(changed)) return
  const chosen = text.partcategoryId && (await findLookup(db, 'category', text.partcategoryId))?.name
  const category = chosen || listing.categoryName || undefined
  await requireUnrestricted(db, { sellerId: listing.sellerId, text: { ...before, ...text }, category })
}

const restrictedTextOf = (listing: ReadListing): ListingText => ({
  partname: listing.name,
  partcategoryId: listing.categoryId ?? '',
  partnum: listing.partNumber ?? '',
  partstate: listing.state,
  vin: listing.vin ?? '',
  neverdeployed: listing.neverDeployed ? 'Yes' : '',
})

async function auditEdit(trx: Db, edit: ListingEdit, changes: RecordedChange): Promise<void> {
  const fields = changedFields(changes, (id) => id).map(({ label }) => label)
  if (edit.picture) fields.push('Picture')
  await writeAudit(trx, {
    action: 'listing-edited',
    actorUserId: edit.actor.userId,
    target: edit.listing.id,
    requestId: edit.requestId,
    ...(edit.ip !== undefined && { ip: edit.ip }),
    detail: { changed: fields.join(', ') },
  })
}

async function lockExisting(trx: Db, id: string): Promise<ListingRecord> {
  const listing = await lockListing(trx, id)
  if (!listing) throw listingNotFound()
  if (listing.deleted_at) throw listingDeleted()
  return listing
}

/** A client that does not know year ranges sends back the first year, which must not shorten the range. */
function withoutKnownYear(text: ListingText, before: ListingRecord): ListingText {
  if (text.partyear !== String(before.year_from)) return text
  const { partyear: _, ...others } = text
  return others
}

/** A client that sends every field back must not be rejected for an unchanged phone number that came from a file. */
function withoutKnownPhones(text: ListingText, { dealerPhone, phoneB }: ReadListing): ListingText {
  const { dealerphone, phoneb, ...others } = text
  return {
    ...others,
    ...(dealerphone !== undefined && dealerphone !== dealerPhone && { dealerphone }),
    ...(phoneb !== undefined && phoneb !== phoneB && { phoneb }),
  }
}

/**
 * Returns the change for the history, or undefined if the picture is already the cover. A picture lower in the list
 * moves up.
 */
async function replaceCover(
  trx: Db,
  listingId: string,
  stored: StoredPicture,
): Promise<ColumnChanges | undefined> {
  const now = (await readPictureLists(trx, [listingId])).get(listingId) ?? []
  const [cover] = now
  const same = now.find(({ sha256 }) => sha256 === stored.sha256)
  if (same && same === cover) return undefined
  if (same) {
    const next = [same, ...now.filter((picture) => picture !== same && picture !== cover)]
    return { ...(await writePictureLists(trx, [{ listingId, now, next }], { keeps: false })).get(listingId) }
  }
  await attachPicture(trx, { listingId, stored })
  const next = now.map((picture) => (picture === cover ? { ...picture, url: null } : picture))
  const { imageUrl } = listChange(now, next)
  return { cover: [cover?.sha256 ?? null, stored.sha256], ...(imageUrl && { imageUrl }) }
}

/** Pictures are saved one by one while the form is open; that does not make its fields stale. */
async function refuseStale(trx: Db, before: ListingRecord, { version, actor }: ListingEdit): Promise<void> {
  if (version === undefined || version === before.version) return
  if (await isSameBesidesPictures(trx, before, version)) return
  const change = (await findLastChanges(trx, [before.id])).get(before.id)
  const changed = change && { by: whoChanged(change, actor), at: change.at.toISOString() }
  const how = change && changed ? `by ${changed.by} on ${formatMinute(change.at)}, after` : 'since'
  throw new AppError(
    'STALE',
    `This listing was changed ${how} you opened it. Load its current values, then make your change again.`,
    changed && { changed },
  )
}

async function newSlug(trx: Db, before: ListingRecord, text: ListingText): Promise<{ slug?: string }> {
  if (!text.partslug || text.partslug === before.slug) return {}
  const slug = await chooseSlug(trx, text.partslug, before.id)
  return slug === before.slug ? {} : { slug }
}
