import type { Insertable } from 'kysely'
import {
  type ListingField,
  type ListingText,
  parseShipping,
  toCents,
  toWholeNumber,
} from '#contract/listing-rules.ts'
import { readYearSpan } from '#contract/year-span.ts'
import type { DB } from '#db/schema.gen.ts'
import { toE164 } from './phone.ts'
import { stateCode } from './us-state.ts'

export type ListingColumns = Insertable<DB['listing']>
type Columns = Partial<ListingColumns>

const orNull = (text: string) => text || null
const numberOrNull = (text: string) => (text === '' ? null : Number(text))

/**
 * How each field's text is stored. Lookups are resolved apart, since they need the database. Each sets its columns by
 * their names: Node keeps an object that is filled so in a third of the memory of one filled by keys, and a file has
 * millions of them.
 */
const writers: Partial<Record<ListingField, (columns: Columns, text: string) => void>> = {
  partname: (columns, text) => {
    columns.name = text
  },
  partdescription: (columns, text) => {
    columns.description = text
  },
  parttrim: (columns, text) => {
    columns.trim_name = orNull(text)
  },
  partyear: writeYears,
  partgrade: (columns, text) => {
    columns.grade = orNull(text.toUpperCase())
  },
  partnum: (columns, text) => {
    columns.part_number = orNull(text)
  },
  stocknum: (columns, text) => {
    columns.stock_number = orNull(text)
  },
  vin: (columns, text) => {
    columns.vin = orNull(text.toUpperCase())
  },
  h1: (columns, text) => {
    columns.heading = orNull(text)
  },
  partprice: (columns, text) => {
    columns.price_cents = toCents(text)
  },
  partquantity: (columns, text) => {
    columns.quantity = text === '' ? 1 : toWholeNumber(text)
  },
  partshipping: writeShipping,
  partmiles: (columns, text) => {
    columns.miles = text === '' ? null : toWholeNumber(text)
  },
  partdamage: (columns, text) => {
    columns.damage = orNull(text)
  },
  partcity: (columns, text) => {
    columns.city = text
  },
  partstate: (columns, text) => {
    columns.state = stateCode(text)
  },
  zipcode: (columns, text) => {
    columns.zip = orNull(text)
  },
  latitude: (columns, text) => {
    columns.latitude = numberOrNull(text)
  },
  longitude: (columns, text) => {
    columns.longitude = numberOrNull(text)
  },
  dealername: (columns, text) => {
    columns.dealer_name = text
  },
  dealerphone: (columns, text) => {
    columns.dealer_phone = orNull(text)
    columns.dealer_phone_e164 = toE164(text) ?? null
  },
  phoneb: (columns, text) => {
    columns.phone_b = orNull(text)
  },
}

function writeYears(columns: Columns, text: string): void {
  const span = readYearSpan(text)
  if (!span) throw new RangeError('the text of a year was not checked')
  columns.year_from = span.from
  columns.year_to = span.to
}

function writeShipping(columns: Columns, text: string): void {
  const shipping = parseShipping(text) ?? { kind: 'quote' }
  columns.shipping_kind = shipping.kind
  columns.shipping_cents = shipping.kind === 'flat' ? shipping.cents : null
}

// Listed once: the rows of an import come by here.
const eachWriter = Object.entries(writers) as [ListingField, (columns: Columns, text: string) => void][]

/** The columns that a checked text sets; fields that were not sent set none. */
export function toColumns(text: ListingText): Columns {
  const columns: Columns = {}
  for (const [field, write] of eachWriter) {
    const value = text[field]
    if (value !== undefined) write(columns, value)
  }
  return columns
}
