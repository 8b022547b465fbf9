import { describe, expect, test } from 'vitest'
import { makeWorkbook } from '#tests/support/make-workbook.ts'
import { FileProblem, type FileRow, fileBytes, fileRecords, type SkippedRows } from './import-file.ts'
import { fileSurvey, readImportFile } from './read-import-file.ts'

type Content = string | Uint8Array<ArrayBuffer>

const csv = 'Part,Price\nDoor,10\n"Lamp\nleft",20\n'
const named = (content: Content, name = 'stock.csv') => new File([content], name)
const gzip = async (content: Content) => {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
const bytes = (...codes: number[]) => new Uint8Array(codes)
const utf16 = (text: string) => new Uint8Array(Uint16Array.from(text, (sign) => sign.charCodeAt(0)).buffer)
const latin1 = (text: string) => Uint8Array.from(text, (sign) => sign.charCodeAt(0))

async function rowsOf(file: File) {
  const read = await readImportFile(file, {})
  const rows: unknown[][] = []
  for await (const batch of fileRecords(read)) for (const { row, cells } of batch) rows.push([row, ...cells])
  return rows
}

test('reads columns, first rows, and totals', async () => {
  expect(await readImportFile(named(`\ufeff${csv}`), {})).toMatchObject({
    headers: ['Part', 'Price'],
    samples: [
      ['Door', '10'],
      ['Lamp\nleft', '20'],
    ],
    records: 2,
    reading: { encoding: 'utf-8', delimiter: ',', headerRow: 1 },
    decimals: { Price: 'none' },
    undecided: [],
    notes: [],
  })
})

describe('reads any text file', () => {
  const rows = [
    [2, 'Door', '10'],
    [3, 'Lamp\nleft', '20'],
  ]
  test.each<[string, File]>([
    ['whatever its name', named(csv, 'stock.txt')],
    ['UTF-16', named(utf16(`\ufeff${csv}`))],
    ['semicolons', named(csv.replaceAll(',', ';'))],
    ['tabs', named(csv.replaceAll(',', '\t'), 'stock.tsv')],
    ['CR alone', named('Part,Price\rDoor,10\r"Lamp\nleft",20')],
  ])('%s', async (_, file) => {
    expect(await rowsOf(file)).toEqual(rows)
  })

  test('gzip', async () => {
    expect(await rowsOf(named(await gzip(csv), 'stock.csv.gz'))).toEqual(rows)
  })
})

test('text that is not UTF-8 is found anywhere in the file and reported', async () => {
  const plain = 'Door front left,10\n'.repeat(40_000)
  const file = named(latin1(`Part,Price\n${plain}Porti\u00e8re gauche,20\n`))
  const { reading, records, notes } = await readImportFile(file, {})
  expect(reading.encoding).toBe('windows-1252')
  expect(records).toBe(40_001)
  expect(notes[0]).toMatch(/read as Windows-1252/)
  expect((await rowsOf(file)).at(-1)).toEqual([40_002, 'Portière gauche', '20'])
})

test('an explicit reading is kept', async () => {
  const settings = { delimiter: ';', headerRow: 2 }
  expect(await readImportFile(named('Stock\nPart;Price, net\nDoor;10,50\n'), { settings })).toMatchObject({
    headers: ['Part', 'Price, net'],
    records: 1,
    decimals: { 'Price, net': 'comma' },
  })
})

test('ambiguous amounts are asked about', async () => {
  expect((await readImportFile(named('Part,Price\nDoor,1.299\nLamp,1.400\n'), {})).undecided).toEqual([
    'Price',
  ])
})

test('an unclosed quotation mark costs its row and is reported', async () => {
  const { records, notes } = await readImportFile(
    named(`Part,Price\nDoor,1\n"Lamp,2\n${'"Hood",3\n'.repeat(9)}`),
    {},
  )
  expect(records).toBe(11)
  expect(notes).toContain('In row 3 a quotation mark is never closed, so that row cannot be read.')
})

test('an eBay file gets columns for its parts’ vehicles', async () => {
  const header =
    '*Action(SiteID=eBayMotors),Custom label (SKU),Title,Start price,Relationship,Relationship details'
  const file = named(
    `${header}\nAdd,A1,Door,10,,\n,,,,Compatibility,Make=Ford|Model=F-150|Year=2015\nAdd,A2,Lamp,20,,\n`,
  )
  const { headers, samples, records, reading } = await readImportFile(file, {})
  expect(reading.layout).toBe('ebay')
  expect(records).toBe(2)
  expect(samples[0]?.[headers.indexOf('Fitment make')]).toBe('Ford')
})

test('a workbook is read sheet by sheet with its own row numbers', async () => {
  const workbook = await makeWorkbook({
    sheets: [
      {
        name: 'Parts',
        rows: [['Stock of 11/20'], [], ['Part', 'Price', 'Note'], ['Door', 10], [], ['Lamp', 20]],
      },
      {
        name: 'Old',
        rows: [
          ['Part', 'Price'],
          ['Hood', 5],
        ],
      },
    ],
  })
  const file = new File([workbook], 'stock.xlsx')
  expect(await readImportFile(file, {})).toMatchObject({
    headers: ['Part', 'Price', 'Note'],
    sheets: ['Parts', 'Old'],
    records: 2,
    reading: { headerRow: 3, sheet: 'Parts' },
    notes: [
      'The workbook has 2 sheets; “Parts” is read.',
      'The columns are named in row 3. The rows above it are left out.',
    ],
  })
  expect(await rowsOf(file)).toEqual([
    [4, 'Door', '10', ''],
    [6, 'Lamp', '20', ''],
  ])
  expect((await readImportFile(file, { settings: { sheet: 'Old' } })).records).toBe(1)
})

test('a header alone gives no rows', async () => {
  expect(await readImportFile(named('Part,Price'), {})).toMatchObject({ records: 0, samples: [] })
})

const packedTwice = await gzip(await gzip(csv))
const cutOff = (await gzip(csv.repeat(99))).subarray(0, 60)
const bomb = await gzip(`Part,Price\n${`${'Door'.repeat(249)},1\n`.repeat(12_000)}`)
describe('files that cannot be imported', () => {
  test.each<[string, File, RegExp]>([
    ['an empty file', named(''), /^Could not detect headers: the file is empty/],
    ['only a byte order mark', named('\ufeff'), /^Could not detect headers/],
    ['one column', named('Part\nDoor\n'), /^Could not detect headers: only one column/],
    ['NUL bytes', named(bytes(0x41, 0x2c, 0, 0x42, 0x0a, 0x41, 0x2c, 0x42, 0x42)), /not text/],
    ['gzip of gzip', named(packedTwice), /twice/],
    ['a truncated gzip', named(cutOff), /^Failed to read CSV: the .gz file is damaged/],
    ['a bomb', named(bomb), /more than 200 times/],
    ['a PDF', named('%PDF-1.7 …'), /^This is a PDF/],
    ['a damaged workbook', named(bytes(0x50, 0x4b, 3, 4, 0, 0)), /./],
  ])('%s', async (_, file, sentence) => {
    const error = await readImportFile(file, {}).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(FileProblem)
    expect((error as FileProblem).message).toMatch(sentence)
  })
})

test('reading stops when another file is chosen', async () => {
  const left = new AbortController()
  const reading = readImportFile(named(csv), { onRead: () => left.abort(), signal: left.signal })
  await expect(reading).rejects.not.toBeInstanceOf(FileProblem)
})

test('progress counts the bytes of the file on disk', async () => {
  let last = 0
  for await (const _ of fileBytes(named(await gzip(csv)), (share) => (last = share)));
  expect(last).toBe(1)
})

const none: SkippedRows = { repeats: [], notes: [] }
const row = (number: number, cells: string[], problem?: FileRow['problem']): FileRow => ({
  row: number,
  cells,
  text: cells.join(','),
  problem,
})

function surveyed(headers: string[], rows: FileRow[], skipped = none) {
  const survey = fileSurvey(
    headers,
    rows.slice(0, 200).map(({ cells }) => cells),
  )
  for (const one of rows) survey.add(one)
  return survey.finish(skipped)
}

test('the whole file is checked for amounts, since the last row may decide', () => {
  const rows = Array.from({ length: 300 }, (_, at) => row(at + 2, ['Door', '1,299']))
  expect(surveyed(['Part', 'Price'], rows).undecided).toEqual(['Price'])
  expect(surveyed(['Part', 'Price'], [...rows, row(302, ['Lamp', '12,50'])])).toMatchObject({
    decimals: { Price: 'comma' },
    undecided: [],
  })
})

test('a column with a meaningless name is recognized as amounts by its values', () => {
  const rows = [row(2, ['Door', '1.299', '2012']), row(3, ['Lamp', '85', '2013'])]
  expect(surveyed(['Column 1', 'Column 2', 'Column 3'], rows).decimals).toEqual({ 'Column 2': 'undecided' })
})

test('the densest hundred rows are measured, wherever they are', () => {
  const rows = Array.from({ length: 250 }, (_, at) => row(at + 2, [at >= 100 && at < 200 ? 'xxxx' : 'x']))
  expect(surveyed(['Part'], rows)).toMatchObject({ records: 250, characters: 550, densest: 400 })
})

test('broken rows and repeated headers are described by their Excel row numbers', () => {
  const rows = [2, 3, 4, 5, 6, 7].map((number) => row(number, ['"open'], 'UNCLOSED_QUOTE'))
  expect(surveyed(['Part'], rows, { repeats: [9, 12], notes: ['One more thing.'] }).notes).toEqual([
    'The header is repeated in row 9, 12. Repeated headers are left out.',
    '6 rows have a quotation mark that is never closed (row 2, 3, 4, 5, 6, …), so they cannot be read. If the marks are inches, set the quote character to None.',
    'One more thing.',
  ])
})
