import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvPiece, csvCuts, csvPieces, readRecords, UnclosedQuote } from './csv-records.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const text = (content: Uint8Array) => new TextDecoder().decode(content)

async function* sliced(content: Uint8Array, lengths: readonly number[]): AsyncGenerator<Uint8Array> {
  let from = 0
  for (let turn = 0; from < content.length; turn++) {
    const length = lengths[turn % lengths.length] ?? content.length
    yield content.subarray(from, from + length)
    from += length
  }
}

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of source) all.push(one)
  return all
}

const noLimit = Number.MAX_SAFE_INTEGER

async function pieces(
  csv: string,
  records = 1,
  lengths = [noLimit],
  most = noLimit,
): Promise<(Omit<CsvPiece, 'content'> & { content: string })[]> {
  const found = await collect(csvPieces(sliced(bytes(csv), lengths), { records, bytes: most }))
  return found.map((piece) => ({ ...piece, content: text(piece.content) }))
}

describe('where a chunk ends', () => {
  test.each([
    ['line feeds', 'a,b\n1,2\n3,4\n', ['a,b\n', '1,2\n', '3,4\n']],
    ['without a last line end', 'a,b\n1,2\n3,4', ['a,b\n', '1,2\n', '3,4']],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n', ['a,b\r\n', '1,2\r\n', '3,4\r\n']],
    ['CR only', 'a,b\r1,2\r3,4', ['a,b\r', '1,2\r', '3,4']],
    ['A21 mixed line ends', 'a\r\n1\r2\n3', ['a\r\n', '1\r', '2\n', '3']],
    ['A8 a line end inside quotes', 'a,b\n"1\n2",3\n4,5\n', ['a,b\n', '"1\n2",3\n', '4,5\n']],
    ['a doubled quotation mark', 'a\n"1"""\n"2\r\n"""\n', ['a\n', '"1"""\n', '"2\r\n"""\n']],
    ['a quotation mark inside a plain cell', 'a\n7" wheel\n8"\n', ['a\n', '7" wheel\n', '8"\n']],
    ['a header of two lines', '"a\nb",c\n1,2\n', ['"a\nb",c\n', '1,2\n']],
    ['blank lines go with the chunk before', 'a\n1\n\n\r\n2\n\n', ['a\n', '1\n\n\r\n', '2\n\n']],
    ['a byte order mark is dropped', '\ufeff"a"\n1\n', ['"a"\n', '1\n']],
    ['A12 the header alone', 'a,b\n', ['a,b\n']],
    ['A12 nothing', '', []],
    ['A12 a byte order mark alone', '\ufeff', []],
  ])('%s', async (_, csv, expected) => {
    expect((await pieces(csv)).map(({ content }) => content)).toEqual(expected)
    expect((await pieces(csv, 1, [1])).map(({ content }) => content)).toEqual(expected)
  })

  test('chunks know their records and the row that a spreadsheet shows first', async () => {
    const csv = 'a\n1\n2\n\n3\n4\n5\n'
    expect(await pieces(csv, 2)).toEqual([
      { content: 'a\n', bytes: 2, records: 0, firstRow: 1 },
      { content: '1\n2\n\n', bytes: 5, records: 2, firstRow: 2 },
      { content: '3\n4\n', bytes: 4, records: 2, firstRow: 5 },
      { content: '5\n', bytes: 2, records: 1, firstRow: 7 },
    ])
  })

  test('blank lines behind the header belong to the first chunk, whose first line they are', async () => {
    expect((await pieces('a\n\n\n1\n2\n', 1)).map(({ content, firstRow }) => [content, firstRow])).toEqual([
      ['a\n', 1],
      ['\n\n1\n', 2],
      ['2\n', 5],
    ])
  })

  test('long records end a chunk early', async () => {
    const found = await pieces('a\n12345\n12345\n1\n2\n3\n', 1_000, [noLimit], 6)
    expect(found.map(({ content }) => content)).toEqual(['a\n', '12345\n', '12345\n', '1\n2\n3\n'])
  })
})

describe('A11 a quotation mark that is never closed', () => {
  test.each([
    ['at the end', 'a\n1\n"2\n3\n', 3],
    ['in the header', '"a\n1\n', 1],
  ])('%s is told with its row', async (_, csv, row) => {
    await expect(pieces(csv)).rejects.toMatchObject({ name: 'UnclosedQuote', row })
  })

  test('stops long before the end of a large file', async () => {
    let read = 0
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield bytes('a\n1\n"')
      const piece = new Uint8Array(1024 * 1024).fill(120)
      for (; read < 300; read++) yield piece
    }
    const cuts = csvCuts(endless(), { records: 10, bytes: noLimit })
    await expect(collect(cuts)).rejects.toBeInstanceOf(UnclosedQuote)
    expect(read).toBeLessThan(20)
  })
})

const cell = fc.stringMatching(/^[a-c,"\r\nÄ€ ]{0,6}$/)
const written = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const table = fc
  .record({
    rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    lastEnd: fc.boolean(),
  })
  .map(({ rows, lineEnd, lastEnd }) => ({
    rows,
    csv: rows.map((row) => row.map(written).join(',')).join(lineEnd) + (lastEnd ? lineEnd : ''),
  }))

test('A8 any chunk size and any slicing: the same bytes, and the same rows chunk by chunk', async () => {
  await fc.assert(
    fc.asyncProperty(
      table,
      fc.integer({ min: 1, max: 5 }),
      fc.integer({ min: 1, max: 40 }),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 }),
      async ({ rows, csv }, records, most, lengths) => {
        const found = await pieces(csv, records, lengths, most)
        expect(found.map(({ content }) => content).join('')).toBe(csv)
        const [header, ...chunks] = found.map((piece) => readRecords(piece.content))
        expect([header, ...chunks].flat()).toEqual(rows)
        expect(found.slice(1).map((piece) => piece.records)).toEqual(chunks.map((chunk) => chunk.length))
        expect(found.every((piece) => piece.records <= records)).toBe(true)
      },
    ),
  )
})

test('counting finds the same cuts as cutting', async () => {
  const csv = 'a\n"1\n",\n2\n\n3'
  const limits = { records: 2, bytes: noLimit }
  const cut = (await pieces(csv, 2)).map(({ content: _, ...rest }) => rest)
  expect(await collect(csvCuts(sliced(bytes(csv), [2]), limits))).toEqual(cut)
})

test.each([
  [
    'a,b\n1,2',
    [
      ['a', 'b'],
      ['1', '2'],
    ],
  ],
  [
    'a,\n,\n',
    [
      ['a', ''],
      ['', ''],
    ],
  ],
  ['a,', [['a', '']]],
  ['\n\na\n\n', [['a']]],
  ['""\n"x ""y"""', [['x "y"']]],
  ['"open\nrow', [['"open'], ['row']]],
])('cells of %j', (csv, expected) => {
  expect(readRecords(csv)).toEqual(expected)
})
