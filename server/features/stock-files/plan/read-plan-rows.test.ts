import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { type Segment, storeSegment } from '#server/features/stock-files/store/segments.ts'
import { toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { SentSegments } from './read-plan-rows.ts'

const dir = await mkdtemp(join(tmpdir(), 'sent-segments-'))
afterAll(() => rm(dir, { recursive: true }))
const files = await openFileStore({ kind: 'fs', dir })

/** A segment of rows named by one-letter ids; a capital letter is an edited row. */
function segment(letters: string): Promise<Segment> {
  const lines = [...letters].map((letter) => {
    const fields = { partmanu: letter === letter.toLowerCase() ? 'Ford' : 'Škoda' }
    return toSegmentLine({ id: letter.toLowerCase(), fields, original: ['},['] }).line
  })
  return storeSegment(files, lines, 9)
}

/** Reads the rows as they are now, with their first version where it differs, and the segments that moved. */
async function read(now: readonly string[], before: readonly string[]) {
  const [segments, first] = await Promise.all([now, before].map((each) => Promise.all(each.map(segment))))
  const sent = new SentSegments(files, segments ?? [], first ?? [])
  const rows: string[] = []
  for await (const each of sent.read()) {
    for (const { rowNo, recordId, fields, first: original } of each) {
      const was = original === fields ? '' : ` was ${original.partmanu}`
      rows.push(`${rowNo}${recordId} ${fields.partmanu}${was}`)
    }
  }
  return { rows, moved: sent.moved.map((each) => before[first?.indexOf(each) ?? -1]) }
}

describe('rows paired with their first version', () => {
  test.each<[string, { now: string[]; sent: string[]; rows: string[]; moved?: string[] }]>([
    ['all unchanged', { now: ['ab', 'c'], sent: ['ab', 'c'], rows: ['1a Ford', '2b Ford', '3c Ford'] }],
    [
      'some edited in place',
      { now: ['ab', 'cD'], sent: ['ab', 'cd'], rows: ['1a Ford', '2b Ford', '3c Ford', '4d Škoda was Ford'] },
    ],
    [
      'an added row, which moves its segment',
      {
        now: ['aBx', 'c'],
        sent: ['ab', 'c'],
        rows: ['1a Ford', '2b Škoda', '3x Ford', '4c Ford'],
        moved: ['ab'],
      },
    ],
    ['a removed row', { now: ['B', 'c'], sent: ['ab', 'c'], rows: ['1b Škoda', '2c Ford'], moved: ['ab'] }],
    [
      'a row replaced by another',
      { now: ['Axc'], sent: ['abc'], rows: ['1a Škoda was Ford', '2x Ford', '3c Ford'], moved: ['abc'] },
    ],
    ['rows in a different order', { now: ['ba'], sent: ['ab'], rows: ['1b Ford', '2a Ford'], moved: ['ab'] }],
    ['a removed segment', { now: ['c'], sent: ['ab', 'c'], rows: ['1c Ford'], moved: ['ab'] }],
    [
      'a segment added before them',
      { now: ['xy', 'ab'], sent: ['ab'], rows: ['1x Ford', '2y Ford', '3a Ford', '4b Ford'] },
    ],
    ['no rows', { now: [], sent: ['ab'], rows: [], moved: ['ab'] }],
  ])('%s', async (_what, { now, sent, rows, moved = [] }) => {
    expect(await read(now, sent)).toEqual({ rows, moved })
  })

  test('a missing segment is an error', async () => {
    const lost = { sha256: '0'.repeat(64), rows: 1, bytes: 9 }
    const sent = new SentSegments(files, [await segment('a'), lost], [])
    const readAll = async () => {
      for await (const rows of sent.read()) expect([...rows]).toHaveLength(1)
    }
    await expect(readAll()).rejects.toThrow('missing')
  })
})
