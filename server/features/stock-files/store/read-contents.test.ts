import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { StagedRowReader } from './read-contents.ts'
import { openSegmentWriter } from './segments.ts'
import { toSegmentLine } from './staged-record.ts'

const root = await mkdtemp(join(tmpdir(), 'staged-rows-'))
afterAll(() => rm(root, { recursive: true }))

test('a page holds only the mapped fields of its rows, because unmapped cells may be thousands of times larger', async () => {
  const files = await openFileStore({ kind: 'fs', dir: root })
  const writer = openSegmentWriter(files)
  for (const number of [1, 2, 3, 4]) {
    const { line, bytes } = toSegmentLine({
      id: `0.${number}`,
      fields: { partname: `Door ${number}` },
      original: [`Door ${number}`, 'x'.repeat(3_000_000)],
    })
    await writer.add(line, bytes)
  }
  const rows = new StagedRowReader(files, await writer.finish())
  expect(await rows.read([1, 3])).toEqual([{ partname: 'Door 1' }, { partname: 'Door 3' }])
  expect(await rows.read([4])).toEqual([{ partname: 'Door 4' }])
  await expect(rows.read([5])).rejects.toThrow('ends before row 5')
})
