import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutChunks, type TextChunk } from './cut-chunks.ts'
import { isBlankRow } from './data-rows.ts'
import { type Dialect, standardDialect } from './reading.ts'
import { recordReader } from './records.ts'
import { standardLine } from './standard-csv.ts'

const noLimit = Number.MAX_SAFE_INTEGER

async function* inPieces(text: string, size: number): AsyncGenerator<string> {
  for (let from = 0; from < text.length; from += size) yield text.slice(from, from + size)
}

type How = { records?: number; bytes?: number; headerRow?: number; dialect?: Dialect; size?: number }

async function chunksOf(text: string, how: How = {}): Promise<TextChunk[]> {
  const { records = 1, bytes = noLimit, headerRow = 1, dialect = standardDialect, size = noLimit } = how
  const chunks: TextChunk[] = []
  for await (const chunk of cutChunks(inPieces(text, size), { dialect, headerRow }, { records, bytes }))
    chunks.push(chunk)
  return chunks
}

const texts = async (text: string, how?: How) => (await chunksOf(text, how)).map((chunk) => chunk.text)

describe('what a chunk has', () => {
  test.each<[string, string, How, string[]]>([
    ['line feeds', 'a,b\n1,2\n3,4\n', {}, ['1,2\n', '3,4\n']],
    ['no last line end', 'a,b\n1,2\n3,4', {}, ['1,2\n', '3,4\n']],
    ['A21 mixed line ends', 'a\r\n1\r2\n3', {}, ['1\n', '2\n', '3\n']],
    ['A8 a line end inside quotes', 'a,b\n"1\r\n2",3\n4,5\n', {}, ['"1\r\n2",3\n', '4,5\n']],
    ['a header of two lines', '"a\nb",c\n1,2\n', {}, ['1,2\n']],
    ['blank lines go with the chunk before', 'a\n1\n\n\r\n2\n\n', {}, ['1\n\n\n', '2\n\n']],
    ['blank lines behind the header are the first chunk’s', 'a\n\n1\n2\n', {}, ['\n1\n', '2\n']],
    ['emptied rows are blank', 'a,b\n1,2\n, \n"",\n3,4\n', {}, ['1,2\n\n\n', '3,4\n']],
    [
      'lines above the header',
      'Export\n\na;b\n1;2\n',
      { headerRow: 3, dialect: { delimiter: ';', quote: '"' } },
      ['1;2\n'],
    ],
    ['no header', '1,2\n3,4\n', { headerRow: 0 }, ['1,2\n', '3,4\n']],
    ['headers that repeat', 'a,b\n1,2\n a,"b"\n3,4\n', {}, ['1,2\n\n', '3,4\n']],
    ['A12 the header alone', 'a,b\n', {}, []],
    ['A12 nothing', '', {}, []],
    [
      'long records',
      'a\n12345\n12345\n1\n2\n3\n',
      { records: 9, bytes: 3 },
      ['12345\n', '12345\n', '1\n2\n3\n'],
    ],
  ])('%s', async (_, text, how, expected) => {
    expect(await texts(text, how)).toEqual(expected)
    expect(await texts(text, { ...how, size: 1 })).toEqual(expected)
  })

  test('A11 a quotation mark that never closes is one row of its chunk', async () => {
    const [chunk] = await chunksOf('a,b\n"1,2\n3,4\n', { records: 9 })
    expect(chunk?.rows).toEqual([
      { row: 2, text: '"1,2', problem: 'UNCLOSED_QUOTE' },
      { row: 3, text: '3,4' },
    ])
  })
})

test('chunks know their records and the row that a spreadsheet shows first', async () => {
  const found = await chunksOf('a\n1\n2\n\n3\n4\n5\n', { records: 2 })
  expect(
    found.map(({ index, records, firstRow, rows }) => [index, records, firstRow, rows.map(({ row }) => row)]),
  ).toEqual([
    [0, 2, 2, [2, 3]],
    [1, 2, 5, [5, 6]],
    [2, 1, 7, [7]],
  ])
})

const cell = fc.string({ unit: fc.constantFrom('x', 'y', ',', '"', '\n', '\r', ' ', '€'), maxLength: 5 })
const table = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 20 })

test('A8 chunks of any size give the rows of the whole file, by the same numbers', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 8 }),
      fc.integer({ min: 1, max: 30 }),
      fc.constantFrom('\n', '\r\n', '\r'),
      async (rows, records, size, end) => {
        const file = [['a', 'b', 'c'], ...rows].map((cells) => standardLine(cells) + end).join('')
        const whole = [...readAll(file)].slice(1)
        const expected = whole
          .map((record, at) => ({ row: at + 2, record }))
          .filter(({ record }) => !isBlankRow(record))
          .map(({ row, record: { cells } }) => ({ row, cells }))
        const found: typeof expected = []
        for (const { text, firstRow } of await chunksOf(file, { records, size })) {
          for (const [at, record] of readAll(text).entries()) {
            if (!isBlankRow(record)) found.push({ row: firstRow + at, cells: record.cells })
          }
        }
        expect(found).toEqual(expected)
      },
    ),
    { numRuns: 300 },
  )
})

function readAll(text: string) {
  const reader = recordReader(standardDialect)
  return [...reader.push(text), ...reader.finish()]
}
