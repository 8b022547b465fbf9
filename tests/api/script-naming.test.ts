import { sql } from 'kysely'
import { beforeAll, expect, test, vi } from 'vitest'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { atLength, longTest } from '#tests/support/at-length.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { db } = app
const scripts = await openLiveScripts(app)

type Kind = 'category' | 'manufacturer'
const changing = <T>(work: Parameters<typeof withChangeSet<T>>[2]) =>
  withChangeSet(db, { actorKind: 'system', reason: 'test' }, work)
const add = (kind: Kind, names: readonly string[], confirmed = false) =>
  changing((trx) =>
    trx
      .insertInto(kind)
      .values(names.map((name) => ({ name, confirmed })))
      .execute(),
  )
const addModels = async (manufacturer: string, names: readonly string[]) => {
  const manufacturer_id = await idOf('manufacturer', manufacturer)
  await changing((trx) =>
    trx
      .insertInto('car_model')
      .values(names.map((name) => ({ name, manufacturer_id, confirmed: false })))
      .execute(),
  )
}
const idOf = async (kind: Kind, name: string): Promise<string> =>
  (
    await db
      .selectFrom(kind)
      .select('id')
      .where('name', '=', name)
      .where('merged_into', 'is', null)
      .executeTakeFirstOrThrow()
  ).id
const isThere = async (kind: Kind | 'car_model', name: string): Promise<boolean> =>
  (await db.selectFrom(kind).select('id').where('name', '=', name).where('merged_into', 'is', null).execute())
    .length > 0
const aliasesOf = async (kind: Kind, name: string): Promise<string[]> => {
  const { rows } = await sql<{ alias: string }>`
    select alias from ${sql.table(`${kind}_alias`)}
    where ${sql.ref(`${kind}_id`)} = ${await idOf(kind, name)} order by alias
  `.execute(db)
  return rows.map(({ alias }) => alias)
}
const allNames = async () => {
  const { rows } = await sql<{ name: string }>`
    select name from category where merged_into is null
    union all select name from manufacturer where merged_into is null
    union all select name from car_model where merged_into is null order by 1
  `.execute(db)
  return rows.map(({ name }) => name)
}

let listings: string[]
beforeAll(async () => {
  await add('manufacturer', ['TOYOTTA', 'Ford Truck', 'studebaker', 'Merc', 'VOLKS-WAGEN', 'Toyo'])
  await add('manufacturer', ['Olds'], true)
  await add('category', ['ALTERNATORS', 'strater motor', 'WHIRLIGIG   HOUSING', 'Left Alternator'])
  await addModels('Ford', ['f150', 'Crown Victorria'])
  const seller = await app.signUp()
  const [toyotta, alternators] = await Promise.all([
    idOf('manufacturer', 'TOYOTTA'),
    idOf('category', 'ALTERNATORS'),
  ])
  listings = await makeStock(db, { sellerId: seller.user.sellerId, parts: 3 }, () => ({
    category_id: alternators,
    manufacturer_id: toyotta,
    manufacturer_name: 'TOYOTTA',
  }))
})

test('Dry run prints the plan as a diff and changes nothing', async () => {
  const before = await allNames()
  const { stdout, result } = await scripts.run('naming-optimizer', { dryRun: true })
  const lines = stdout.join('\n')
  expect(lines).toContain('- TOYOTTA\n+ Toyota (merged: a typo)')
  expect(lines).toContain('- Ford Truck\n+ Ford (merged: extra words)')
  expect(lines).toContain('- Olds\n+ Oldsmobile (merged: an abbreviation or nickname)')
  expect(lines).toContain('- VOLKS-WAGEN\n+ Volkswagen (merged: the same letters and digits)')
  expect(lines).toContain('- studebaker\n+ Studebaker')
  expect(lines).toContain('- ALTERNATORS\n+ Alternator (merged: another spelling)')
  expect(lines).toContain('- strater motor\n+ Starter Motor (merged: a typo)')
  expect(lines).toContain('- WHIRLIGIG   HOUSING\n+ Whirligig Housing')
  expect(lines).toContain('- Ford Crown Victorria\n+ Ford Crown Victoria (merged: a typo)')
  expect(lines).toContain(
    '? Merc: maybe Mercedes-Benz (50%) or Mercury (50%). This could be one of several names.',
  )
  expect(lines).toContain('? Left Alternator: maybe Alternator (93%). This could be that category.')
  expect(result).toMatchObject({ unsure: expect.any(Number), merged: expect.any(Number), skipped: 0 })
  expect(await allNames()).toEqual(before)
})

test('Target and a name choose what to check; Start and Limit choose a part of it; an unknown name is reported', async () => {
  const run = (flags: Record<string, string | number | boolean>) =>
    scripts.run('naming-optimizer', { dryRun: true, ...flags })
  expect((await run({ target: 'category', category: 'strater  MOTOR' })).result).toMatchObject({
    names: 1,
    merged: 1,
  })
  expect((await run({ target: 'manufacturer', start: 2, limit: 5, test: true })).result).toMatchObject({
    names: 3,
  })
  const { error } = await scripts.run('naming-optimizer', { manufacturer: 'Nobody' }, 'failed')
  expect(error).toBe('No name matches “Nobody”. Enter the exact name, and set Target to its kind.')
}, 60_000)

