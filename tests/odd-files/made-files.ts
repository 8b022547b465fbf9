import { gzipSync } from 'node:zlib'
import type { ImportField } from '#contract/csv/import-fields.ts'
import { standardLine } from '#contract/yard-file/records.ts'
import { type MadeCell, makeWorkbook, zipOf } from '#tests/support/make-workbook.ts'
import type { Expected, OddFile } from './odd-file.ts'

/* Odd files that are packed, large, or some program's own format: made when they are needed. */

const MB = 1024 * 1024

const columns: [header: string, field: ImportField][] = [
  ['Stock #', 'stocknum'],
  ['Part', 'partname'],
  ['Part type', 'partcategory'],
  ['Make', 'partmanu'],
  ['Model', 'partmodel'],
  ['Year', 'partyear'],
  ['Grade', 'partgrade'],
  ['OEM #', 'partnum'],
  ['Price', 'partprice'],
  ['Shipping', 'partshipping'],
  ['City', 'partcity'],
  ['State', 'partstate'],
  ['Zip', 'zipcode'],
  ['Yard', 'dealername'],
  ['Phone', 'dealerphone'],
  ['Notes', 'partdescription'],
  ['Photo', 'imageUrl'],
]
const header = columns.map(([name]) => name)
const mapping = Object.fromEntries(columns.map(([name, field]) => [field, name]))

const cars = [
  ['Ford', 'F-150', '2012'],
  ['Toyota', 'Camry', '2015'],
  ['Honda', 'Civic', '2009'],
  ['Chevrolet', 'Tahoe', '2017'],
  ['Nissan', 'Altima', '2011'],
]
const parts = ['Alternator', 'Headlight', 'Radiator', 'Starter', 'Tail Light', 'Front Bumper', 'Hood']
const findings = [
  'Tested good before the car was parted out.',
  'Light scuff on one corner, all tabs there.',
  'Pulled from a running car, no leaks.',
]

const rowOf = (at: number): string[] => {
  const [make = '', model = '', year = ''] = cars[at % cars.length] ?? []
  const part = parts[at % parts.length] ?? ''
  return [
    `K-${2400 + at}`,
    `${year} ${make} ${model} ${part}`,
    part,
    make,
    model,
    year,
    'ABCD'.charAt(at % 4),
    `${10_000 + 37 * at}-${at % 2 === 0 ? 'TA' : 'R4'}${100 + at}`,
    `${35 + 13 * at}.50`,
    at % 3 === 0 ? 'Free' : '20.00',
    'Boston',
    'MA',
    '02134',
    'Bay State Auto Salvage',
    '(617) 555-0142',
    findings[at % findings.length] ?? '',
    `https://pictures.yard.example/k/${2400 + at}.jpg`,
  ]
}
const rows = Array.from({ length: 24 }, (_, at) => rowOf(at))
const fields = (cells: readonly string[]) =>
  Object.fromEntries(columns.map(([, field], at) => [field, cells[at] ?? '']))
const lines = (table: readonly (readonly string[])[]) =>
  table.map((cells) => `${standardLine(cells)}\n`).join('')
const stock = lines([header, ...rows])

const plain: Expected = {
  about: '',
  kinds: [],
  reading: { encoding: 'utf-8', delimiter: ',', quote: '"', headerRow: 1, layout: 'plain' },
  header,
  mapping,
  rows: rows.length,
  issues: [],
  notes: [],
  checked: { 2: fields(rowOf(0)), 25: fields(rowOf(23)) },
}

type Content = string | Uint8Array<ArrayBuffer> | Blob
/** As a file of it has them. */
export async function bytesOf(made: Content | Promise<Content>): Promise<Uint8Array<ArrayBuffer>> {
  const content = await made
  return new Uint8Array(content instanceof Blob ? await content.arrayBuffer() : Buffer.from(content))
}

const made = (
  name: string,
  make: () => Content | Promise<Content>,
  expected: Partial<Expected> & { about: string },
): OddFile => ({
  name,
  expected: { ...plain, ...expected },
  content: () => bytesOf(make()),
})

/** As Excel keeps a row: numbers as numbers, zips by a format of zeros. */
const cellsOfExcel = (cells: readonly string[]): MadeCell[] =>
  cells.map((value, at): MadeCell => {
    const field = columns[at]?.[1]
    if (field === 'zipcode') return { value: Number(value), format: '00000' }
    if (field === 'partyear' || field === 'partprice') return Number(value)
    return value
  })
const inExcel = (cells: readonly string[]) => ({ ...fields(cells), partprice: String(Number(cells[8])) })

const excel = (above: MadeCell[][]) =>
  makeWorkbook({
    sheets: [
      { name: 'Stock', rows: [...above, header, ...rows.map(cellsOfExcel)] },
      {
        name: 'Sold',
        rows: [
          ['Part', 'Price'],
          ['Door', 5],
        ],
      },
    ],
  })
