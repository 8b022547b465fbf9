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

/** How each field's text is stored. Lookups are resolved apart, since they need the database. */
const writers: Partial<Record<ListingField, (text: string) => Columns>> = {
  partname: (name) => ({ name }),
  partdescription: (description) => ({ description }),
  parttrim: (text) => ({ trim_name: orNull(text) }),
  partyear: yearColumns,
  partgrade: (text) => ({ grade: orNull(text.toUpperCase()) }),
  partnum: (text) => ({ part_number: orNull(text) }),
  stocknum: (text) => ({ stock_number: orNull(text) }),
  vin: (text) => ({ vin: orNull(text.toUpperCase()) }),
  h1: (text) => ({ heading: orNull(text) }),
  partprice: (text) => ({ price_cents: toCents(text) }),
  partquantity: (text) => ({ quantity: text === '' ? 1 : toWholeNumber(text) }),
  partshipping: shippingColumns,
  partmiles: (text) => ({ miles: text === '' ? null : toWholeNumber(text) }),
  partdamage: (text) => ({ damage: orNull(text) }),
  partcity: (city) => ({ city }),
  partstate: (text) => ({ state: stateCode(text) }),
  zipcode: (text) => ({ zip: orNull(text) }),
  latitude: (text) => ({ latitude: numberOrNull(text) }),
  longitude: (text) => ({ longitude: numberOrNull(text) }),
  dealername: (text) => ({ dealer_name: text }),
  dealerphone: (text) => ({ dealer_phone: orNull(text), dealer_phone_e164: toE164(text) ?? null }),
  phoneb: (text) => ({ phone_b: orNull(text) }),
}

function yearColumns(text: string): Columns {
  const span = readYearSpan(text)
  if (!span) throw new RangeError('the text of a year was not checked')
  return { year_from: span.from, year_to: span.to }
}

function shippingColumns(text: string): Columns {
  const shipping = parseShipping(text)
  if (!shipping) return { shipping_kind: 'quote', shipping_cents: null }
  return { shipping_kind: shipping.kind, shipping_cents: shipping.kind === 'flat' ? shipping.cents : null }
}

// Listed once: the rows of an import come by here.
const eachWriter = Object.entries(writers) as [ListingField, (text: string) => Columns][]

/** The columns that a checked text sets; fields that were not sent set none. */
export function toColumns(text: ListingText): Columns {
  const columns: Columns = {}
  for (const [field, write] of eachWriter) {
    const value = text[field]
    if (value !== undefined) Object.assign(columns, write(value))
  }
  return columns
}
