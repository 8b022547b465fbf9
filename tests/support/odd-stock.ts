import { gzipSync } from 'node:zlib'
import { type MadeCell, makeWorkbook } from './make-workbook.ts'

/* Files of one small yard as five programs export them, none of them as a CSV file should be. */

export type OddFile = { readonly name: string; readonly content: Uint8Array }

const header = [
  'Stock #',
  'Part Type',
  'Description',
  'Year',
  'Make',
  'Model',
  'OEM No.',
  'Price',
  'Cond',
  'City',
  'State',
  'Zip',
]

const parts = ['Alternator', 'Headlight', 'Front Door', 'Radiator', 'Fuel Pump', 'Starter Motor']
const vehicles = [
  ['Toyota', 'Camry'],
  ['Ford', 'F-150'],
  ['Honda', 'Civic'],
  ['Chevrolet', 'Silverado 1500'],
  ['Nissan', 'Altima'],
] as const

type Stock = { rows: string[][]; prices: number[] }

/** Parts with their price as a number beside them: each program writes that in its own way. */
function stock(count: number, mark: string): Stock {
  const prices = Array.from({ length: count }, (_, at) => (at % 9 === 0 ? 1_200 : 40) + at * 3 + 0.5)
  const rows = prices.map((_, at) => {
    const [make, model] = vehicles[at % vehicles.length] ?? vehicles[0]
    const part = parts[at % parts.length] ?? 'Alternator'
    const year = String(2004 + (at % 17))
    const what = `${year} ${make} ${model} ${part} ${mark}`
    const number = `${27_000 + at}-${mark.toUpperCase()}`
    const grade = ['A', 'B', 'C'][at % 3] ?? 'A'
    return [`W-${1_000 + at}`, part, what, year, make, model, number, '', grade, 'Boston', 'MA', '02134']
  })
  return { rows, prices }
}

const COUNT = 60
const PRICE = header.indexOf('Price')
const CITY = header.indexOf('City')
const DESCRIPTION = header.indexOf('Description')
const ZIP = header.indexOf('Zip')

function lines({ rows, prices }: Stock, delimiter: string, price: (value: number) => string): string[] {
  const priced = rows.map((row, at) => row.with(PRICE, price(prices[at] ?? 0)))
  return [header, ...priced].map((row) => row.join(delimiter))
}

const dollars = (value: number) => value.toFixed(2)
const european = (value: number) => value.toLocaleString('de-DE', { minimumFractionDigits: 2 })

/** Semicolons, Windows-1252, decimal commas. */
export function europeanFile(mark: string): OddFile {
  const { rows, prices } = stock(COUNT, mark)
  const accented = rows.map((row, at) =>
    row
      .with(CITY, 'Montréal')
      .with(
        DESCRIPTION,
        at % 2 === 0 ? `${row[DESCRIPTION]} – testé, très bon état` : (row[DESCRIPTION] ?? ''),
      ),
  )
  const text = lines({ rows: accented, prices }, ';', european).join('\r\n')
  return { name: 'inventaire.csv', content: windows1252(text) }
}

/** The letters used here have the same number in both, but for the dash. */
const windows1252 = (text: string) => Buffer.from(text.replaceAll('–', '\u0096'), 'latin1')

/** Excel's "Unicode Text": tabs, UTF-16 with its mark. */
export function unicodeText(mark: string): OddFile {
  const text = `\uFEFF${lines(stock(COUNT, mark), '\t', dollars).join('\r\n')}\r\n`
  return { name: 'Inventory.txt', content: Buffer.from(text, 'utf16le') }
}

/** A printed report: what it is and when it was made above the names, and totals at its end. */
export function reportFile(mark: string): OddFile {
  const yard = stock(COUNT, mark)
  const sum = yard.prices.reduce((total, price) => total + price, 0)
  const money = (value: number) => `"$${value.toLocaleString('en-US', { minimumFractionDigits: 2 })}"`
  const above = ['Green Country Salvage', 'Inventory export 11/20/2026', '']
  const totals = ['', `Total,,${COUNT} parts,,,,,${money(sum)},,,,`]
  return {
    name: 'report 11-20.csv',
    content: Buffer.from([...above, ...lines(yard, ',', money), ...totals].join('\r\n')),
  }
}

/** A workbook whose zips were numbers to Excel: their zeros are gone. */
export async function workbookFile(mark: string): Promise<OddFile> {
  const { rows, prices } = stock(COUNT, mark)
  const cells = rows.map((row, at) =>
    row.map((cell, column): MadeCell => {
      if (column === PRICE) return { value: prices[at] ?? 0, format: '"$"#,##0.00' }
      if (column === ZIP || header[column] === 'Year') return Number(cell)
      return cell
    }),
  )
  const workbook = await makeWorkbook({ sheets: [{ name: 'Stock', rows: [header, ...cells] }] })
  return { name: 'stock.xlsx', content: new Uint8Array(await workbook.arrayBuffer()) }
}

/** What a nightly job leaves on a server: pipes, compressed. */
export function packedPipes(mark: string): OddFile {
  return {
    name: 'nightly.csv.gz',
    content: gzipSync(`${lines(stock(COUNT, mark), '|', dollars).join('\n')}\n`),
  }
}

/** eBay's File Exchange: every vehicle that a part fits stands in a row of its own beneath it. */
export function ebayExport(mark: string): OddFile {
  const head =
    '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),CustomLabel,*Category,*Title,Relationship,RelationshipDetails,*StartPrice,*Quantity,*ConditionID,C:Type,C:Manufacturer Part Number,*Location'
  const items = vehicles.flatMap(([make, model], at) => {
    const year = 2010 + at
    const part = parts[at] ?? 'Alternator'
    return [
      `Add,EB-${mark}-${at},33563,${part} OEM tested ${mark},,,${80 + at}.00,1,3000,${part},27060-${mark.toUpperCase()}-${at},"Tulsa, OK"`,
      ...[year, year + 1].map((one) => `,,,,Compatibility,Year=${one}|Make=${make}|Model=${model},,,,,,`),
    ]
  })
  return { name: 'eBay-listings.csv', content: Buffer.from([head, ...items].join('\r\n')) }
}
