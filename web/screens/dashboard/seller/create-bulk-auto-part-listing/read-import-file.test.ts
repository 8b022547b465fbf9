import { describe, expect, test } from 'vitest'
import { FileProblem, fileBytes, readImportFile } from './read-import-file.ts'

const open = AbortSignal.any([])
const csv = 'Part,Price\nDoor,10\n"Lamp\nleft",20\n'
const named = (content: string | Uint8Array<ArrayBuffer>, name = 'stock.csv') => new File([content], name)
const gzip = async (content: string | Uint8Array<ArrayBuffer>) => {
  const packed = new Blob([content]).stream().pipeThrough(new CompressionStream('gzip'))
  return new Uint8Array(await new Response(packed).arrayBuffer())
}
const read = (file: File) => readImportFile(file, () => undefined, open)

test('columns, first rows, and how much there is', async () => {
  expect(await read(named(`\ufeff${csv}`))).toMatchObject({
    headers: ['Part', 'Price'],
    samples: [
      ['Door', '10'],
      ['Lamp\nleft', '20'],
    ],
    records: 2,
    chunkCount: 1,
    bytes: csv.length,
  })
})

test('a .gz is read as what it holds', async () => {
  const packed = await gzip(csv)
  expect(await read(named(packed, 'stock.csv.gz'))).toMatchObject({ records: 2, bytes: csv.length })
})

test('chunks of a thousand rows', async () => {
  const rows = Array.from({ length: 2_001 }, (_, row) => `Door,${row}\n`)
  expect(await read(named(`Part,Price\n${rows.join('')}`))).toMatchObject({ records: 2_001, chunkCount: 3 })
})

test('A12 a header alone is no rows', async () => {
  expect(await read(named('Part,Price'))).toMatchObject({ records: 0, chunkCount: 0, samples: [] })
})

const packedTwice = await gzip(await gzip(csv))
const cutOff = (await gzip(csv.repeat(99))).subarray(0, 60)
const zip = new Uint8Array([0x50, 0x4b, 3, 4, 0, 0])
describe('files that cannot be imported', () => {
  test.each<[string, File, RegExp]>([
    ['another name', named(csv, 'stock.txt'), /^Please choose a CSV or CSV.GZ file$/],
    ['A12 an empty file', named(''), /^Could not detect headers: the file is empty/],
    ['A12 a byte order mark alone', named('\ufeff'), /^Could not detect headers/],
    ['A17 headers without a name', named(',,\n1,2,3\n'), /the first line must name the columns/],
    ['A16 semicolons', named('Part;Price\nDoor;1\n'), /separated by semicolons/],
    ['one column', named('Part\nDoor\n'), /^Could not detect headers/],
    ['A23 a workbook', named(zip), /Excel workbook/],
    ['A13 another encoding', named(new Uint8Array([0x41, 0x2c, 0xe9, 0x0a])), /not UTF-8/],
    ['A14 UTF-16', named(new Uint8Array([0xff, 0xfe, 0x41, 0])), /UTF-16/],
    ['A15 NUL bytes', named(new Uint8Array([0x41, 0x2c, 0, 0x42])), /not text/],
    ['A11 an open quotation mark', named('a,b\n1,2\n"3,4\n'), /opens in row 3/],
    ['A22 gzip of gzip', named(packedTwice), /compressed twice/],
    ['A22 a truncated gzip', named(cutOff), /^Failed to read CSV$/],
  ])('%s', async (_, file, sentence) => {
    const error = await read(file).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(FileProblem)
    expect((error as FileProblem).message).toMatch(sentence)
  })
})

test('reading stops when another file was chosen', async () => {
  const left = new AbortController()
  const reading = readImportFile(named(csv), () => left.abort(), left.signal)
  await expect(reading).rejects.not.toBeInstanceOf(FileProblem)
})

test('progress counts the bytes of the file as it lies on the disk', async () => {
  const packed = await gzip(csv)
  let last = 0
  for await (const _ of fileBytes(named(packed), (bytes) => (last = bytes)));
  expect(last).toBe(packed.length)
})
