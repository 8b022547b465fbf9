import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { partFields, partsFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const scripts = await openLiveScripts(app)
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp({ tier: 'PAID' })
  admin = await app.signUp({ role: 'admin' })
})

const stage = async (rows: readonly Fields[], chunk?: number) =>
  (await stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })).path
const run = (path: string, flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('h1-optimizer', flags, status, { path, createdBy: admin.user.id })
const headings = async (path: string) =>
  (await currentVersion(app, path)).records.map(({ fields }) => fields.h1 ?? null)
const versionOf = async (path: string) => (await currentVersion(app, path)).version

test('writes a heading for each record, as one version by the person who started it', async () => {
  const path = await stage(partsFields(5), 2)
  const before = await currentVersion(app, path)
  const { result, stdout, stderr } = await run(path)
  expect(result).toMatchObject({ written: 5, unchanged: 0, refused: 0, version: 2, spent: { cents: 0 } })
  expect(stdout).toEqual(['Saved as version 2', '5 written, 0 unchanged, 0 refused, cost 0 cents'])
  expect(stderr).toEqual([])
  const after = await currentVersion(app, path)
  for (const [at, { id, fields, original }] of after.records.entries()) {
    const { h1, ...others } = fields
    expect({ id, fields: others, original }).toEqual(before.records[at])
    expect(h1).toMatch(/^.{8,70}$/)
    expect(h1).toContain('2014 Ford Crown Victoria')
  }
  const versions = await app.db
    .selectFrom('staging_version')
    .innerJoin('staging_file', 'staging_file.id', 'staging_version.file_id')
    .where('path', '=', path)
    .select(['staging_version.version', 'message', 'author_user_id', 'columns'])
    .orderBy('staging_version.version')
    .execute()
  expect(versions).toHaveLength(2)
  expect(versions[1]).toMatchObject({ message: 'h1-optimizer', author_user_id: admin.user.id })
  expect(versions[1]?.columns).toEqual([...(versions[0]?.columns ?? []), 'h1'])
})

test('a second run writes nothing and makes no version; segments without a change are shared', async () => {
  const path = await stage([partFields(1, { h1: 'Has one' }), ...partsFields(3)], 2)
  const first = await currentVersion(app, path)
  await run(path, { end: 2 })
  const second = await currentVersion(app, path)
  expect(second.segments.map(({ sha256 }, at) => sha256 === first.segments[at]?.sha256)).toEqual([
    false,
    true,
  ])
  await run(path)
  const third = await currentVersion(app, path)
  expect(third.segments[0]).toEqual(second.segments[0])
  const { result, stdout } = await run(path)
  expect(result).toMatchObject({ written: 0, unchanged: 4, version: 3 })
  expect(stdout).toEqual(['0 written, 4 unchanged, 0 refused, cost 0 cents'])
  expect(await versionOf(path)).toBe(3)
})

test('Force reoptimize also rewrites existing headings, with the same result', async () => {
  const path = await stage([partFields(1, { h1: 'Has one' }), partFields(2)])
  expect((await run(path)).result).toMatchObject({ written: 1, unchanged: 1 })
  expect((await headings(path))[0]).toBe('Has one')
  expect((await run(path, { forceReoptimize: true })).result).toMatchObject({ written: 1, unchanged: 1 })
  const written = await headings(path)
  expect(written[0]).toContain('Crown Victoria')
  expect((await run(path, { forceReoptimize: true })).result).toMatchObject({ written: 0, unchanged: 2 })
  expect([await headings(path), await versionOf(path)]).toEqual([written, 3])
})

test('Dry run prints row, before and after, and writes nothing', async () => {
  const path = await stage([partFields(1), partFields(2, { h1: 'Has one' })])
  const { stdout, result } = await run(path, { dryRun: true, forceReoptimize: true })
  expect(stdout).toEqual([
    expect.stringMatching(/^Row 1: empty → “.*2014 Ford Crown Victoria.*”$/),
    expect.stringMatching(/^Row 2: “Has one” → “.*2014 Ford Crown Victoria.*”$/),
    '2 would be written, 0 unchanged, 0 refused, cost 0 cents',
  ])
  expect(result).toMatchObject({ written: 2, version: 1 })
  expect([await headings(path), await versionOf(path)]).toEqual([[null, 'Has one'], 1])
})

test.each<[flags: Record<string, number | boolean>, rows: number[]]>([
  [{ test: true }, [0, 1, 2]],
  [{ start: 3, end: 5 }, [3, 4]],
  [{ start: 2, limit: 3 }, [2, 3, 4]],
  [{ start: 7 }, [7]],
  [{ test: true, start: 6, concurrent: 1 }, [6, 7]],
  [{ start: 8 }, []],
])('%j selects the rows', async (flags, rows) => {
  const path = await stage(partsFields(8), 3)
  await run(path, flags)
  const written = (await headings(path)).flatMap((heading, row) => (heading === null ? [] : [row]))
  expect(written).toEqual(rows)
})

describe('a staged file', () => {
  test('is required', async () => {
    const start = async () => scripts.start('h1-optimizer')
    await expect(start()).rejects.toThrow('Select or load a staging file path first')
  })

  test('that is missing ends the job with a sentence', async () => {
    const { error } = await run('/yard/nowhere.json', {}, 'failed')
    expect(error).toBe('There is no staged file /yard/nowhere.json in ecomm.')
  })
})

test('a record without usable facts is refused with the reason, and keeps its heading', async () => {
  const path = await stage([partFields(1), { partcity: 'Tulsa', h1: '' }, partFields(3)])
  const { stderr, result } = await run(path)
  expect(stderr).toEqual(['Row 2 left empty: the record has no part name'])
  expect(result).toMatchObject({ written: 2, refused: 1, version: 2 })
  expect((await headings(path))[1]).toBe('')
})
