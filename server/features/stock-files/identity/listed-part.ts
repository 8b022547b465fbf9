import { sql } from 'kysely'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { joinAddresses, splitAddresses } from '#contract/csv/picture-addresses.ts'
import {
  type FileTextField,
  fileFields,
  fileNameOf,
  fileTextFields,
  listingFields,
  specOf,
  type TermField,
  termFields,
} from '#contract/listing/listing-fields.ts'
import { type TermValue, termText } from '#contract/listing/listing-terms.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { plainDescription } from '#contract/text/description.ts'
import { type ListingColumns, toColumns } from '#server/features/market/listings/listing-columns.ts'
import {
  type ColumnChanges,
  diffColumns,
  type ListingRecord,
} from '#server/features/market/listings/write-queries.ts'
import type { LookupNames } from '#server/features/market/lookups/lookup-names.ts'
import {
  type FileList,
  fileListColumns,
  fittingAddresses,
} from '#server/features/market/pictures/picture-lists.ts'
import { followingTexts } from '#server/features/market/writing/following-texts.ts'
import type { Source } from '#server/features/stock-files/identity/sources.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import type { Db } from '#server/platform/database/database.ts'

/* A row of a file as the values of a listing, and the comparison of the two: which columns and names a row changes. */

/** The text of a staged record's target fields. */
export type StagedText = Partial<Record<ImportField, string>>

const lasting: ReadonlySet<ImportField> = new Set(
  fileFields.filter((field) => specOf(field).file?.lasting).map(fileNameOf),
)

/**
 * The text of a row in the fields its file has. An empty value is '' and clears the listing's field, except for an empty
 * description, heading or stock number, which are left out. `madeUp`: fields whose values an older reading made up, which an empty
 * value always clears.
 */
export function textOfRow(
  fields: Fields,
  ofFile: readonly ImportField[],
  madeUp: readonly ImportField[] = [],
): StagedText {
  const text: StagedText = {}
  for (const field of madeUp.length > 0 ? new Set([...ofFile, ...madeUp]) : ofFile) {
    // In the name.
    if (field === 'partside') continue
    const value = fields[field]
    const typed = value === undefined || value === null ? '' : String(value).trim()
    const cell = field === 'partdescription' ? plainDescription(typed) : typed
    if (cell !== '' || !lasting.has(field) || madeUp.includes(field)) text[field] = cell
  }
  return text
}

/** The listing values of a row; columns of fields that the file lacks are absent. */
export type RowListing = {
  readonly columns: Partial<ListingColumns>
  /** The addresses of its pictures. Null if the file has pictures but the row has none, undefined if it has no such column. */
  readonly imageUrl: string | null | undefined
}

// Same as the rule for a listing's quantity.
const MAX_QUANTITY = 1_000_000

/**
 * The columns that a row sets. Names that are not, or no longer, in the lookups stay as text; duplicate rows add up to a
 * quantity.
 */
export function listingOfRow(text: StagedText, copies: number, names: LookupNames): RowListing {
  const columns = toColumns(text)
  setVehicle(columns, text, names)
  if (text.partcategory !== undefined) columns.category_id = names.category(text.partcategory)?.id ?? null
  if (typeof columns.quantity === 'number') {
    columns.quantity = Math.min(columns.quantity * copies, MAX_QUANTITY)
  }
  return { columns, imageUrl: pictureOf(text) }
}

function setVehicle(
  columns: Partial<ListingColumns>,
  { partmanu, partmodel }: StagedText,
  names: LookupNames,
): void {
  // For universal parts, a file may have makes only.
  if (partmanu === undefined && partmodel === undefined) return
  const manufacturer = partmanu ? names.manufacturer(partmanu) : undefined
  const model = manufacturer && partmodel ? names.model(manufacturer.id, partmodel) : undefined
  columns.manufacturer_id = manufacturer?.id ?? null
  columns.manufacturer_name = manufacturer?.name ?? partmanu ?? ''
  columns.car_model_id = model?.id ?? null
  columns.model_name = model?.name ?? partmodel ?? ''
  // "F150 Regular Cab" also names the body style, which applies if the row has none of its own.
  if (model?.bodyStyle && !columns.body_style) columns.body_style = model.bodyStyle
  if (model?.trim && !columns.trim_name) columns.trim_name = model.trim
}

