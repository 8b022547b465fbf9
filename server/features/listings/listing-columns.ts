import type { Insertable } from 'kysely'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import {
  type ListingField,
  type ListingText,
  parseShipping,
  toCents,
  toWholeNumber,
} from '#contract/listing-rules.ts'
import { readYearSpan } from '#contract/year-span.ts'
import type { DB } from '#db/schema.gen.ts'

const names = `AL Alabama;AK Alaska;AZ Arizona;AR Arkansas;CA California;CO Colorado;CT Connecticut;DE Delaware;
DC District of Columbia;FL Florida;GA Georgia;HI Hawaii;ID Idaho;IL Illinois;IN Indiana;IA Iowa;KS Kansas;KY Kentucky;
LA Louisiana;ME Maine;MD Maryland;MA Massachusetts;MI Michigan;MN Minnesota;MS Mississippi;MO Missouri;MT Montana;
NE Nebraska;NV Nevada;NH New Hampshire;NJ New Jersey;NM New Mexico;NY New York;NC North Carolina;ND North Dakota;
OH Ohio;OK Oklahoma;OR Oregon;PA Pennsylvania;PR Puerto Rico;RI Rhode Island;SC South Carolina;SD South Dakota;
TN Tennessee;TX Texas;UT Utah;VT Vermont;VA Virginia;WA Washington;WV West Virginia;WI Wisconsin;WY Wyoming`

const codes = new Map(
  names.split(';').flatMap((entry) => {
    const [code = '', ...name] = entry.trim().split(' ')
    return [
      [code.toLowerCase(), code],
      [name.join(' ').toLowerCase(), code],
    ] as const
  }),
)

/** "oklahoma" and "ok" are OK; a place that is no US state stays as typed. */
function stateCode(typed: string): string {
  const text = typed.trim().replaceAll(/\s+/g, ' ')
  return codes.get(text.toLowerCase().replace(/\.$/, '')) ?? text
}

// A yard has a few phones in a million rows, and reading one takes 10 µs.
const MOST_REMEMBERED = 5_000
const remembered = new Map<string, string | undefined>()

/** The dialable form (+19185550123) of a number as typed, read as a US number unless it says otherwise. */
function toE164(typed: string): string | undefined {
  if (remembered.has(typed)) return remembered.get(typed)
  const parsed = parsePhoneNumberFromString(typed, 'US')
  const number = parsed?.isPossible() ? parsed.number : undefined
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(typed, number)
  return number
}

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
