import type { ListingDefaults } from '#contract/accounts.ts'
import {
  allFields,
  isInForm,
  type ListingField,
  type ListingKind,
  replyNameOf,
  specOf,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { grades, type ListingText } from '#contract/listing/listing-rules.ts'
import { listingYears, narrowedYear } from '#contract/listing/year-span.ts'
import type { Listing, ListingBody } from '#contract/listings.ts'
import { parseRecord } from '#web/api/browser-storage.ts'
import { readFromDevice } from '#web/api/device-copies.ts'

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

export function valuesFromDefaults(device: ListingDefaults, account: ListingDefaults): ListingValues {
  const { city, state, dealerName, dealerPhone, grade, shipping } = joinedDefaults(device, account)
  return {
    ...emptyValues(),
    partcity: city,
    partstate: state,
    dealername: dealerName,
    dealerphone: dealerPhone,
    partgrade: gradeLetter(grade) ?? '',
    partshipping: shipping,
  }
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
    partmanuname: listing.partmanuname,
    partmodel: listing.partmodel,
    partmodelId: asText(listing.partmodelId),
    partyear: listingYears(listing),
    partprice: listing.partprice.toFixed(2),
    partquantity: String(listing.partquantity),
    partshipping: shippingText(listing),
    partmiles: asText(listing.partmiles),
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

// Ids, whose names are fields of their own.
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

const names = ['city', 'state', 'dealerName', 'dealerPhone', 'grade', 'shipping'] as const

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