function pictureOf({ imageUrl }: StagedText): RowListing['imageUrl'] {
  if (imageUrl === undefined) return undefined
  const addresses = splitAddresses(imageUrl).filter(
    (address) => /^https?:\/\//i.test(address) && address.length <= 2_000,
  )
  return joinAddresses(addresses) || null
}

export type UpdatedListing = FileList & {
  readonly listing: ListingRecord
  /** Number of duplicate rows it came from before; undefined if it came from none. */
  readonly copiesBefore: number | undefined
  readonly reopens: boolean
  /** What models wrote of the descriptions of a page of listings (`findScriptProse`). */
  readonly prose?: ReadonlySet<string> | undefined
}

export type RowChange = {
  readonly columns: ColumnChanges
  /** Changes in other tables. */
  readonly elsewhere: { imageUrl: [before: string | null, after: string | null] } | undefined
}

/** A row's changes to its listing: only columns in the file, and only those that differ. */
export function rowChange(
  { listing, imageUrl, others, copiesBefore = 1, reopens, prose }: UpdatedListing,
  row: RowListing | undefined,
  copies: number,
): RowChange {
  const columns = {
    ...(copies !== copiesBefore && { quantity: copies }),
    ...row?.columns,
    ...(reopens && { ended_at: null, ended_reason: null }),
  }
  const url = row?.imageUrl && fittingAddresses(row.imageUrl, others)
  return {
    columns: diffColumns(listing, { ...followingTexts(listing, columns, { prose }), ...columns }),
    elsewhere: url === undefined || url === imageUrl ? undefined : { imageUrl: [imageUrl, url] },
  }
}

/** A listing with its values from other tables, to compare with a row that names it by its id. */
export type ListedPart = FileList & {
  readonly listing: ListingRecord
  readonly categoryName: string | null
}

/** Whether a file may still change it. */
export const isListed = ({ listing }: ListedPart): boolean =>
  listing.deleted_at === null && listing.ended_at === null

/** A listing as import fields: its row in an export. */
export function standardText({ listing, categoryName, imageUrl }: ListedPart): Record<ImportField, string> {
  const texts = Object.fromEntries(
    fileTextFields.map((field) => [field, listing[listingFields[field].column] ?? '']),
  )
  const terms = Object.fromEntries(
    termFields.map((field) => [field, termText(field, listing[listingFields[field].column] as TermValue)]),
  )
  return {
    ...(texts as Record<FileTextField, string>),
    ...(terms as Record<TermField, string>),
    imageUrl: imageUrl ?? '',
    partside: '',
    partcategory: categoryName ?? '',
    partmanu: listing.manufacturer_name,
    partmodel: listing.model_name,
    partyear: yearSpanText({ from: listing.year_from, to: listing.year_to }),
    partprice: dollars(listing.price_cents),
    partshipping: shippingText(listing),
    partquantity: String(listing.quantity),
    partmiles: listing.miles === null ? '' : String(listing.miles),
    listingid: listing.id,
  }
}

const dollars = (cents: number) => (cents / 100).toFixed(2)

function shippingText({ shipping_kind: kind, shipping_cents: cents }: ListingRecord): string {
  if (kind === 'free') return 'Free'
  if (kind === 'pickup') return 'Pickup only'
  return cents === null ? '' : dollars(cents)
}

/**
 * The fields of a row that differ from its listing. A cell that equals its export is unchanged, even if the rules for new
 * parts would refuse it; an empty picture URL leaves the picture, since one that a user uploaded has no URL.
 */
export function editsOfRow(text: StagedText, part: ListedPart): StagedText {
  const listed = standardText(part)
  // Older listings may still contain HTML.
  const known = { ...listed, partdescription: plainDescription(listed.partdescription) }
  const edits: StagedText = {}
  for (const [field, value] of Object.entries(text) as [ImportField, string][]) {
    if (field === 'listingid' || (field === 'imageUrl' && value === '')) continue
    if (!isSameText(value, known[field])) edits[field] = value
  }
  // Make and model are looked up together.
  if (edits.partmanu !== undefined || edits.partmodel !== undefined) {
    edits.partmanu ??= known.partmanu
    edits.partmodel ??= known.partmodel
  }
  return edits
}

