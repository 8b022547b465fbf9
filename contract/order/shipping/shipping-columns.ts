import { headerName } from '#contract/csv/field-headers.ts'
import { type Carrier, carriers } from '#contract/order/order-steps.ts'
import { type ShippingField, shippingFields } from './shipping-list.ts'

/* What the columns and cells of a shipping list mean, as yards and carriers' programs write them. */

const names: Readonly<Record<ShippingField, ReadonlySet<string>>> = {
  number: new Set(
    `order ordernum ordernumber orderno ordernbr orderid orders salesorder salesordernum salesordernumber salesorderno
    so sonum sonumber invoicenumber ponum ponumber pono po customerpo reference referencenum referencenumber ref refnum refno
    reference1 ref1 shipmentreference customerreference marketplaceorder partharbororder externalorderid`.split(
      /\s+/,
    ),
  ),
  carrier: new Set(
    `carrier carriername shippingcarrier shipcarrier shipvia shippedvia via shippingmethod shipmethod courier
    shippingcompany shipper carrierservice shippingservice service servicetype provider shippingprovider`.split(
      /\s+/,
    ),
  ),
  tracking: new Set(
    `tracking trackingnum trackingnumber trackingnumbers trackingno trackingnbr trackingid trackingcode tracknum
    trackno track trackandtrace waybill waybillnum waybillnumber airwaybill awb pronum pronumber pro bol bolnum
    billoflading consignment consignmentnumber packagetrackingnumber leadtrackingnumber shipmenttracking
    shipmenttrackingnumber`.split(/\s+/),
  ),
}

/** Yards type it with or without what is before the digits. */
const ORDER_NUMBER = /^(?:PH)?(\d{6,9})$/

/** The order number of a cell: “ph 100234”, “#100234” and “100234.0” are PH-100234. Undefined if it is none. */
export function orderNumberIn(cell: string): string | undefined {
  const plain = cell
    .trim()
    .replace(/\.0+$/, '')
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
  const digits = ORDER_NUMBER.exec(plain)?.[1]
  return digits && `PH-${digits}`
}

const words: readonly [carrier: Carrier, named: RegExp][] = [
  [
    'other',
    /^(?:other|own (?:truck|delivery)|local delivery|courier|we deliver(?:ed)?|on ?trac|lasership|amazon)$/i,
  ],
  [
    'freight',
    /\b(?:freight|ltl|truck|estes|xpo|old dominion|odfl|r ?(?:and|&|\+) ?l|saia|abf|yrc|central transport|tforce|dayton)\b/i,
  ],
  ['ups', /\b(?:ups|united parcel(?: service)?)\b/i],
  ['fedex', /\b(?:fed ?ex|federal express|fxe|fxg)\b/i],
  [
    'usps',
    /\b(?:usps|us ?ps|u\.s\.p\.s\.?|(?:u\.?s\.? )?post(?:al)?(?: service| office)?|priority mail|ground advantage|first class)\b/i,
  ],
  ['dhl', /\bdhl\b/i],
]

/** “UPS Ground”, “Fed Ex Home Delivery”, “Priority Mail”. Undefined if it names no carrier that we know. */
export const carrierIn = (cell: string): Carrier | undefined =>
  words.find(([, named]) => named.test(cell.trim()))?.[0]

/** Only numbers whose carrier is beyond doubt: those of FedEx and DHL are digits like many others. */
export function carrierOfTracking(tracking: string): Carrier | undefined {
  const plain = tracking.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^1Z[0-9A-Z]{16}$/.test(plain)) return 'ups'
  return /^9[1-5]\d{20}$/.test(plain) ? 'usps' : undefined
}

// A spreadsheet keeps 15 digits of a number.
const KEPT_DIGITS = 15

/** A spreadsheet took the tracking number for a quantity and rounded it: 9.40011E+21, or zeros at the end. */
export function isRounded(tracking: string): boolean {
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(tracking)) return true
  return new RegExp(`^\\d{${KEPT_DIGITS}}0{3,}$`).test(tracking)
}

export const carrierLabels = Object.values(carriers)
  .join(', ')
  .replace(/, (?=[^,]*$)/, ', or ')

type SampleRow = { readonly cells: readonly string[] }
/** Column numbers. */
export type ShippingColumns = Partial<Record<ShippingField, number>>

const SAMPLE_ROWS = 50
const MOST = 0.5

/** What a cell of each field cannot be mistaken for. */
const shapes: Readonly<Record<ShippingField, (cell: string) => boolean>> = {
  number: (cell) => /^\s*#?PH[\s-]?\d{6,9}\s*$/i.test(cell),
  carrier: (cell) => cell.length < 40 && carrierIn(cell) !== undefined,
  tracking: (cell) => carrierOfTracking(cell) !== undefined,
}

/**
 * Which column is which. Order numbers of ours are known by their form, wherever they are; other columns by their names, and
 * without names by what is in them.
 */
export function findShippingColumns(header: readonly string[], rows: readonly SampleRow[]): ShippingColumns {
  const sample = rows.slice(0, SAMPLE_ROWS)
  const found: ShippingColumns = {}
  const isFree = (at: number) => !Object.values(found).includes(at)
  const byValues = (field: ShippingField) =>
    header.findIndex((_, at) => isFree(at) && shareOf(sample, at, shapes[field]) > MOST)
  const byName = (field: ShippingField) =>
    header.findIndex((name, at) => isFree(at) && isNamed(name, names[field]))
  for (const field of shippingFields) {
    const tries = field === 'number' ? [byValues, byName] : [byName, byValues]
    const at = tries.map((find) => find(field)).find((place) => place !== -1)
    if (at !== undefined) found[field] = at
  }
  return found
}

function isNamed(header: string, known: ReadonlySet<string>): boolean {
  const { plain, bare } = headerName(header)
  return known.has(plain) || known.has(bare)
}

/** Of the cells that are filled in. */
function shareOf(rows: readonly SampleRow[], at: number, fits: (cell: string) => boolean): number {
  const filled = rows.flatMap(({ cells }) => cells[at]?.trim() || [])
  return filled.length === 0 ? 0 : filled.filter(fits).length / filled.length
}
