import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { AppError } from '#server/platform/app-error.ts'
import { openCsv } from './open-csv.ts'
import type { SentRow } from './row-source.ts'

type Content = string | Buffer
const MB = 1024 * 1024
// Tens of megabytes byte by byte, on a machine with other work to do.
const LARGE_MS = 60_000

const inPieces = (content: Content, size = 64 * 1024): Buffer[] => {
  const bytes = Buffer.from(content)
  const count = Math.ceil(bytes.length / size)
  return Array.from({ length: count }, (_, piece) => bytes.subarray(piece * size, (piece + 1) * size))
}

async function read(pieces: Buffer[], knownHeader?: readonly string[]) {
  const { header, batches } = await openCsv(() => Readable.from(pieces), { knownHeader })
  return { header, rows: await collect(batches) }
}

async function collect(batches: AsyncIterable<readonly SentRow[]>): Promise<SentRow[]> {
  const rows: SentRow[] = []
  for await (const batch of batches) rows.push(...batch)
  return rows
}

const readText = (content: Content, knownHeader?: readonly string[]) => read(inPieces(content), knownHeader)

async function refusal(content: Content, size?: number): Promise<AppError> {
  const error: unknown = await read(inPieces(content, size)).catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ name: 'AppError' })
  const refused = error as AppError
  expect(refused.fields).toEqual({ file: refused.message })
  return refused
}

const shown = (rows: SentRow[]) => rows.map(({ row, cells }) => [row, ...cells])

describe('rows as a spreadsheet shows them', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['A21 CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['A21 CR only', 'a,b\r1,2\r3,4\r'],
    ['A21 mixed', 'a,b\r\n1,2\n3,4\r'],
    ['A21 no line end at the end', 'a,b\n1,2\n3,4'],
    ['A21 blank lines at the end', 'a,b\n1,2\n3,4\n\n\r\n\n'],
    ['A21 emptied rows at the end', 'a,b\n1,2\n3,4\n,\n , \n'],
    ['A14 a byte order mark', '\ufeffa,b\n1,2\n3,4\n'],
    ['quotes', '"a","b"\n"1","2"\n"3","4"\n'],
  ])('%s', async (_, csv) => {
    const { header, rows } = await readText(csv)
    expect(header).toEqual(['a', 'b'])
    expect(shown(rows)).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ])
  })

  test('A20 blank lines count, a cell of several lines does not, ragged rows come as they are', async () => {
    const { rows } = await readText('\na,b\n\n"1\n1",2\n3\n4,5,6\n')
    expect(shown(rows)).toEqual([
      [4, '1\n1', '2'],
      [5, '3'],
      [6, '4', '5', '6'],
    ])
  })

  test('quotation marks inside a cell', async () => {
    const { rows } = await readText('a,b\n5" wheel,"say ""hi"""\n"5" wheel",x\n')
    expect(shown(rows)).toEqual([
      [2, '5" wheel', 'say "hi"'],
      [3, '"5" wheel"', 'x'],
    ])
  })

  test('A17 columns of one name, blank ones, and names that every object has', async () => {
    const { header, rows } = await readText('partname,partname,,__proto__\n1,2,3,4\n')
    expect(header).toEqual(['partname', 'partname (2)', 'Column 3', '__proto__'])
    expect(shown(rows)).toEqual([[2, '1', '2', '3', '4']])
  })
})

describe('chunks of a file', () => {
  const header = ['a', 'b (2)', 'Column 3']
  test('with its header line', async () => {
    const first = await readText('a,b,\n1,2,3\n')
    expect((await readText(' a ,b,\n4,5,6\n', first.header)).rows).toEqual([
      { row: 2, cells: ['4', '5', '6'] },
    ])
  })
  test('without it, numbered as if it were there', async () => {
    const { header: same, rows } = await readText('4,5,6\n\n7,8,9\n', header)
    expect(same).toEqual(header)
    expect(shown(rows)).toEqual([
      [2, '4', '5', '6'],
      [4, '7', '8', '9'],
    ])
  })
})