/** Whether two texts differ only in surrounding spaces and line ends, which spreadsheets rewrite. */
export const isSameText = (one: string, other: string): boolean =>
  one === other || asTyped(one) === asTyped(other)

const asTyped = (text: string) => text.trim().replaceAll('\r\n', '\n')

/** Whether these field changes alter the listing, by the same rule that writes them. */
export function changesListing(part: ListedPart, edits: StagedText, names: LookupNames): boolean {
  if (Object.keys(edits).length === 0) return false
  // A new category will be created.
  if (newNamesOf(edits, names).category !== undefined) return true
  const updated = { ...part, copiesBefore: undefined, reopens: false }
  const { columns, elsewhere } = rowChange(updated, listingOfRow(edits, 1, names), 1)
  return elsewhere !== undefined || Object.keys(columns).length > 0
}

/**
 * The names of a row that no lookup has; undefined for known ones, and for undecided manufacturers and models, which stay
 * as text.
 */
export type NewNames = {
  readonly category: string | undefined
  readonly manufacturer: string | undefined
  /** With the known or new manufacturer. */
  readonly model: { readonly manufacturer: string; readonly model: string } | undefined
}

export function newNamesOf({ partcategory, partmanu, partmodel }: StagedText, names: LookupNames): NewNames {
  // Undecided ones too: a listing is never without a category.
  const isNewCategory = partcategory && !names.category(partcategory)
  const vehicle = partmanu ? newVehicle(partmanu, partmodel, names) : NO_NEW_VEHICLE
  return { category: isNewCategory ? partcategory : undefined, ...vehicle }
}

const NO_NEW_VEHICLE = { manufacturer: undefined, model: undefined }

function newVehicle(make: string, model: string | undefined, names: LookupNames): Omit<NewNames, 'category'> {
  const known = names.manufacturer(make)
  if (!known) {
    // All models of an undecided manufacturer stay as text too.
    if (names.isUndecided('manufacturer', make)) return NO_NEW_VEHICLE
    return { manufacturer: make, model: model ? { manufacturer: make, model } : undefined }
  }
  if (!model) return NO_NEW_VEHICLE
  const isKnown = names.model(known.id, model) || names.isUndecided('car_model', model, known.id)
  return { manufacturer: undefined, model: isKnown ? undefined : { manufacturer: known.name, model } }
}

export type FoundPart = ListedPart & {
  /** Which row of the seller's files it came from; null if none. */
  readonly place: Pick<Source, 'key' | 'ordinal'> | null
}

type Row = ListingRecord & FileList & Pick<ListedPart, 'categoryName'> & Pick<FoundPart, 'place'>

const partColumns = sql`
  l.*, c.name as "categoryName", pictures.*,
  (select jsonb_build_object('key', encode(s.source_key, 'hex'), 'ordinal', s.ordinal)
   from listing_source s where s.listing_id = l.id) as place`

const partJoins = sql`
  left join category c on c.id = l.category_id
  cross join lateral (select ${fileListColumns} from listing_image i where i.listing_id = l.id) pictures`

// The row doubles as its listing, extra columns included, to avoid copying a million of them.
const toPart = (row: Row): FoundPart => {
  const { categoryName, imageUrl, others, place } = row
  return { listing: row, categoryName, imageUrl, others, place }
}

/** The seller's listings among these ids, including deleted and ended ones, by id. */
export async function findListedParts(
  db: Db,
  sellerId: string,
  ids: readonly string[],
): Promise<Map<string, FoundPart>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Row>`
    select ${partColumns} from listing l ${partJoins}
    where l.id = any(${[...new Set(ids)]}::uuid[]) and l.seller_id = ${sellerId}
  `.execute(db)
  return new Map(rows.map((row) => [row.id, toPart(row)]))
}

/** The next of a seller's listings that are neither ended nor deleted, including hidden ones, newest first. */
export async function listPartsBelow(
  db: Db,
  sellerId: string,
  { below, limit }: { below: string; limit: number },
): Promise<ListedPart[]> {
  const { rows } = await sql<Row>`
    select ${partColumns}
    from (
      select * from listing
      where seller_id = ${sellerId} and deleted_at is null and ended_at is null and id < ${below}
      order by id desc limit ${limit}
    ) l ${partJoins}
    order by l.id desc
  `.execute(db)
  return rows.map(toPart)
}
