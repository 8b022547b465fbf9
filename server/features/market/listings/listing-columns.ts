import type { Insertable, Selectable } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { plainFitment } from '#contract/listing/fitment.ts'
import { plainInterchange } from '#contract/listing/interchange.ts'
import {
  type ListingField,
  listingFields,
  specOf,
  type TermField,
  type TextColumn,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { type ListingText, parseShipping, toCents, toWholeNumber } from '#contract/listing/listing-rules.ts'
import { readTerm, type TermValue, termColumns, termText } from '#contract/listing/listing-terms.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { stateCode } from '#contract/text/us-states.ts'
import type { DB } from '#db/schema.gen.ts'

// A yard has a few phones in a million rows, and reading one takes 10 µs.
const MAX_REMEMBERED = 5_000
const remembered = new Map<string, string | undefined>()

/** The dialable form (+19185550123) of a typed number, read as a US number unless it has a country code. */
function toE164(typed: string): string | undefined {
  if (remembered.has(typed)) return remembered.get(typed)
  const parsed = parsePhoneNumberFromString(typed, 'US')
  const number = parsed?.isPossible() ? parsed.number : undefined
  if (remembered.size >= MAX_REMEMBERED) remembered.clear()
  remembered.set(typed, number)
  return number
}

export type ListingColumns = Insertable<DB['listing']>
type Columns = Partial<ListingColumns>

export type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Name
type ReadName = CamelCase<TextColumn>

export const camelCase = <Name extends string>(name: Name): CamelCase<Name> =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()) as CamelCase<Name>

/** The text fields of a listing, each under its column's name in camel case. */
export type ListingTexts = { [C in TextColumn as CamelCase<C>]: Selectable<DB['listing']>[C] }

/** A text field's column, its name in a read listing, and its empty value. */
export function textColumnOf(field: TextField): { column: TextColumn; name: ReadName; empty: '' | null } {
  const { column, notNull } = specOf(field)
  return {
    column: column as TextColumn,
    name: camelCase(column as TextColumn),
    empty: notNull ? '' : null,
  }
}

export const textColumns = textFields.map(textColumnOf)

/** Columns that are read and copied as they are, besides the texts of the field table. */
export const plainColumns = [
  'id',
  'seller_id',
  'kind',
  'slug',
  'status',
  'category_id',
  'manufacturer_id',
  'manufacturer_name',
  'car_model_id',
  'model_name',
  'year_from',
  'year_to',
  'price_cents',
  'currency',
  'quantity',
  'shipping_kind',
  'shipping_cents',
  'miles',
  ...termColumns,
  'latitude',
  'longitude',
  'version',
  'created_at',
  'updated_at',
  'ended_at',
  'ended_reason',
  'deleted_at',
] as const satisfies readonly (keyof ListingColumns)[]

type Write = (columns: Columns, text: string) => void

const numberOrNull = (text: string) => (text === '' ? null : Number(text))

/** Writers of fields that are not simply one text column. Lookups need the database and are resolved elsewhere. */
const specialWriters: Partial<Record<ListingField, Write>> = {
  partyear: writeYears,
  partprice: (columns, text) => {
    columns.price_cents = toCents(text)
  },
  partquantity: (columns, text) => {
    columns.quantity = text === '' ? 1 : toWholeNumber(text)
  },
  partshipping: writeShipping,
  fitment: (columns, text) => {
    columns.fitment = plainFitment(text) || null
  },
  partinterchange: (columns, text) => {
    columns.interchange = plainInterchange(text) || null
  },
  partmiles: (columns, text) => {
    columns.miles = text === '' ? null : toWholeNumber(text)
  },
  partstate: (columns, text) => {
    columns.state = stateCode(text)
  },
  latitude: (columns, text) => {
    columns.latitude = numberOrNull(text)
  },
  longitude: (columns, text) => {
    columns.longitude = numberOrNull(text)
  },
  dealerphone: (columns, text) => {
    columns.dealer_phone_e164 = toE164(text) ?? null
  },
}

// Written out by name, for the reason below.
const setTerm: { [F in TermField]: (columns: Columns, value: TermValue) => void } = {
  neverdeployed: (columns, value) => {
    columns.never_deployed = value as true | null
  },
  warrantydays: (columns, value) => {
    columns.warranty_days = value as number | null
  },
  asis: (columns, value) => {
    columns.as_is = value as true | null
  },
  returndays: (columns, value) => {
    columns.return_days = value as number | null
  },
  restockpct: (columns, value) => {
    columns.restock_pct = value as number | null
  },
  corecharge: (columns, value) => {
    columns.core_cents = value as number | null
  },
  coredays: (columns, value) => {
    columns.core_days = value as number | null
  },
}

const termWriters = termFields.map((field): [ListingField, Write] => [
  field,
  (columns, text) => setTerm[field](columns, readTerm(field, text) ?? null),
])

/** A listing's terms as text, for rules that compare fields. */
export const storedTerms = (value: (column: (typeof termColumns)[number]) => unknown): ListingText =>
  Object.fromEntries(
    termFields.map((field) => [field, termText(field, value(listingFields[field].column) as TermValue)]),
  )
// Node takes three times the memory for an object once more than 19 of its properties were set by computed keys, and a file
// has millions of rows; the special fields above are set by name, which does not count.
const textWriters = textFields
  .filter((field) => field !== 'fitment' && field !== 'partinterchange')
  .map((field): [ListingField, Write] => {
    const { upper } = specOf(field)
    const { column, empty } = textColumnOf(field)
    return [
      field,
      (columns, text) => {
        const texts = columns as Record<TextColumn, string | null>
        texts[column] = (upper ? text.toUpperCase() : text) || empty
      },
    ]
  })

/** A part that names no vehicle has no years. */
function writeYears(columns: Columns, text: string): void {
  const span = text === '' ? undefined : readYearSpan(text)
  if (text !== '' && !span) throw new RangeError('the year was not validated')
  columns.year_from = span?.from ?? null
  columns.year_to = span?.to ?? null
}

function writeShipping(columns: Columns, text: string): void {
  const shipping = parseShipping(text) ?? { kind: 'quote' }
  columns.shipping_kind = shipping.kind
  columns.shipping_cents = shipping.kind === 'flat' ? shipping.cents : null
}

// Built once, as every row of an import comes through here.
const eachWriter = [
  ...textWriters,
  ...termWriters,
  ...(Object.entries(specialWriters) as [ListingField, Write][]),
]

/** The columns of a validated text; missing fields set none. */
export function toColumns(text: ListingText): Columns {
  const columns: Columns = {}
  for (const [field, write] of eachWriter) {
    const value = text[field]
    if (value !== undefined) write(columns, value)
  }
  return columns
}