const cell = fc.stringMatching(/^[a-c,"\r\nÄ€🚗 ]{0,6}$/u)
const quoted = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const table = fc
  .record({
    rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 30 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    lastEnd: fc.boolean(),
    packed: fc.boolean(),
  })
  .map(({ rows, lineEnd, lastEnd, packed }) => {
    const all = [['x', 'y', 'z'], ...rows]
    const text = all.map((row) => row.map(quoted).join(',')).join(lineEnd) + (lastEnd ? lineEnd : '')
    const expected = rows
      .map((cells, at) => ({ row: at + 2, cells }))
      .filter(({ cells }) => cells.some((value) => value.trim() !== ''))
    return { bytes: packed ? gzipSync(text) : Buffer.from(text), expected }
  })

test('A8 the same rows however the bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async ({ bytes, expected }, size) => {
      expect((await read(inPieces(bytes, size))).rows).toEqual(expected)
    }),
  )
})

describe('one row never spoils the others', { timeout: LARGE_MS }, () => {
  test('A10 a field of 10 MB', async () => {
    const { rows } = await readText(`a,b\n1,2\n"${'x'.repeat(10 * MB)}",4\n"5" wheel,6\n`)
    expect(rows.map(({ row, cells }) => [row, cells[0]?.length])).toEqual([
      [2, 1],
      [3, 10 * MB],
      [4, 9],
    ])
  })

  test.each([
    ['A11 of a large file', 'a,b\n1,2\n\n"3,4\n', 4],
    ['A11 in the header', '"a,b\n', 1],
  ])('%s a quotation mark that is never closed ends the reading at once', async (_, start, row) => {
    let pieces = 0
    function* large() {
      yield Buffer.from(start)
      for (pieces = 0; pieces < 300; pieces++) yield Buffer.alloc(MB, 'some,cells\n')
    }
    const reading = openCsv(() => Readable.from(large())).then(({ batches }) => collect(batches))
    await expect(reading).rejects.toThrow(
      `Row ${row} is longer than 16 MB: most likely a quotation mark opens in it and is never closed.`,
    )
    expect(pieces).toBeLessThan(40)
  })

  test('A11 of a small one', async () => {
    expect((await refusal('a,b\n1,2\n3,"4\n5,6\n')).message).toMatch(/^A quotation mark opens in row 3 and/)
  })
})

