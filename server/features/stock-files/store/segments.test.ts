import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { startS3Server } from '#tests/support/s3-server.ts'
import { readRecords } from './read-contents.ts'
import { openSegmentWriter, readSegmentLines, type Segment, storeSegment } from './segments.ts'
import { toSegmentLine } from './staged-record.ts'

const dir = await mkdtemp(join(tmpdir(), 'partharbor-segments-'))
afterAll(() => rm(dir, { recursive: true, force: true }))
const files = await openFileStore({ kind: 'fs', dir })

async function write(rows: number, { text = 'x', cuts = [] as number[] } = {}): Promise<Segment[]> {
  const writer = openSegmentWriter(files)
  for (let row = 0; row < rows; row += 1) {
    const { line, bytes } = toSegmentLine({
      id: `${row}`,
      fields: { partname: text },
      original: ['a "b"\n', 'ö'],
    })
    await writer.add(line, bytes)
    if (cuts.includes(row)) await writer.cut()
  }
  return writer.finish()
}
const sizes = (segments: readonly Segment[]) => segments.map(({ rows }) => rows)

test('a segment ends after 2,000 rows or 4 MB, whichever comes first', async () => {
  expect(sizes(await write(0))).toEqual([])
  expect(sizes(await write(4_001))).toEqual([2_000, 2_000, 1])
  expect(sizes(await write(9, { text: 'x'.repeat(1_000_000) }))).toEqual([4, 4, 1])
})

test('a cut ends a segment but leaves no small one behind', async () => {
  expect(sizes(await write(1_500, { cuts: [99, 599, 700, 1_099] }))).toEqual([600, 500, 400])
})

test('the same rows make the same segments, with their length as JSON', async () => {
  const [once, twice] = [await write(2_100), await write(2_100)]
  expect(twice).toEqual(once)
  expect(once.map(({ bytes }) => bytes)).toEqual([2_000, 100].map((rows) => rows * '{"partname":"x"}'.length))
  expect(once[0]?.sha256).not.toBe(once[1]?.sha256)
})

test('records are read from any row, across segments, and only as far as requested', async () => {
  const segments = await write(4_100)
  const read = async (range: { fromRow: number; rows?: number }) => {
    const pieces: string[][] = []
    for await (const records of readRecords(files, segments, range)) {
      expect(records.map(({ rowNo }) => `${rowNo}`)).toEqual(records.map(({ record }) => record.id))
      pieces.push(records.map(({ record }) => record.id))
    }
    return pieces.map((ids) => [ids[0], ids.length])
  }
  expect(await read({ fromRow: 0 })).toEqual([
    ['0', 2_000],
    ['2000', 2_000],
    ['4000', 100],
  ])
  expect(await read({ fromRow: 1_999, rows: 3 })).toEqual([
    ['1999', 1],
    ['2000', 2],
  ])
  expect(await read({ fromRow: 4_000, rows: 50 })).toEqual([['4000', 50]])
  expect(await read({ fromRow: 4_100 })).toEqual([])
})

test('segments in a bucket read back unchanged, one by one and in parallel', async () => {
  const { settings, close } = await startS3Server()
  onTestFinished(close)
  const bucket = await openFileStore(settings)
  const stored: { sha256: string; lines: string[] }[] = []
  for (const name of ['a', 'b', 'c']) {
    const lines = Array.from(
      { length: 1_500 },
      (_, row) => `${name}${row} ${createHash('md5').update(`${row}`).digest('hex').repeat(8)}`,
    )
    stored.push({ sha256: (await storeSegment(bucket, lines, 0)).sha256, lines })
  }
  for (const { sha256, lines } of stored) expect(await readSegmentLines(bucket, sha256)).toEqual(lines)
  const read = await Promise.all([...stored, ...stored].map(({ sha256 }) => readSegmentLines(bucket, sha256)))
  expect(read).toEqual([...stored, ...stored].map(({ lines }) => lines))
})
