import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { demoListing, donorVehicles, groupsByType } from '#server/features/running/demo/demo-listing.ts'
import { contactText, type DemoSeller, demoSellers } from '#server/features/running/demo/demo-sellers.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'

/*
 * Files as a yard's own program exports them: its headers, columns we have no field for, about 300 bytes a row. The same
 * seed gives the same file on every machine.
 */

export const yardHeader = [
  'Stock #',
  'Part Type',
  'Title',
  'Year',
  'Make',
  'Model',
  'Trim',
  'VIN',
  'OEM Part No',
  'Cond',
  'Retail',
  'Qty',
  'Odometer',
  'Notes',
  'Freight',
  'Yard City',
  'ST',
  'ZIP Code',
  'Yard',
  'Phone No',
  'Row/Bin',
  'Date In',
] as const
type Column = (typeof yardHeader)[number]

export const yardMapping: ImportMapping = {
  stocknum: 'Stock #',
  partcategory: 'Part Type',
  partname: 'Title',
  partyear: 'Year',
  partmanu: 'Make',
  partmodel: 'Model',
  parttrim: 'Trim',
  vin: 'VIN',
  partnum: 'OEM Part No',
  partgrade: 'Cond',
  partprice: 'Retail',
  partquantity: 'Qty',
  partmiles: 'Odometer',
  partdescription: 'Notes',
  partshipping: 'Freight',
  partcity: 'Yard City',
  partstate: 'ST',
  zipcode: 'ZIP Code',
  dealername: 'Yard',
  dealerphone: 'Phone No',
}

export const columnAt = (column: Column): number => yardHeader.indexOf(column)

// Part of what the rows say; a clock would make another file every year.
const THIS_YEAR = 2026

/** The rows of a yard's file, without its header; they are drawn one by one, so a million of them take no memory. */
export function* yardRows(count: number, seed: string): Generator<string[]> {
  const random = seededRandom(seed)
  const seller = someYard()
  const surroundings = {
    random,
    thisYear: THIS_YEAR,
    drawVehicle: donorVehicles(readVehicles(), THIS_YEAR)('any'),
    groupOf: groupsByType(readPartTypes()),
  }
  const contact = contactText(seller)
  for (let at = 0; at < count; at += 1) {
    const { text, category } = demoListing(seller, at, surroundings)
    const row: Record<Column, string> = {
      'Stock #': stockNumber(at),
      'Part Type': category,
      Title: text.partname,
      Year: text.partyear,
      Make: text.partmanuname,
      Model: text.partmodel,
      Trim: text.parttrim ?? '',
      VIN: vehicleNumber(random, Number(text.partyear)),
      'OEM Part No': text.partnum ?? '',
      Cond: text.partgrade ?? '',
      Retail: text.partprice ?? '',
      Qty: text.partquantity ?? '1',
      Odometer: text.partmiles ?? '',
      Notes: text.partdescription ?? '',
      Freight: text.partshipping ?? '',
      'Yard City': contact.partcity ?? '',
      ST: contact.partstate ?? '',
      'ZIP Code': contact.zipcode ?? '',
      Yard: contact.dealername ?? '',
      'Phone No': contact.dealerphone ?? '',
      'Row/Bin': `${random.pick(['A', 'B', 'C', 'D', 'E', 'F'])}${random.whole(1, 40)}-${random.whole(1, 12)}`,
      'Date In': `${random.whole(2024, 2025)}-${twoDigits(random.whole(1, 12))}-${twoDigits(random.whole(1, 28))}`,
    }
    yield yardHeader.map((column) => row[column])
  }
}

function someYard(): DemoSeller {
  const yard = demoSellers().find(({ focus, tier }) => focus === 'any' && tier === 'PAID')
  if (!yard) throw new Error('no yard of the demo data imports')
  return yard
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** As demo-listing.ts counts: the vehicle it came in as, the part of it; unique however long the file is. */
function stockNumber(at: number): string {
  return `GC${240_000 + Math.floor(at / 6)}-${twoDigits((at % 6) + 1)}`
}

const VIN_LETTERS = [...'ABCDEFGHJKLMNPRSTUVWXYZ0123456789']
const YEAR_LETTERS = 'ABCDEFGHJKLMNPRSTVWXY123456789'

/** Shaped as a vehicle's number is, year letter included; its check digit is of no use to anybody here. */
function vehicleNumber(random: Random, year: number): string {
  const some = (length: number) => Array.from({ length }, () => random.pick(VIN_LETTERS)).join('')
  const letter = YEAR_LETTERS.charAt((year - 1980) % YEAR_LETTERS.length)
  return `1${some(8)}${letter}${some(1)}${String(random.whole(0, 999_999)).padStart(6, '0')}`
}

/** A record of the file, line end included; quoted only where it must be, as spreadsheets do. */
function yardLine(cells: readonly string[]): string {
  return `${cells.map((cell) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',')}\r\n`
}

/** Header and rows as a file's text: a chunk, or a small file as a whole. */
export function yardText(rows: Iterable<readonly string[]>): string {
  return [yardHeader, ...rows].map(yardLine).join('')
}

// Lines are written together: a write for every 300 bytes takes longer than drawing them.
const LINES_AT_ONCE = 500

/** Writes a file of so many rows, streamed. Answers its length in bytes. */
export function writeYardFile(path: string, rows: Iterable<readonly string[]>): Promise<number> {
  const lines = function* () {
    yield yardLine(yardHeader)
    for (const row of rows) yield yardLine(row)
  }
  return writeLines(path, lines(), (text) => Buffer.from(text))
}

/** Writes lines as they come, each with its end. Answers how many bytes they are. */
export async function writeLines(
  path: string,
  lines: Iterable<string>,
  encode: (text: string) => Buffer,
): Promise<number> {
  const file = createWriteStream(path)
  let bytes = 0
  let waiting: string[] = []
  const write = async () => {
    const content = encode(waiting.join(''))
    waiting = []
    bytes += content.length
    if (!file.write(content)) await once(file, 'drain')
  }
  for (const line of lines) {
    waiting.push(line)
    if (waiting.length === LINES_AT_ONCE) await write()
  }
  await write()
  file.end()
  await once(file, 'close')
  return bytes
}