describe('what is no list of parts', () => {
  test.each([
    ['an empty file', ''],
    ['a byte order mark alone', '\ufeff'],
    ['blank lines alone', '\n\r\n , \n'],
    ['nothing, packed', gzipSync('')],
  ])('A12 %s', async (_, content) => {
    expect(await refusal(content)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The file is empty. Choose the CSV file of your parts.',
    })
  })

  test('A12 a header alone has no rows', async () => {
    expect((await readText('a,b\n')).rows).toEqual([])
  })

  test('A12 10,000 columns', async () => {
    const line = Array.from({ length: 10_000 }, (_, at) => `c${at}`).join(',')
    expect((await refusal(`${line}\n`)).message).toMatch(/^The file has 10,000 columns/)
  })

  test('a first line that names nothing', async () => {
    expect((await refusal(`a,${'b'.repeat(501)}\n`)).message).toMatch(
      /^The name of column 2 has more than 500/,
    )
  })

  test.each([
    ['windows-1252', Buffer.from('a,b\nCaf\xe9,2\n', 'latin1'), 'byte 8 (0xE9)'],
    ['its last byte', Buffer.from('a,b\n1,\xe9', 'latin1'), 'byte 7 (0xE9)'],
    ['an overlong slash', Buffer.from('a,b\n\xc0\xaf,2\n', 'latin1'), 'byte 5 (0xC0)'],
    ['half of a pair', Buffer.from('a,b\n\xed\xa0\x80,2\n', 'latin1'), 'byte 5 (0xED)'],
    ['behind a byte order mark', Buffer.from('\xef\xbb\xbfa\n\xff\n', 'latin1'), 'byte 6 (0xFF)'],
    [
      'far behind',
      Buffer.concat([Buffer.from(`ä,b\n${'é,2\n'.repeat(50_000)}`), Buffer.from([0x80])]),
      'byte 250,006 (0x80)',
    ],
  ])('A13 bytes that are no UTF-8 are named: %s', async (_, content, named) => {
    for (const size of [64 * 1024, 4_096 + 7]) {
      const { code, message } = await refusal(content, size)
      expect(code).toBe('VALIDATION_FAILED')
      expect(message).toContain(`not UTF-8 text: ${named}`)
    }
  })

  test('A13 a U+FFFD that the file itself has is kept', async () => {
    expect((await readText('a\n\ufffd\n')).rows[0]?.cells).toEqual(['\ufffd'])
  })

  test('A15 NUL bytes', async () => {
    const { message } = await refusal(`a,b\n${'1,2\n'.repeat(20_000)}\0\n`)
    expect(message).toMatch(/^The file is no plain text: byte 80,005 is 0\./)
  })

  test.each([
    ['A14 UTF-16LE', Buffer.from('\ufeffa,b\n', 'utf16le'), 'UTF-16'],
    ['A14 UTF-16BE', Buffer.from('\ufeffa,b\n', 'utf16le').swap16(), 'UTF-16'],
    ['A15 UTF-16LE without its mark', Buffer.from('a,b\n1,2\n', 'utf16le'), 'UTF-16'],
    ['A15 UTF-16BE without its mark', Buffer.from('a,b\n1,2\n', 'utf16le').swap16(), 'UTF-16'],
    ['A23 .xlsx', 'PK\x03\x04\x14\0\x06\0[Content_Types].xml', 'an Excel workbook (.xlsx)'],
    ['A23 .ods', 'PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet', '(.ods)'],
    ['A23 .zip', 'PK\x03\x04\x14\0parts.csv', 'a ZIP archive'],
    ['A23 .xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'an old Excel workbook (.xls)'],
    ['A23 a page named .xls', '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><table>', 'a web page'],
    ['A23 PDF', '%PDF-1.7\n', 'a PDF'],
    ['A23 PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'a PNG picture'],
    ['A23 JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'a JPEG picture'],
    ['A23 WebP', 'RIFF\x24\0\0\0WEBPVP8 ', 'a WebP picture'],
    ['A23 HEIC', '\0\0\0\x18ftypheic', 'a HEIC or AVIF picture'],
    ['A23 JSON', '[{"partname": "Door"}]', 'a JSON file'],
    ['A23 XML', '<?xml version="1.0"?>', 'an XML file'],
    ['A22 gzip of gzip', gzipSync(gzipSync('a,b\n1,2\n')), 'packed with gzip twice'],
    ['A23 a packed picture', gzipSync(Buffer.from('89504e470d0a1a0a', 'hex')), 'a PNG picture'],
  ])('%s is told by its content', async (_, content, words) => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
    for (const size of [64 * 1024, 1]) {
      const { code, status, message } = await refusal(bytes, size)
      expect([code, status]).toEqual(['WRONG_TYPE', 415])
      expect(message).toContain(words)
    }
  })
})

describe('A22, 26 gzip', { timeout: LARGE_MS }, () => {
  const csv = `a,b\n${'1,2\n'.repeat(5_000)}`
  test('is known by its content, several members are one text', async () => {
    const { rows } = await readText(Buffer.concat([gzipSync(csv), gzipSync('3,4\n'), gzipSync('')]))
    expect(rows).toHaveLength(5_001)
    expect(rows.at(-1)).toEqual({ row: 5_002, cells: ['3', '4'] })
  })

  test('a CSV that is only named .gz is a CSV', async () => {
    expect((await readText(csv)).rows).toHaveLength(5_000)
  })

  // Random digits, so that there is something to cut.
  const digits = Array.from({ length: 20_000 }, (_, at) => `${(at * 2_654_435_761) % 999_983},2\n`).join('')
  const packed = gzipSync(`a,b\n${digits}`)
  test.each([
    ['cut off', packed.subarray(0, -9), 'damaged or was cut off'],
    ['cut off early', packed.subarray(0, 12), 'damaged or was cut off'],
    ['a header alone', packed.subarray(0, 2), 'damaged or was cut off'],
    ['damaged', Buffer.from(packed).fill(7, 30_000, 30_100), 'damaged or was cut off'],
    ['with text behind it', Buffer.concat([packed, Buffer.from('more')]), 'damaged or was cut off'],
    ['with zeros behind it', Buffer.concat([packed, Buffer.alloc(700)]), 'goes on with something else'],
    [
      'with zeros and a member behind it',
      Buffer.concat([packed, Buffer.alloc(9), packed]),
      'goes on with something else',
    ],
  ])('%s is refused', async (_, content, words) => {
    for (const size of [64 * 1024, 100]) {
      const { code, message } = await refusal(content, size)
      expect(code).toBe('VALIDATION_FAILED')
      expect(message).toContain(words)
    }
  })

  const member = gzipSync(Buffer.alloc(MB, 'x,y\n'))
  test.each([
    ['one member', gzipSync(Buffer.alloc(32 * MB, 'x,y\n'))],
    ['many members', Buffer.concat(Array.from({ length: 32 }, () => member))],
  ])('a bomb of %s is stopped soon after 10 MB', async (_, content) => {
    let bytes = 0
    const { batches } = await openCsv(() => Readable.from(inPieces(content)))
    const reading = async () => {
      for await (const batch of batches) bytes += batch.length * 4
    }
    await expect(reading()).rejects.toMatchObject({ code: 'TOO_LARGE', status: 413 })
    expect(bytes).toBeGreaterThan(9 * MB)
    expect(bytes).toBeLessThan(11 * MB)
  })
})

describe('the stream', () => {
  const rows = Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`)

  test('is read as far as rows are taken, and closed when nobody takes more', async () => {
    let taken = 0
    function* counted() {
      for (const piece of inPieces(rows, 4_096)) {
        taken += 1
        yield piece
      }
    }
    const sources: Readable[] = []
    const { batches } = await openCsv(() => {
      sources.push(Readable.from(counted()))
      return sources.at(-1) as Readable
    })
    taken = 0
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(200)
      break
    }
    expect(taken).toBeLessThan(40)
    expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  test('leaves the event loop to others', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const { batches } = await openCsv(() => Readable.from([rows]))
    let busy = 0
    for await (const _ of batches) {
      const until = performance.now() + 6
      while (performance.now() < until) busy += 1
      if (turns > 3) break
    }
    clearInterval(counting)
    expect(busy).toBeGreaterThan(0)
    expect(turns).toBeGreaterThan(3)
  })

  test('a source that fails is told as it failed', async () => {
    const failing = () =>
      Readable.from(
        (function* () {
          yield gzipSync(rows).subarray(0, 10)
          throw new Error('disk')
        })(),
      )
    await expect(openCsv(failing)).rejects.toThrow('disk')
  })
})

test('a file of more than 3,000,000 rows is refused', { timeout: LARGE_MS }, async () => {
  const count = async (rows: number) => {
    const { batches } = await openCsv(() => Readable.from(inPieces(`a\n${'1\n'.repeat(rows)}`)))
    let found = 0
    for await (const batch of batches) found += batch.length
    return found
  }
  expect(await count(3_000_000)).toBe(3_000_000)
  await expect(count(3_000_001)).rejects.toMatchObject({
    code: 'TOO_LARGE',
    fields: { file: 'The file has more than 3,000,000 rows. Cut it into several files and upload each.' },
  })
})
