import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Reading, standardDialect } from '#contract/yard-file/reading.ts'
import { RecordReader } from '#contract/yard-file/records.ts'
import {
  fileRecords,
  type ImportFile,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { fileSurvey } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'
import { type Chunk, countChunks, fileChunks, sentReading } from './file-chunks.ts'
import type { RunOrder } from './run-order.ts'

const plain: Reading = {
  ...standardDialect,
  encoding: 'utf-8',
  headerRow: 1,
  layout: 'plain',
  decimals: {},
  rowOffset: 0,
}

async function fileOf(text: string, headers: string[], settings: Partial<Reading> = {}): Promise<ImportFile> {
  const file = new File([text], 'stock.csv')
  const reading = { ...plain, ...settings }
  const survey = fileSurvey(headers, [])
  for await (const rows of fileRecords({ file, reading, sheets: [] })) for (const row of rows) survey.add(row)
  const detection = { reading, header: headers, rows: [], alternatives: [], notes: [] }
  const found = survey.finish({ repeats: [], notes: [] })
  return { file, detection, reading, sheets: [], headers, samples: [], ...found }
}

const orderOf = (file: ImportFile, changes: Partial<RunOrder> = {}): RunOrder => ({
  file,
  mapping: {},
  defaults: {},
  mode: 'add',
  dryRun: false,
  chunkSize: 1_000,
  concurrency: 2,
  edits: new Map(),
  staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-21' },
  ...changes,
})

async function chunksOf(order: RunOrder): Promise<Chunk[]> {
  const chunks: Chunk[] = []
  for await (const chunk of fileChunks(order, fileRecords(order.file))) chunks.push(chunk)
  return chunks
}

async function textOf(chunk: Chunk): Promise<string> {
  const content = await chunk.content()
  const start = new Uint8Array(await content.slice(0, 2).arrayBuffer())
  if (start[0] !== 0x1f) return content.text()
  return new Response(content.stream().pipeThrough(new DecompressionStream('gzip'))).text()
}

/** The rows of all chunks, read and numbered as the server does. */
async function received(order: RunOrder): Promise<(string | number)[][]> {
  const { delimiter = ',', quote = '"' } = sentReading(order)
  const rows: (string | number)[][] = []
  for (const chunk of await chunksOf(order)) {
    const reader = new RecordReader({ delimiter, quote })
    const records = [...reader.feed(await textOf(chunk)).take(), ...reader.end().take()].slice(1)
    for (const [at, { text, cells }] of records.entries()) {
      if (text !== '') rows.push([chunk.firstRow + at, ...cells])
    }
  }
  return rows
}

const long = `Part,Price\r\n${Array.from({ length: 2_500 }, (_, row) => `"Door\n${row}",${row}\r\n`).join('')}`

describe('a chunk', () => {
  test('is a CSV with the header line, and all chunks make up the file', async () => {
    const order = orderOf(await fileOf(long, ['Part', 'Price']))
    const chunks = await chunksOf(order)
    expect(chunks.map(({ index, records, firstRow }) => [index, records, firstRow])).toEqual([
      [0, 1_000, 2],
      [1, 1_000, 1_002],
      [2, 500, 2_002],
    ])
    expect(await countChunks(order, () => fileRecords(order.file))).toBe(3)
    const texts = await Promise.all(chunks.map(textOf))
    expect(texts.every((text) => text.startsWith('Part,Price\n"Door'))).toBe(true)
    expect(await received(order)).toHaveLength(2_500)
  })

  test('in a dry run has at most a thousand rows, because a reply lists no more', async () => {
    const file = await fileOf(long, ['Part', 'Price'])
    const order = orderOf(file, { dryRun: true, chunkSize: 2_000 })
    expect((await chunksOf(order)).map(({ records }) => records)).toEqual([1_000, 1_000, 500])
    expect(await countChunks(order, () => fileRecords(file))).toBe(3)
  })

  test('with very long rows ends early, and the count is still known in advance', async () => {
    const row = `${'x'.repeat(100_000)},1\n`
    const order = orderOf(await fileOf(`Part,Price\n${row.repeat(200)}`, ['Part', 'Price']))
    const chunks = await chunksOf(order)
    expect(chunks.map(({ records }) => records)).toEqual([84, 84, 32])
    expect(await countChunks(order, () => fileRecords(order.file))).toBe(3)
  })

  test('leaves out the lines above the header and keeps the row numbers', async () => {
    const text = 'Export 11/20\n\nPart;Price\n\nDoor;10\nPart;Price\nLamp;20\n'
    const file = await fileOf(text, ['Part', 'Price'], { headerRow: 3, delimiter: ';' })
    const order = orderOf(file)
    expect(await textOf((await chunksOf(order))[0] as Chunk)).toBe('Part;Price\n\nDoor;10\n\nLamp;20\n')
    expect(await received(order)).toEqual([
      [5, 'Door', '10'],
      [7, 'Lamp', '20'],
    ])
    expect(sentReading(order)).toMatchObject({
      encoding: 'utf-8',
      delimiter: ';',
      headerRow: 1,
      rowOffset: 2,
    })
  })

  test('from a file without a header gets one', async () => {
    const file = await fileOf('Door,10\nLamp,20\n', ['Column 1', 'Column 2'], { headerRow: 0 })
    const order = orderOf(file)
    expect(await textOf((await chunksOf(order))[0] as Chunk)).toBe('Column 1,Column 2\nDoor,10\nLamp,20\n')
    expect(sentReading(order).rowOffset).toBe(-1)
    expect((await received(order))[0]).toEqual([1, 'Door', '10'])
  })
})

describe('row edits', () => {
  test('replace or leave out rows and change nothing else', async () => {
    const text = "Part|Price\n'Door, l'|10\nLamp|x\nHood|30\n"
    const file = await fileOf(text, ['Part', 'Price'], { delimiter: '|', quote: "'" })
    const edits = new Map<number, string[]>([
      [3, ['Lamp "right"', '20']],
      [4, []],
    ])
    const order = orderOf(file, { edits })
    expect(await received(order)).toEqual([
      [2, 'Door, l', '10'],
      [3, 'Lamp "right"', '20'],
    ])
    expect(sentReading(order)).toMatchObject(standardDialect)
    expect(await countChunks(order, () => fileRecords(file))).toBe(1)
  })

  test('give a broken line an extra cell so that it is not taken for a part', async () => {
    const file = await fileOf('Part,Price\n"Door,10\nLamp,x\n', ['Part', 'Price'])
    const order = orderOf(file, { edits: new Map([[3, ['Lamp', '20']]]) })
    const [broken, edited] = await received(order)
    expect(broken).toHaveLength(4)
    expect(edited).toEqual([3, 'Lamp', '20'])
  })
})

test('the decimal mark comes from the price column, by setting or by its values', async () => {
  const file = {
    ...(await fileOf('A,B\n1,2\n', ['A', 'B'])),
    decimals: { A: 'comma', B: 'undecided' } as const,
  }
  const mapping = { partprice: 'A', partshipping: 'B' }
  expect(sentReading(orderOf(file, { mapping })).decimals).toEqual({ partprice: 'comma' })
  const decided = { ...file, reading: { ...file.reading, decimals: { partshipping: 'point' } as const } }
  expect(sentReading(orderOf(decided, { mapping })).decimals).toEqual({
    partprice: 'comma',
    partshipping: 'point',
  })
})

const cell = fc.stringMatching(/^[a-c,;"\n Ä]{0,5}$/)
const written = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)

test('any chunk size and any edits give the same rows with the same numbers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom('x', 'y'), cell, cell), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 7 }),
      fc.array(fc.tuple(fc.integer({ min: 2, max: 32 }), cell), { maxLength: 3 }),
      async (rows, chunkSize, changed) => {
        const file = await fileOf(`A,B,C\n${rows.map((row) => row.map(written).join(',')).join('\r\n')}`, [
          'A',
          'B',
          'C',
        ])
        const edits = new Map(changed.map(([row, text]) => [row, ['z', text, '']]))
        const order = orderOf(file, { chunkSize, edits })
        const expected = rows.map((cells, at) => [at + 2, ...(edits.get(at + 2) ?? cells)])
        expect(await received(order)).toEqual(expected)
        const count = await countChunks(order, () => fileRecords(file))
        expect(count).toBe(Math.ceil(rows.length / chunkSize))
      },
    ),
    { numRuns: 60 },
  )
})
