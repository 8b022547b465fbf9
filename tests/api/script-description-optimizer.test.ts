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
  expect(stdout).toEqual(['Saved as version 2', '3 written, 2 unchanged, 0 refused, cost 0 cents'])
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
    '2 would be written, 0 unchanged, 0 refused, cost 0 cents',
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
      'Stopped at Row 2: the record has no part name. Texts written before it are kept; run the script again to continue.',
    )
    expect(stderr[0]).toBe('Row 2 left empty: the record has no part name')
    expect(stdout).toEqual(['Saved as version 2', '1 written, 0 unchanged, 1 refused, cost 0 cents'])
    expect(await texts(path)).toEqual([written(1), null, null])
    // Further runs do not start over; they stop where it stopped.
    await run(path, {}, 'failed')
    expect(await versionOf(path)).toBe(2)
  })

  test('for a word that would be lost is reported with the word', async () => {
    const path = await stage([partFields(1, { partdescription: 'Part: Starter motor' })])
    const { stderr } = await run(path, { continueOnError: true })
    expect(stderr).toEqual([
      'Row 1 keeps “Part: Starter motor”: “Starter” would be lost: the record has Part “Alternator 1”',
    ])
  })

  test('is skipped with Continue on error', async () => {
    const path = await stage(rows)
    expect((await run(path, { continueOnError: true })).result).toMatchObject({ written: 2, refused: 1 })
    expect(await texts(path)).toEqual([written(1), null, written(3)])
  })
})
