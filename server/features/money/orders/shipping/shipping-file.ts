import { plainCell } from '#contract/csv/csv-cell.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import type { Carrier } from '#contract/order/order-steps.ts'
import {
  carrierIn,
  carrierLabels,
  carrierOfTracking,
  findShippingColumns,
  isRounded,
  orderNumberIn,
  type ShippingColumns,
} from '#contract/order/shipping/shipping-columns.ts'
import {
  MOST_SHIPPING_BYTES,
  MOST_SHIPPING_ROWS,
  type ShippingField,
  shippingFields,
} from '#contract/order/shipping/shipping-list.ts'
import { refuseFile } from '#server/features/stock-files/table/file-bytes.ts'
import { openTable, type SentRow, type TableFile } from '#server/features/stock-files/table/open-table.ts'

/* What a yard's list of shipped orders says, row by row, before any order is looked at. */

export type Parcel = { carrier: Carrier; tracking: string }

export type FileRow = {
  row: number
  /** As typed if it is no order number. */
  number: string
  carrier: Carrier | null
  tracking: string
} & ({ says: 'ship'; parcel: Parcel; note: null } | { says: 'blank' | 'repeat' | 'problem'; note: string })

export type ShippingFile = {
  header: readonly string[]
  columns: ShippingColumns
  notes: string[]
  rows: FileRow[]
}

/** The names of columns that a person chose; an empty one is no column. */
export type ChosenColumns = Partial<Record<ShippingField, string | undefined>>

/**
 * Reads a list of any format that stock files come in. Without a column for order numbers there are no rows.
 * @throws AppError VALIDATION_FAILED, WRONG_TYPE, TOO_LARGE
 */
export async function readShippingFile(
  file: TableFile & { bytes: number },
  chosen: ChosenColumns,
): Promise<ShippingFile> {
  if (file.bytes > MOST_SHIPPING_BYTES) {
    throw refuseFile(
      'The file is larger than 2 MB. Keep only the sheet with the orders, without pictures, or save it as CSV.',
      'TOO_LARGE',
    )
  }
  const table = await openTable(file)
  const sent: SentRow[] = []
  for await (const batch of table.batches) {
    sent.push(...batch)
    if (sent.length > MOST_SHIPPING_ROWS) throw tooManyRows()
  }
  const columns = { ...findShippingColumns(table.header, sent), ...resolveChosen(table.header, chosen) }
  const rows = columns.number === undefined ? [] : sent.map((row) => readRow(row, columns))
  return { header: table.header, columns, notes: table.notes(), rows: withoutRepeats(rows) }
}

const tooManyRows = () =>
  refuseFile(
    `The file has more than ${MOST_SHIPPING_ROWS} rows. Split it, and upload the parts one after the other.`,
    'TOO_LARGE',
  )

function resolveChosen(header: readonly string[], chosen: ChosenColumns): ShippingColumns {
  const columns: ShippingColumns = {}
  for (const field of shippingFields) {
    const name = chosen[field]
    if (name === undefined) continue
    const at = name === '' ? undefined : findColumn(header, name)
    if (at === -1) throw refuseFile(`The file has no column “${name}”.`)
    Object.assign(columns, { [field]: at })
  }
  return columns
}

function readRow({ row, cells, problem }: SentRow, columns: ShippingColumns): FileRow {
  const cellOf = (field: ShippingField) => {
    const at = columns[field]
    return at === undefined ? '' : plainCell(cells[at] ?? '')
  }
  const [typed, named, tracking] = [cellOf('number'), cellOf('carrier'), cellOf('tracking')]
  const number = orderNumberIn(typed)
  const carrier = (named === '' ? carrierOfTracking(tracking) : carrierIn(named)) ?? null
  const read = { row, number: number ?? typed.slice(0, 60), carrier, tracking: tracking.slice(0, 60) }
  const wrong = (note: string): FileRow => ({ ...read, says: 'problem', note })
  if (problem !== undefined) return wrong('A quotation mark is missing in this row, so it cannot be read.')
  if (typed === '') return wrong('The order number is missing.')
  if (number === undefined) return wrong(`“${read.number}” is not an order number. They look like PH-100234.`)
  if (named === '' && tracking === '')
    return { ...read, says: 'blank', note: 'Not filled in, so it stays as it is.' }
  if (carrier === null) return wrong(whichCarrier(named))
  if (isRounded(tracking)) {
    return wrong(
      'The spreadsheet rounded this tracking number. Format the column as text and enter the number again.',
    )
  }
  const parcel = orderEndpoints.shipOrder.body.safeParse({ carrier, tracking })
  if (!parcel.success)
    return wrong(`${parcel.error.issues[0]?.message ?? 'The tracking number is not valid'}.`)
  return { ...read, says: 'ship', parcel: parcel.data, note: null }
}

const whichCarrier = (named: string) =>
  named === ''
    ? `The carrier is missing. Write ${carrierLabels}.`
    : `“${named.slice(0, 40)}” is not a carrier that we know. Write ${carrierLabels}.`

/** An order is shipped once: rows that agree are one, and of rows that differ nobody but the yard knows which is right. */
function withoutRepeats(rows: readonly FileRow[]): FileRow[] {
  const ships = Map.groupBy(
    rows.filter(({ says }) => says === 'ship'),
    ({ number }) => number,
  )
  return rows.map((row): FileRow => {
    const group = row.says === 'ship' ? (ships.get(row.number) ?? []) : []
    const [first, ...others] = group
    if (first === undefined || others.length === 0) return row
    const { says: _, note: __, ...read } = row
    if (group.some((one) => !isSameParcel(one, first))) {
      return {
        ...read,
        says: 'problem',
        note: `Rows ${inWords(group.map((one) => one.row))} name this order with different carriers or numbers. Keep one of them.`,
      }
    }
    return row === first ? row : { ...read, says: 'repeat', note: `The same as row ${first.row}.` }
  })
}

const isSameParcel = (one: FileRow, other: FileRow) =>
  one.carrier === other.carrier && one.tracking === other.tracking

const inWords = (rows: readonly number[]) => `${rows.slice(0, -1).join(', ')} and ${rows.at(-1)}`
