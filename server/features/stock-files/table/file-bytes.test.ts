import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { inPieces, LARGE_MS, MB, readText, refusal, tableOf } from '#tests/support/read-csv.ts'
import { openTable } from './open-table.ts'

describe('A22, 26 gzip', { timeout: LARGE_MS }, () => {
  const csv = `a,b\n${'1,2\n'.repeat(5_000)}`
  test('is recognized by its content, and several members are one text', async () => {
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
    ['with text after it', Buffer.concat([packed, Buffer.from('more')]), 'damaged or was cut off'],
    ['with zeros after it', Buffer.concat([packed, Buffer.alloc(700)]), 'has extra data after its end'],
    [
      'with zeros and a member after it',
      Buffer.concat([packed, Buffer.alloc(9), packed]),
      'has extra data after its end',
    ],
  ])('%s is refused', async (_, content, words) => {
    for (const size of [64 * 1024, 100]) {
      const { code, message } = await refusal(content, size)
      expect(code).toBe('VALIDATION_FAILED')
      expect(message).toContain(words)
    }
  })

  // Of short rows it takes millions to fill 10 MB.
  const longRow = `1,${'2'.repeat(997)}\n`
  const member = gzipSync(longRow.repeat(1_000))
  test.each([
    ['one member', gzipSync(longRow.repeat(16_000))],
    ['many members', Buffer.concat(Array.from({ length: 16 }, () => member))],
  ])('a bomb of %s is stopped soon after 10 MB', async (_, content) => {
    let bytes = 0
    const { batches } = await openTable(
      tableOf(() => Readable.from(inPieces(content))),
      {
        overrides: { encoding: 'utf-8' },
      },
    )
    const reading = async () => {
      for await (const batch of batches) bytes += batch.length * longRow.length
    }
    await expect(reading()).rejects.toMatchObject({ code: 'TOO_LARGE', status: 413 })
    expect(bytes).toBeGreaterThan(9 * MB)
    expect(bytes).toBeLessThan(11 * MB)
  })
})

describe('what is not a parts list', () => {
  test.each([
    ['an empty file', ''],
    ['a byte order mark alone', '\ufeff'],
    ['blank lines alone', '\n\r\n , \n'],
    ['nothing, packed', gzipSync('')],
  ])('%s', async (_, content) => {
    expect(await refusal(content)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: 'The file is empty. Choose your parts list.',
    })
  })

  test('a header alone has no rows', async () => {
    expect((await readText('a,b\n')).rows).toEqual([])
  })

  test('10,000 columns', async () => {
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
    ['after a byte order mark', Buffer.from('\xef\xbb\xbfa\n\xff\n', 'latin1'), 'byte 6 (0xFF)'],
    [
      'far into the file',
      Buffer.concat([Buffer.from(`ä,b\n${'é,2\n'.repeat(50_000)}`), Buffer.from([0x80])]),
      'byte 250,006 (0x80)',
    ],
  ])('bytes that are not UTF-8, if that was chosen, are reported: %s', async (_, content, named) => {
    for (const size of [64 * 1024, 4_096 + 7]) {
      const { code, message } = await refusal(content, size, { encoding: 'utf-8' })
      expect(code).toBe('VALIDATION_FAILED')
      expect(message).toContain(`not UTF-8 text: ${named}`)
    }
  })

  test('a U+FFFD that the file itself has is kept', async () => {
    expect((await readText('a\n\ufffd\n')).rows[0]?.cells).toEqual(['\ufffd'])
  })

  test('NUL bytes', async () => {
    const { message } = await refusal(`a,b\n${'1,2\n'.repeat(20_000)}\0\n`)
    expect(message).toMatch(/^The file is not plain text: byte 80,005 is 0\./)
  })

  test.each([
    ['.ods', 'PK\x03\x04\x14\0mimetypeapplication/vnd.oasis.opendocument.spreadsheet', '(.ods)'],
    ['.xls', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), 'an old Excel workbook (.xls)'],
    [
      'a page without a table',
      '<html xmlns:x="urn:schemas-microsoft-com:office:excel"><p>Parts',
      'a web page',
    ],
    ['PDF', '%PDF-1.7\n', 'a PDF'],
    ['PNG', Buffer.from('89504e470d0a1a0a', 'hex'), 'a PNG picture'],
    ['JPEG', Buffer.from('ffd8ffe000104a464946', 'hex'), 'a JPEG picture'],
    ['WebP', 'RIFF\x24\0\0\0WEBPVP8 ', 'a WebP picture'],
    ['HEIC', '\0\0\0\x18ftypheic', 'a HEIC or AVIF picture'],
    ['JSON', '[{"partname": "Door"}]', 'a JSON file'],
    ['XML', '<?xml version="1.0"?>', 'an XML file'],
    ['gzip of gzip', gzipSync(gzipSync('a,b\n1,2\n')), 'packed with gzip twice'],
    ['a packed picture', gzipSync(Buffer.from('89504e470d0a1a0a', 'hex')), 'a PNG picture'],
  ])('%s is recognized by its content', async (_, content, words) => {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content
    for (const size of [64 * 1024, 1]) {
      const { code, status, message } = await refusal(bytes, size)
      expect([code, status]).toEqual(['WRONG_TYPE', 415])
      expect(message).toContain(words)
    }
  })
})