const sheetNotes = ['The workbook has 2 sheets; “Stock” is read.']

const wideHeader = [...header, ...Array.from({ length: 983 }, (_, at) => `Extra ${at + 1}`)]
const wide = lines([
  wideHeader,
  ...rows.map((cells) => [...cells, ...Array.from({ length: 983 }, () => 'x')]),
])
const monster = rowOf(2).with(15, 'x'.repeat(10 * MB))

export const madeFiles: OddFile[] = [
  made('packed.csv.gz', () => gzipSync(stock), { about: 'Packed with gzip.', kinds: ['packed'] }),
  made(
    'two-members.csv.gz',
    () => Buffer.concat([gzipSync(stock.slice(0, 700)), gzipSync(stock.slice(700))]),
    {
      about: 'Packed in two pieces that were put together: browsers unpack the first alone.',
      kinds: ['packed'],
      pageRefuses: 'in several parts. Unzip it and choose the file inside.',
    },
  ),
  made('packed.csv', () => gzipSync(stock), { about: 'Packed, and called .csv.', kinds: ['packed'] }),
  made('unpacked.csv.gz', () => stock, { about: 'Called .gz, and not packed.', kinds: ['packed'] }),
  made('packed-utf-16.csv.gz', () => gzipSync(Buffer.from(`\ufeff${stock}`, 'utf16le')), {
    about: 'UTF-16, packed.',
    kinds: ['byte order mark', 'packed'],
    reading: { ...plain.reading, encoding: 'utf-16le' },
    notes: ['The file is read as UTF-16 (little-endian) text.'],
  }),
  made('workbook.xlsx', () => excel([]), {
    about: 'A workbook of two sheets, zips as numbers that are shown with their zeros.',
    kinds: ['not a text file', 'values to interpret'],
    notes: sheetNotes,
    checked: { 2: inExcel(rowOf(0)), 25: inExcel(rowOf(23)) },
  }),
  made('workbook-with-title.csv', () => excel([['Stock of 11/20/2026'], []]), {
    about: 'A workbook that is called .csv, with a title and a blank row above its header.',
    kinds: ['not a text file'],
    reading: { ...plain.reading, headerRow: 3 },
    notes: [...sheetNotes, 'The columns are named in row 3. The rows above it are left out.'],
    checked: { 4: inExcel(rowOf(0)), 27: inExcel(rowOf(23)) },
  }),
  made(
    'workbook-of-formulas.xlsx',
    () =>
      makeWorkbook({
        sheets: [
          {
            name: 'Stock',
            rows: [
              header,
              ...rows.map((cells) =>
                cells.map((value, at): MadeCell => {
                  if (at === 1) return { formula: 'F2&D2', value }
                  if (at === 3) return { runs: [value.slice(0, 2), value.slice(2)] }
                  return at === 4 ? { inline: value } : value
                }),
              ),
              undefined,
              undefined,
            ],
          },
        ],
      }),
    {
      about: 'A workbook of formulas, letters in bold, texts in their cells, and blank rows.',
      kinds: ['not a text file'],
    },
  ),
  made('thousand-columns.csv', () => wide, {
    about: '1,000 columns, as many as are read.',
    kinds: ['no rows or too many columns'],
    header: wideHeader,
  }),
  made('header-alone.csv', () => `${standardLine(header)}\n`, {
    about: 'The header and no parts.',
    kinds: ['no rows or too many columns'],
    rows: 0,
    checked: {},
    fewValues: true,
  }),
  made('huge-cell.csv', () => lines([header, ...rows.slice(0, 2), monster, ...rows.slice(3)]), {
    about: 'A cell of 10 MB.',
    kinds: ['huge cell'],
    issues: [[4, 'TOO_LONG', 'Notes']],
  }),
  made(
    'unclosed-quote-first.csv',
    () =>
      `${standardLine(header)}\n"open,${'x,'.repeat(900)}\n${lines(rows)}`.concat(lines(rows).repeat(800)),
    {
      about: 'A quotation mark in the first row that is never closed, in a file of 4 MB.',
      kinds: ['unclosed quotation mark'],
      large: true,
      rows: 24 * 801 + 1,
      issues: [[2, 'UNCLOSED_QUOTE', '']],
      notes: ['In row 2 a quotation mark is never closed, so that row cannot be read.'],
      checked: { 3: fields(rowOf(0)), 26: fields(rowOf(23)) },
    },
  ),
  made(
    'accent-far-behind.csv',
    () =>
      Buffer.from(
        `${lines([header, ...Array.from({ length: 100 }, () => rows).flat()])}${standardLine(rowOf(1).with(15, 'Portière'))}\n`,
        'latin1',
      ),
    {
      about: 'Half a megabyte of plain English, and one accent of Windows-1252.',
      kinds: ['not UTF-8'],
      reading: { ...plain.reading, encoding: 'windows-1252' },
      rows: 2_401,
      notes: [
        'The file is not UTF-8 and is read as Windows-1252. Check accented letters, and choose another encoding if they look wrong.',
      ],
      checked: { 2402: fields(rowOf(1).with(15, 'Portière')) },
    },
  ),
]

