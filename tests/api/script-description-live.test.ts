import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { ListingPage } from '#contract/listings.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const scripts = await openLiveScripts(app)
let sellers: SignedIn[]
let admin: SignedIn
beforeAll(async () => {
  sellers = [await app.signUp(), await app.signUp()]
  admin = await app.signUp({ role: 'admin' })
})

const change = (columns: object, ids?: readonly string[]) =>
  withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, async (trx) => {
    const update = trx.updateTable('listing').set(columns)
    await (ids ? update.where('id', 'in', ids) : update).execute()
  })
beforeEach(() => change({ deleted_at: new Date() }))

/** Live listings of two sellers, alternating, oldest first. */
async function list(count: number, columns: (at: number) => object = () => ({})): Promise<string[]> {
  const ids: string[] = []
  for (let half = 0; half < 2; half += 1) {
    const parts = half === 0 ? Math.ceil(count / 2) : Math.floor(count / 2)
    const sellerId = sellers[half]?.user.sellerId ?? ''
    const from = ids.length
    ids.push(
      ...(await makeStock(app.db, { sellerId, parts }, (at) => ({
        name: 'Alternator',
        part_number: `DL3Z-${from + at + 1}`,
        damage: 'scratched bracket',
        description: '',
        ...columns(from + at),
      }))),
    )
  }
  return ids
}

const run = (flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('description-optimizer', flags, status, { createdBy: admin.user.id })
const read = async (ids: readonly string[]) => {
  const rows = await app.db
    .selectFrom('listing')
    .select(['description', 'version'])
    .where('id', 'in', ids)
    .orderBy('id')
    .execute()
  return rows.map(({ description, version }) => [description, version])
}
type Saves = { items: { id: string; by: string | null; how: string; listings: number }[] }
const saves = async () => (await admin.api.get<Saves>('/admin/change-sets')).body.items
const textOf = (number: number) =>
  `Part: Alternator\nVehicle: 2014 Ford F-150\nPart number: DL3Z-${number}\nDamage: scratched bracket`

test('without a staged file, live listings of all sellers get descriptions, as a bulk save that can be undone', async () => {
  const ids = await list(5, (at) => (at === 2 ? { description: 'x'.repeat(60) } : {}))
  const { result, stdout } = await run()
  expect(stdout).toEqual(['Wrote 4 texts at no cost. 1 unchanged.'])
  expect(result).toEqual(expect.not.objectContaining({ version: expect.anything() }))
  expect(await read(ids)).toEqual([
    [textOf(1), 2],
    [textOf(2), 2],
    ['x'.repeat(60), 1],
    [textOf(4), 2],
    [textOf(5), 2],
  ])
  const [save] = await saves()
  expect(save).toMatchObject({ by: admin.person.name, how: 'bulk edit', listings: 4 })
  const found = await admin.api.get<{ items: { fields: { field: string }[] }[] }>(
    `/admin/parts/${ids[0]}/history`,
  )
  expect(found.body.items[0]?.fields.map(({ field }) => field)).toEqual(['partdescription'])
  const undone = await admin.api.post<{ undone: number }>(`/admin/change-sets/${save?.id}/undo`)
  expect(undone.body).toMatchObject({ undone: 4 })
  expect((await read(ids)).map(([text]) => text)).toEqual(['', '', 'x'.repeat(60), '', ''])
})

test('the search finds the new description', async () => {
  const ids = await list(1)
  await run()
  const { body } = await app.visitor.get<ListingPage>('/parts?q=vehicle')
  expect(body.items.map(({ id }) => id)).toContain(ids[0])
})

test('a second run writes nothing', async () => {
  const ids = await list(3)
  await run()
  const before = [await read(ids), await saves()]
  expect((await run()).result).toMatchObject({ written: 0, unchanged: 3 })
  expect([await read(ids), await saves()]).toEqual(before)
})

test('listings that are not live are left alone', async () => {
  const ids = await list(4)
  await change({ status: 'HIDDEN' }, ids.slice(0, 1))
  await change({ ended_at: new Date(), ended_reason: 'sold-elsewhere' }, ids.slice(1, 2))
  await change({ deleted_at: new Date() }, ids.slice(2, 3))
  expect((await run({ forceOverride: true })).result).toMatchObject({ written: 1, unchanged: 0 })
  expect((await read(ids)).map(([text]) => text !== '')).toEqual([false, false, false, true])
})

test('Dry run prints each listing with before and after, and writes nothing', async () => {
  const ids = await list(2)
  const before = [await read(ids), await saves()]
  const { stdout } = await run({ dryRun: true })
  expect(stdout).toEqual([
    expect.stringMatching(
      new RegExp(`^Listing 1 \\(part-${ids[0]}\\): empty → “Part: Alternator Vehicle: .*DL3Z-1 .*”$`),
    ),
    expect.stringMatching(/^Listing 2 .*: empty → “.*DL3Z-2 .*”$/),
    'Dry run: 2 texts to write at no cost.',
  ])
  expect([await read(ids), await saves()]).toEqual(before)
})

test.each<[flags: Record<string, number | boolean>, places: number[]]>([
  [{ test: true }, [0, 1, 2]],
  [{ start: 4 }, [4, 5]],
  [{ start: 1, end: 3 }, [1, 2]],
  [{ start: 2, limit: 2 }, [2, 3]],
  [{ start: 6 }, []],
])('%j selects from the oldest first', async (flags, places) => {
  const ids = await list(6)
  await run(flags)
  expect((await read(ids)).flatMap(([text], at) => (text === '' ? [] : [at]))).toEqual(places)
})

describe('a listing that is refused', () => {
  const nameless = (at: number) => (at === 1 ? { name: ' ' } : {})

  test('ends the job; earlier writes are kept', async () => {
    const ids = await list(3, nameless)
    const { error } = await run({}, 'failed')
    expect(error).toMatch(/^Stopped at Listing 2 \(part-.*\): the record has no part name\./)
    expect((await read(ids)).map(([text]) => text !== '')).toEqual([true, false, false])
  })

  test('is skipped with Continue on error', async () => {
    const ids = await list(3, nameless)
    expect((await run({ continueOnError: true })).result).toMatchObject({ written: 2, refused: 1 })
    expect((await read(ids)).map(([text]) => text !== '')).toEqual([true, false, true])
  })
})

test('many listings are split into bulk saves, each small enough to be undone', async () => {
  const ids = await list(2_300)
  expect((await run()).result).toMatchObject({ written: 2_300 })
  expect((await saves()).slice(0, 2).map(({ listings }) => listings)).toEqual([300, 2_000])
  expect(new Set((await read(ids)).map(([, version]) => version))).toEqual(new Set([2]))
}, 60_000)
