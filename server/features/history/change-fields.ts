import { fieldLabels } from '#contract/listing-rules.ts'

/** What the history keeps: column (or `picture`, `imageUrl`) → the value before and after. */
export type RecordedChange = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** A change as people read it, under the API's names. */
export type ChangedField = { field: string; label: string; before: unknown; after: unknown }

type Side = 0 | 1
type Reader = {
  field: string
  label: string
  /** The columns that say it; it changed where one of them did. */
  columns: readonly string[]
  read: (value: (column: string) => unknown, categoryName: (id: string) => string) => unknown
}

const plain = (column: string, field: string, label: string): Reader => ({
  field,
  label,
  columns: [column],
  read: (value) => value(column) ?? null,
})

const labelled = (column: string, field: keyof typeof fieldLabels): Reader =>
  plain(column, field, fieldLabels[field])

/**
 * In the order in which a form has the fields. Ids of manufacturers and models are left out: the names that change with
 * them stand beside them in the listing.
 */
const readers: readonly Reader[] = [
  labelled('name', 'partname'),
  { ...labelled('year_from', 'partyear'), columns: ['year_from', 'year_to'], read: yearText },
  { ...plain('manufacturer_name', 'partmanu', fieldLabels.partmanuId) },
  labelled('model_name', 'partmodel'),
  labelled('trim_name', 'parttrim'),
  { ...plain('category_id', 'partcategory', fieldLabels.partcategoryId), read: categoryText },
  labelled('grade', 'partgrade'),
  labelled('part_number', 'partnum'),
  labelled('stock_number', 'stocknum'),
  labelled('vin', 'vin'),
  { ...labelled('price_cents', 'partprice'), read: (value) => dollars(value('price_cents')) },
  labelled('quantity', 'partquantity'),
  {
    ...labelled('shipping_kind', 'partshipping'),
    columns: ['shipping_kind', 'shipping_cents'],
    read: shippingText,
  },
  labelled('miles', 'partmiles'),
  labelled('damage', 'partdamage'),
  labelled('description', 'partdescription'),
  labelled('heading', 'h1'),
  plain('picture', 'image', 'Picture'),
  plain('imageUrl', 'imageUrl', 'Picture address'),
  labelled('city', 'partcity'),
  labelled('state', 'partstate'),
  labelled('zip', 'zipcode'),
  labelled('latitude', 'latitude'),
  labelled('longitude', 'longitude'),
  labelled('dealer_name', 'dealername'),
  labelled('dealer_phone', 'dealerphone'),
  labelled('phone_b', 'phoneb'),
  labelled('slug', 'partslug'),
  plain('status', 'status', 'Status'),
  plain('ended_at', 'endedAt', 'Ended'),
  plain('ended_reason', 'endedReason', 'Reason of the end'),
  plain('deleted_at', 'deletedAt', 'Deleted'),
]

/** What changed, in the fields' words: prices in dollars, names for ids. */
export function changedFields(changes: RecordedChange, categoryName: (id: string) => string): ChangedField[] {
  return readers.flatMap(({ field, label, columns, read }) => {
    if (!columns.some((column) => changes[column])) return []
    const at = (side: Side) => read((column) => changes[column]?.[side], categoryName)
    return { field, label, before: at(0), after: at(1) }
  })
}

/** Ids of categories in these changes. */
export const categoriesIn = (changes: readonly RecordedChange[]): string[] =>
  changes
    .flatMap(({ category_id: category }) => category ?? [])
    .filter((id): id is string => typeof id === 'string')

function dollars(cents: unknown): number | null {
  return typeof cents === 'number' ? cents / 100 : null
}

function yearText(value: (column: string) => unknown): unknown {
  const [from, to] = [value('year_from'), value('year_to')]
  if (from === undefined) return `to ${to}`
  if (to === undefined) return `from ${from}`
  return from === to ? from : `${from}-${to}`
}

function categoryText(value: (column: string) => unknown, categoryName: (id: string) => string): unknown {
  const id = value('category_id')
  return typeof id === 'string' ? categoryName(id) : null
}

/** Where only the amount changed the kind stayed "flat", the one that has an amount. */
function shippingText(value: (column: string) => unknown): string {
  const kind = value('shipping_kind') ?? 'flat'
  const cents = dollars(value('shipping_cents'))
  if (kind === 'flat') return cents === null ? 'Flat rate' : `$${cents.toFixed(2)}`
  return { free: 'Free', pickup: 'Pickup only' }[String(kind)] ?? 'On request'
}
