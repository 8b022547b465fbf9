import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { partFields, partsFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const scripts = await openLiveScripts(app)
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp({ tier: 'PAID' })
})

const LONG = 'Came off a running car, plug intact and all the tabs are there.'

const stage = async (rows: readonly Fields[], chunk = rows.length) =>
  (await stageFile(app, { sellerId: seller.user.sellerId, rows, chunk })).path
const run = (path: string, flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('description-optimizer', flags, status, { path })
const texts = async (path: string) =>
  (await currentVersion(app, path)).records.map(({ fields }) => fields.partdescription ?? null)
const versionOf = async (path: string) => (await currentVersion(app, path)).version
const written = (number: number) =>
  `Part: Alternator ${number}\nVehicle: 2014 Ford Crown Victoria\nPart number: DL3Z-${number}`

test('writes where the description is missing or very short, as one version', async () => {
  const path = await stage([
    partFields(1),
    partFields(2, { partdescription: LONG }),
    partFields(3, { partdescription: '  tested OK ' }),
    partFields(4, { partdescription: 'x'.repeat(50) }),
    partFields(5, { partdescription: null }),
  ])
  const { result, stdout } = await run(path)
  expect(result).toMatchObject({ written: 3, unchanged: 2, refused: 0, version: 2 })
  expect(stdout).toEqual(['Saved as version 2', 'Wrote 3 texts at no cost. 2 unchanged.'])
  expect(await texts(path)).toEqual([
    written(1),
    LONG,
    `tested OK\n\n${written(3)}`,
    'x'.repeat(50),
    written(5),
  ])
})

test('a second run writes nothing and makes no version', async () => {
  const path = await stage(partsFields(3))
  await run(path)
  expect((await run(path)).result).toMatchObject({ written: 0, unchanged: 3, version: 2 })
  expect(await versionOf(path)).toBe(2)
})

test('Force override extends every description and keeps its words; a second run adds nothing', async () => {
  const path = await stage([partFields(1, { partdescription: LONG }), partFields(2)])
  expect((await run(path, { forceOverride: true })).result).toMatchObject({ written: 2, unchanged: 0 })
  expect(await texts(path)).toEqual([`${LONG}\n\n${written(1)}`, written(2)])
  expect((await run(path, { forceOverride: true })).result).toMatchObject({ written: 0, unchanged: 2 })
})

test('Dry run prints row, before and after, and writes nothing', async () => {
  const path = await stage([partFields(1), partFields(2, { partdescription: 'tested OK' })])
  const { stdout, result } = await run(path, { dryRun: true })
  expect(stdout).toEqual([
    expect.stringMatching(/^Row 1: empty → “Part: Alternator 1 Vehicle: .* DL3Z-1”$/),
    expect.stringMatching(/^Row 2: “tested OK” → “tested OK Part: .* DL3Z-2”$/),
    'Dry run: 2 texts to write at no cost.',
  ])
  expect(result).toMatchObject({ version: 1 })
  expect([await texts(path), await versionOf(path)]).toEqual([[null, 'tested OK'], 1])
})

test('Verbose prints each text it writes', async () => {
  const path = await stage(partsFields(2))
  const { stdout } = await run(path, { verbose: true })
  const [one, two] = (await texts(path)).map((text) => String(text).replaceAll('\n', ' '))
  expect(stdout.slice(0, 2)).toEqual([`Row 1: empty → “${one}”`, `Row 2: empty → “${two}”`])
})

test.each<[flags: Record<string, number | boolean>, rows: number[]]>([
  [{ test: true }, [0, 1, 2]],
  [{ start: 1, end: 3, concurrent: 1 }, [1, 2]],
  [{ start: 2, limit: 2, concurrent: 9 }, [2, 3]],
])('%j selects the rows', async (flags, rows) => {
  const path = await stage(partsFields(6), 4)
  await run(path, flags)
  expect((await texts(path)).flatMap((text, row) => (text === null ? [] : [row]))).toEqual(rows)
})

describe('a record that is refused', () => {
  const rows = [partFields(1), partFields(2, { partname: '' }), partFields(3)]

  test('ends the job; earlier writes are kept', async () => {
    const path = await stage(rows)
    const { error, stderr, stdout } = await run(path, {}, 'failed')
    expect(error).toBe(
      'Stopped at Row 2: the record has no part name. Earlier texts are saved. Fix the cause, then run the script again.',
    )
    expect(stderr[0]).toBe('Row 2 left empty: the record has no part name')
    expect(stdout).toEqual(['Saved as version 2', 'Wrote 1 text at no cost. 1 not written; see above.'])
    expect(await texts(path)).toEqual([written(1), null, null])
    // Further runs do not start over; they stop where it stopped.
    await run(path, {}, 'failed')
    expect(await versionOf(path)).toBe(2)
  })

  test('for a word that would be lost is reported with the word', async () => {
    const path = await stage([partFields(1, { partdescription: 'Part: Starter motor' })])
    const { stderr } = await run(path, { continueOnError: true })
    expect(stderr).toEqual([
      'Row 1 keeps “Part: Starter motor”: “Starter” is in the description, but the record’s part is “Alternator 1”',
    ])
  })

  test('is skipped with Continue on error', async () => {
    const path = await stage(rows)
    expect((await run(path, { continueOnError: true })).result).toMatchObject({ written: 2, refused: 1 })
    expect(await texts(path)).toEqual([written(1), null, written(3)])
  })
})

describe('headings', () => {
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
    expect(stdout).toEqual(['Saved as version 2', 'Wrote 5 texts at no cost.'])
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
    expect(stdout).toEqual(['Wrote no texts at no cost. 4 unchanged.'])
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
      'Dry run: 2 texts to write at no cost.',
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
})