longTest('Target chooses a model with its manufacturer, and a manufacturer by another name', async () => {
  const run = async (flags: Record<string, string>) =>
    (await scripts.run('naming-optimizer', { dryRun: true, ...flags })).result
  expect(await run({ target: 'model', manufacturer: 'Ford', model: 'f150' })).toMatchObject({ names: 2 })
  expect(await run({ manufacturer: 'VW', target: 'manufacturer' })).toMatchObject({ names: 1, kept: 1 })
})

test('names are corrected and merged, listings follow, old names become aliases; the second run changes nothing', async () => {
  const { result } = await scripts.run('naming-optimizer', { concurrent: 2 })
  expect(result).toMatchObject({ notDone: 0, skipped: 0 })
  expect(await aliasesOf('manufacturer', 'Toyota')).toContain('TOYOTTA')
  expect(await aliasesOf('manufacturer', 'Oldsmobile')).toContain('Olds')
  expect(await aliasesOf('category', 'Alternator')).toContain('ALTERNATORS')
  for (const name of ['Whirligig Housing', 'Left Alternator'])
    expect(await isThere('category', name)).toBe(true)
  for (const name of ['Studebaker', 'Merc']) expect(await isThere('manufacturer', name)).toBe(true)
  expect(await isThere('car_model', 'F-150')).toBe(true)
  expect(await isThere('car_model', 'f150')).toBe(false)
  await vi.waitFor(
    async () => {
      const rows = await db
        .selectFrom('listing')
        .innerJoin('category', 'category.id', 'listing.category_id')
        .select(['manufacturer_name', 'category.name as category'])
        .where('listing.id', 'in', listings)
        .execute()
      expect(rows).toEqual(listings.map(() => ({ manufacturer_name: 'Toyota', category: 'Alternator' })))
    },
    { timeout: 15_000, interval: 100 },
  )
  const names = await allNames()
  expect((await scripts.run('naming-optimizer')).result).toMatchObject({
    renamed: 0,
    merged: 0,
    unsure: 0,
    kept: 0,
  })
  const forced = await scripts.run('naming-optimizer', { forceReoptimize: true, batchMode: true })
  expect(forced.result).toMatchObject({ renamed: 0, merged: 0, skipped: 0 })
  expect(forced.stdout.filter((line) => line.startsWith('? '))).not.toEqual([])
  expect(await allNames()).toEqual(names)
}, 60_000)

test('the changes are in the history and the audit log under the script', async () => {
  const sets = await db
    .selectFrom('change_set')
    .select(['actor_kind', 'job_id'])
    .where('reason', '=', 'merge manufacturer')
    .execute()
  expect(sets.filter(({ actor_kind, job_id }) => actor_kind !== 'job' || job_id === null)).toEqual([])
  const audit = await db
    .selectFrom('audit_entry')
    .select('detail')
    .where('action', '=', 'lookup-merged')
    .execute()
  expect(audit.map(({ detail }) => detail)).toContainEqual(
    expect.objectContaining({ kind: 'manufacturer', from: 'TOYOTTA', to: 'Toyota' }),
  )
})

test('interrupted, it resumes with the next worker, and each name is changed once', async () => {
  const letters = (at: number) => String.fromCharCode(98 + (at % 20), 98 + ((at / 20) % 20))
  const names = Array.from(
    { length: atLength({ full: 200, brief: 60 }) },
    (_, at) => `zzyzx ${letters(at)}obber`,
  )
  await add('category', names)
  const id = await scripts.start('naming-optimizer', { target: 'category' })
  await vi.waitFor(
    async () => {
      const { rows } = await sql<{ n: number }>`
        select count(*)::int as n from category where name like 'Zzyzx %'`.execute(db)
      expect(rows[0]?.n).toBeGreaterThan(names.length / 7)
    },
    { timeout: 30_000, interval: 20 },
  )
  await scripts.changeWorker()
  const { stdout } = await scripts.ended(id)
  expect(stdout.some((line) => line.startsWith('Continuing after '))).toBe(true)
  const { rows } = await sql<{ names: number; changes: number }>`
    select (select count(*)::int from category where name like 'Zzyzx %') as names,
           (select count(*)::int from lookup_change c join category t on t.id = c.lookup_id
            where t.name like 'Zzyzx %' and c.changes ? 'name') as changes
  `.execute(db)
  expect(rows).toEqual([{ names: names.length, changes: names.length }])
}, 90_000)

test('Batch mode changes a page in one transaction', async () => {
  await add('category', ['qwertz abba', 'qwertz cbba', 'qwertz dbba'])
  const { result } = await scripts.run('naming-optimizer', { target: 'category', batchMode: true })
  expect(result).toMatchObject({ renamed: 3, notDone: 0 })
  const { rows } = await sql<{ transactions: number }>`
    select count(distinct c.xmin::text)::int as transactions from lookup_change c
    join category t on t.id = c.lookup_id where t.name like 'Qwertz %' and c.changes ? 'name'
  `.execute(db)
  expect(rows).toEqual([{ transactions: 1 }])
})
