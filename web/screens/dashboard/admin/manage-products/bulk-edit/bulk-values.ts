import type { BulkField } from '#contract/admin/listings.ts'
import {
  allFields,
  type BulkListingField,
  type ListingField,
  type ListingKind,
  replyNameOf,
  specOf,
  type TermField,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import {
  checkListing,
  fieldLabels,
  parseShipping,
  toCents,
  toWholeNumber,
} from '#contract/listing/listing-rules.ts'
import { readTerm, replyTermText, termText } from '#contract/listing/listing-terms.ts'
import { listingYears } from '#contract/listing/year-span.ts'
import { type Listing, listingStatuses } from '#contract/listings.ts'
import { plainNumber } from '#contract/text/typed-number.ts'
import {
  conflictsOf,
  type Sentences,
  type ServerRow,
  type SheetRow,
  type Values,
} from '#web/components/data-grid/sheet-row.ts'

/** A field's label in the grid, by default the same as in the forms. */
export const labelOf = (field: string): string => labels.get(field) ?? field

const labels: ReadonlyMap<string, string> = new Map([
  ...allFields.map((field) => [field, specOf(field).bulk?.label ?? fieldLabels[field]] as const),
  ['status', 'Status'],
])

const dollars = (amount: number) => amount.toFixed(2)
const text = (value: string | number | null) => (value === null ? '' : String(value))

function shippingText({ shippingKind, partshipping }: Listing): string {
  if (shippingKind === 'free') return 'Free'
  if (shippingKind === 'pickup') return 'Pickup only'
  return partshipping === null ? '' : dollars(partshipping)
}

type BulkText = BulkListingField & TextField
const bulkTexts = textFields.filter((field): field is BulkText => specOf(field).bulk !== undefined)

export function toServerRow(listing: Listing): ServerRow {
  const texts = Object.fromEntries(bulkTexts.map((field) => [field, text(listing[replyNameOf(field)])]))
  const values: Record<BulkField | 'partmanuname' | 'kind', string> = {
    ...(texts as Record<BulkText, string>),
    kind: listing.kind,
    partmanuname: text(listing.partmanuname),
    partprice: dollars(listing.partprice),
    partyear: listingYears(listing),
    partmodel: text(listing.partmodel),
    partquantity: text(listing.partquantity),
    partshipping: shippingText(listing),
    partmiles: text(listing.partmiles),
    ...(Object.fromEntries(
      termFields.map((field) => [field, replyTermText(field, listing[field])]),
    ) as Record<TermField, string>),
    status: listing.status,
  }
  return { id: listing.id, version: listing.version, values }
}

/** Normalizes a typed or pasted value: the price "$1,299.5" becomes "1299.50". */
export function normaliseValue(field: string, typed: string): string {
  const plain = typed.trim().replaceAll(/\r\n?/g, '\n')
  return normalizers[field]?.(plain) ?? plain
}

const upper = (plain: string) => plain.toUpperCase()

const wholeNumber = (plain: string) => {
  const value = toWholeNumber(plain)
  return Number.isNaN(value) ? plain : String(value)
}

function price(plain: string): string {
  const digits = plainNumber(plain) ?? ''
  return /^\d{1,8}(\.\d{1,2})?$/.test(digits) ? dollars(toCents(digits) / 100) : plain
}

function shipping(plain: string): string {
  const read = parseShipping(plain)
  if (!read) return plain
  if (read.kind === 'flat') return dollars(read.cents / 100)
  return read.kind === 'free' ? 'Free' : 'Pickup only'
}

const normalizers: Readonly<Record<string, (plain: string) => string>> = {
  partprice: price,
  partshipping: shipping,
  partgrade: upper,
  status: upper,
  partquantity: wholeNumber,
  partmiles: wholeNumber,
  ...Object.fromEntries(termFields.map((field) => [field, (plain: string) => term(field, plain)])),
}

function term(field: TermField, plain: string): string {
  const value = readTerm(field, plain.replace(/^\$\s*|\s*%$/g, ''))
  return value === undefined ? plain : termText(field, value)
}

const statusRule = `Status must be ${listingStatuses.join(' or ')}`

export function checkValues(changed: Values, row: SheetRow): Sentences {
  const { status, ...fields } = changed
  const year = new Date().getFullYear()
  const problem = checkListing(row.values.kind as ListingKind, fields, {
    mode: 'edit',
    year,
    stored: row.values,
    // Only the server knows which categories need a vehicle: tires may be emptied of theirs, and it refuses others.
    universal: true,
  })
  const wrongStatus = status !== undefined && !(listingStatuses as readonly string[]).includes(status)
  return { ...(problem?.fields as Sentences | undefined), ...(wrongStatus && { status: statusRule }) }
}

/** Away from its cell, an error needs its field's label. */
function named(field: string, sentence: string): string {
  const names = [labelOf(field), fieldLabels[field as ListingField] ?? labelOf(field)]
  return names.some((name) => sentence.startsWith(name)) ? sentence : `${labelOf(field)}: ${sentence}`
}

export function sentencesOf(row: SheetRow): string[] {
  return [
    ...row.errors,
    ...Object.entries({ ...row.refused, ...row.broken }).map(([field, sentence]) => named(field, sentence)),
    ...conflictsOf(row).map((field) => `${labelOf(field)}: someone else changed it too`),
  ]
}

export const titleOf = ({ values }: SheetRow): string =>
  [values.partyear, values.partmanuname, values.partmodel, values.partname].filter(Boolean).join(' ')
