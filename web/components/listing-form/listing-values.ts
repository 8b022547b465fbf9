import type { ListingDefaults } from '#contract/listing/listing-defaults.ts'
import {
  allFields,
  isInForm,
  type ListingField,
  type ListingKind,
  replyNameOf,
  specOf,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { grades, type ListingText } from '#contract/listing/listing-rules.ts'
import { replyTermText } from '#contract/listing/listing-terms.ts'
import { listingYears, narrowedYear } from '#contract/listing/year-span.ts'
import type { Listing, ListingBody } from '#contract/listings.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { parseRecord, readText, writeText } from '#web/api/browser-storage.ts'
import { draftPrefix, readFromDevice } from '#web/api/device-copies.ts'

/** The form's values: every field as text, '' if empty. */
export type ListingValues = Record<ListingField, string>

const fieldsOfForm = (kind: ListingKind) => allFields.filter((field) => isInForm(field, kind))

/** The fields of each form in screen order. */
const formFields: Record<ListingKind, readonly ListingField[]> = {
  ecommerce: fieldsOfForm('ecommerce'),
  quick: fieldsOfForm('quick'),
}

export const emptyValues = (): ListingValues =>
  Object.fromEntries(allFields.map((field) => [field, ''])) as ListingValues

/** A default grade is free text ("A", "B good"). Its first letter counts if it is a grade. */
const gradeLetter = (text: string) => grades.find((grade) => grade === text.trim().charAt(0).toUpperCase())

/** The seller's defaults; where there are none, the last listing's values. */
export function valuesFromDefaults(
  device: ListingDefaults,
  account: ListingDefaults,
  last: Partial<ListingValues> = {},
): ListingValues {
  const { city, state, dealerName, dealerPhone, grade, shipping } = joinedDefaults(device, account)
  // City, state and zip belong together: a chosen city must not get the last listing's zip code.
  const place = city || state ? {} : last
  return {
    ...emptyValues(),
    partcity: city || (place.partcity ?? ''),
    partstate: state || (place.partstate ?? ''),
    zipcode: place.zipcode ?? '',
    dealername: dealerName || (last.dealername ?? ''),
    dealerphone: dealerPhone || (last.dealerphone ?? ''),
    partgrade: gradeLetter(grade) ?? '',
    partshipping: shipping || (last.partshipping ?? ''),
    ...Object.fromEntries(repeatedTerms.map((field) => [field, last[field] ?? ''])),
  }
}

/** Fields that the next listing most likely repeats. */
const repeatedTerms = ['warrantydays', 'returndays', 'restockpct'] as const
const repeated = [
  ...(['partcity', 'partstate', 'zipcode', 'dealername', 'dealerphone', 'partshipping'] as const),
  ...repeatedTerms,
] as const

const lastKey = (userId: string) => `${draftPrefix}last:${userId}`

/** Remembers a saved listing's town, phone and shipping on this device; empty fields keep what was there. */
export function rememberForNextListing(userId: string, values: ListingValues): void {
  const filled = repeated.filter((field) => values[field].trim() !== '')
  const next = Object.fromEntries(filled.map((field) => [field, values[field].trim()]))
  writeText(lastKey(userId), JSON.stringify({ ...rememberedFor(userId), ...next }))
}

export function rememberedFor(userId: string): Partial<ListingValues> {
  const kept = parseRecord(readText(lastKey(userId))) ?? {}
  return Object.fromEntries(
    repeated.flatMap((field) => (typeof kept[field] === 'string' ? [[field, kept[field]]] : [])),
  )
}

/** "$1,125" as people type it is 1125, which the price's rule takes; "oklahoma" is OK. */
export function trimmedValue(field: ListingField, typed: string): string {
  const text = typed.trim()
  if (field === 'partstate') return stateCode(text)
  if (field !== 'partprice') return typed
  const [, amount] = /^\$?\s*(\d{1,3}(?:,\d{3})+(?:\.\d{1,2})?|\d+(?:\.\d{1,2})?)$/.exec(text) ?? []
  return amount?.replaceAll(',', '') ?? typed
}

/** The same object if there is nothing to tidy. */
export function trimmedValues(values: ListingValues): ListingValues {
  const partprice = trimmedValue('partprice', values.partprice)
  const partstate = trimmedValue('partstate', values.partstate)
  const same = partprice === values.partprice && partstate === values.partstate
  return same ? values : { ...values, partprice, partstate }
}

/** A shipping cost as text that `parseShipping` reads. */
function shippingText({ shippingKind, partshipping }: Listing): string {
  if (shippingKind === 'free') return 'Free'
  if (shippingKind === 'pickup') return 'Pickup only'
  return partshipping === null ? '' : String(partshipping)
}

const asText = (value: string | number | null) => (value === null ? '' : String(value))

export function valuesOfListing(listing: Listing): ListingValues {
  return {
    ...emptyValues(),
    ...textsOfListing(listing),
    partcategoryId: asText(listing.partcategoryId),
    partmanuId: asText(listing.partmanuId),
    partmanuname: asText(listing.partmanuname),
    partmodel: asText(listing.partmodel),
    partmodelId: asText(listing.partmodelId),
    partyear: listingYears(listing),
    partprice: listing.partprice.toFixed(2),
    partquantity: String(listing.partquantity),
    partshipping: shippingText(listing),
    partmiles: asText(listing.partmiles),
    ...termsOfListing(listing),
    latitude: asText(listing.latitude),
    longitude: asText(listing.longitude),
    partslug: listing.partslug,
  }
}

const textsOfListing = (listing: Listing): Partial<ListingValues> =>
  Object.fromEntries(
    textFields
      .filter((field) => specOf(field).forms?.length !== 0)
      .map((field) => [field, asText(listing[replyNameOf(field)])]),
  )

const termsOfListing = (listing: Listing): Partial<ListingValues> =>
  Object.fromEntries(termFields.map((field) => [field, replyTermText(field, listing[field])]))

type FieldSpec = ReturnType<typeof specOf>

function pick(values: ListingValues, keeps: (spec: FieldSpec) => unknown): ListingValues {
  const fields = allFields.filter((field) => keeps(specOf(field)))
  return { ...emptyValues(), ...Object.fromEntries(fields.map((field) => [field, values[field]])) }
}

/** The values to keep for the next part from the same car. */
export const sameCarValues = (values: ListingValues) => pick(values, ({ sameCar }) => sameCar)

/** The values of a copy, without slug and stock number. */
export const duplicateValues = (values: ListingValues) => pick(values, ({ ownToEach }) => !ownToEach)

/** The body of a new listing: its non-empty fields. */
export function bodyToCreate(kind: ListingKind, values: ListingValues): ListingText {
  const filled = formFields[kind].filter((field) => values[field].trim() !== '')
  return Object.fromEntries(filled.map((field) => [field, values[field].trim()]))
}

type FieldNames = Partial<Record<ListingField, string>>

/** The spec's field names for creating a listing, where they differ from the reply's. */
export const namesToCreate: Record<ListingKind, FieldNames> = {
  ecommerce: {},
  quick: { partdescription: 'partdesc', dealername: 'partdealer', dealerphone: 'phonea' },
}

export function renamed(text: ListingText, names: FieldNames): ListingBody {
  const pairs = Object.entries(text) as [ListingField, string][]
  return Object.fromEntries(pairs.map(([field, value]) => [names[field] ?? field, value]))
}

/** The body of an edit: the changed fields, with '' for a cleared one. */
export function bodyToUpdate(kind: ListingKind, before: ListingValues, after: ListingValues): ListingText {
  return Object.fromEntries(
    changedFields(kind, before, after).map((field) => {
      const text = after[field].trim()
      return [field, field === 'partyear' ? narrowedYear(before.partyear, text) : text]
    }),
  )
}

/** A new quick listing has no shipping input, but an admin can edit it. */
const editedFields: Record<ListingKind, readonly ListingField[]> = {
  ecommerce: formFields.ecommerce,
  quick: [...formFields.quick, 'partshipping'],
}

export function changedFields(
  kind: ListingKind,
  before: ListingValues,
  after: ListingValues,
): ListingField[] {
  return editedFields[kind].filter((field) => before[field].trim() !== after[field].trim())
}

type Clashing = { before: ListingValues; typed: ListingValues; current: ListingValues }

/** The current values overlaid with the user's edits. */
export function mergedValues(kind: ListingKind, { before, typed, current }: Clashing): ListingValues {
  const touched = changedFields(kind, before, typed)
  return { ...current, ...Object.fromEntries(touched.map((field) => [field, typed[field]])) }
}

// Foreign keys; their names are separate fields.
const unnamed: readonly ListingField[] = ['partmanuId', 'partmodelId']

/** The changed fields that have a label. */
export const namedChanges = (
  kind: ListingKind,
  before: ListingValues,
  after: ListingValues,
): ListingField[] => changedFields(kind, before, after).filter((field) => !unnamed.includes(field))

/** Fields both people changed to different values. */
export function overlapsOf(kind: ListingKind, { before, typed, current }: Clashing) {
  return namedChanges(kind, before, typed)
    .map((field) => ({ field, theirs: current[field].trim(), mine: typed[field].trim() }))
    .filter(({ field, theirs, mine }) => theirs !== before[field].trim() && theirs !== mine)
}

const names = ['city', 'state', 'dealerName', 'dealerPhone', 'grade', 'shipping', 'license'] as const

/** Parses the spec's 'listingDefaults' record. Values that are not text count as unset. */
export function readListingDefaults(stored: string | null): ListingDefaults {
  const kept = parseRecord(stored) ?? {}
  return Object.fromEntries(
    names.filter((name) => typeof kept[name] === 'string').map((name) => [name, kept[name]]),
  )
}

export const deviceListingDefaults = (): ListingDefaults =>
  readListingDefaults(readFromDevice('listingDefaults'))

export type FilledDefaults = Record<keyof ListingDefaults, string>

/** The device's defaults win, because the user entered them here last. */
export function joinedDefaults(device: ListingDefaults, account: ListingDefaults): FilledDefaults {
  const choose = (name: keyof ListingDefaults) => device[name]?.trim() || account[name]?.trim() || ''
  return Object.fromEntries(names.map((name) => [name, choose(name)])) as FilledDefaults
}