export type Refused = {
  name: string
  make: () => Content | Promise<Content>
  /** What both say; the page may say something else. */
  sentence: RegExp
  onPage?: RegExp
}

const refused = (
  name: string,
  [sentence, onPage]: [sentence: RegExp, onPage?: RegExp],
  make: Refused['make'],
): Refused => ({ name, make, sentence, ...(onPage && { onPage }) })
const starting = (...codes: number[]) => Buffer.concat([Buffer.from(codes), Buffer.alloc(600, 7)])
const noHeaders = /^Could not detect headers/
const empty = /^The file is empty/

export const refusedFiles: Refused[] = [
  refused('two-tables.zip', [/^This ZIP archive has 2 tables: “stock.csv”, “sold.csv”/], () =>
    zipOf({ 'stock.csv': stock, 'sold.csv': stock }),
  ),
  refused('pictures.zip', [/^This ZIP archive has no table/], () => zipOf({ 'front.jpg': 'x' })),
  refused('locked.zip', [/^This ZIP archive has a password/], () => zipOf({ 'a.csv': stock }, 'key')),
  refused('archive-in-archive.zip', [/^This is a ZIP archive in a ZIP archive/], async () =>
    zipOf({ 'stock.csv': (await zipOf({ 'a.csv': stock })).stream() }),
  ),
  refused('empty.csv', [empty, noHeaders], () => ''),
  refused('mark-alone.csv', [empty, noHeaders], () => '\ufeff'),
  refused('blank-lines.csv', [empty, noHeaders], () => '\r\n\r\n\r\n'),
  refused('commas-alone.csv', [empty, noHeaders], () => ',,,,\r\n,,,,\r\n'),
  refused('ten-thousand-columns.csv', [/10,000 columns/], () =>
    lines([Array.from({ length: 10_000 }, (_, at) => `c${at}`), Array.from({ length: 10_000 }, () => '1')]),
  ),
  refused('zeros.csv', [/not plain text: byte [\d,]+ is 0/, /not text/], () =>
    stock.replaceAll('Boston', 'Boston\0\0\0'),
  ),
  refused('cut-off.csv.gz', [/damaged or was cut off/, /damaged/], () => gzipSync(stock).subarray(0, 500)),
  refused('packed-twice.csv.gz', [/packed with gzip twice/], () => gzipSync(gzipSync(stock))),
  refused('more-behind.csv.gz', [/\.gz file/], () => Buffer.concat([gzipSync(stock), Buffer.from('<html>')])),
  refused('bomb.csv.gz', [/more than 200 times/], () =>
    gzipSync(`a,b\n${`1,${'2'.repeat(997)}\n`.repeat(12_000)}`),
  ),
  refused('workbook-packed.xlsx.gz', [/workbook that was packed with gzip/], async () =>
    gzipSync(await (await excel([])).bytes()),
  ),
  refused('archive.csv', [/^This ZIP archive is damaged/], () =>
    Buffer.concat([
      Buffer.from('PK\x03\x04'),
      Buffer.alloc(22),
      Buffer.from([9, 0, 0, 0]),
      Buffer.from('stock.csv'),
    ]),
  ),
  refused('old-excel.csv', [/old Excel workbook/], () =>
    starting(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  ),
  refused(
    'web-page.xls',
    [/^This is a web page without a table/],
    () => '<html><body><p>Parts</p></body></html>',
  ),
  refused(
    'excel-xml.xls',
    [/Excel spreadsheet in XML/],
    () => '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
  ),
  refused('print.csv', [/^This is a PDF/], () => '%PDF-1.7\n%âãÏÓ\n'),
  refused('photo.csv', [/^This is a JPEG picture/], () => starting(0xff, 0xd8, 0xff, 0xe0)),
  refused('drawing.csv', [/^This is a PNG picture/], () => starting(0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10)),
  refused('list.json', [/^This is a JSON file/], () => JSON.stringify([{ part: 'Door', price: 10 }])),
  refused('letter.csv', [/text document/], () => '{\\rtf1\\ansi Part, Price}'),
  refused('broken-workbook.xlsx', [/workbook/i], async () =>
    (await (await excel([])).bytes()).subarray(0, 900),
  ),
]
