import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { CarModel, Category } from '#contract/lookups.ts'
import { foldPartTypeChanges, openDataVersions } from '#server/features/market/for-sale/part-type-versions.ts'
import { noteChange } from '#server/features/market/for-sale/tally.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { makePictureListing, makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* A page that shows a few part types is made again when something of those was changed, and only then. */

const app = await startTestApp()
let seller: SignedIn
let doors: Category
let hoods: Category
beforeAll(async () => {
  seller = await app.signUp()
  const { body } = await app.visitor.get<Category[]>('/categories')
  const named = (wanted: string) => body.find(({ name }) => name === wanted) as Category
  doors = named('Front Door')
  hoods = named('Hood')
})

const readVersion = openDataVersions(
  (read) => read(app.db),
  () => undefined,
)

/** What is another than before `work`: pages of doors, of hoods, of everything. */
async function changedBy(work: () => Promise<unknown>): Promise<string[]> {
  const read = async () => {
    const version = await readVersion()
    return [version.of(new Set([doors.id])), version.of(new Set([hoods.id])), version.of(undefined)]
  }
  const before = await read()
  await work()
  const after = await read()
  return ['doors', 'hoods', 'everything'].filter((_, at) => before[at] !== after[at])
}

test('a listing changes the pages of its part type, before and after it moves to another', async () => {
  let id = ''
  const make = async () => {
    id = (await makeQuickListing(seller.api, { partname: 'Door', partcategoryId: doors.id })).id
  }
  expect(await changedBy(make)).toEqual(['doors', 'everything'])
  const put = (change: object) => () => seller.api.put(`/seller/parts/${id}`, change)
  expect(await changedBy(put({ partprice: '7' }))).toEqual(['doors', 'everything'])
  expect(await changedBy(put({ partcategoryId: hoods.id }))).toEqual(['doors', 'hoods', 'everything'])
  expect(await changedBy(put({ partprice: '8' }))).toEqual(['hoods', 'everything'])
  expect(await changedBy(() => seller.api.delete(`/seller/parts/${id}`))).toEqual(['hoods', 'everything'])
  expect(await changedBy(async () => undefined)).toEqual([])
})

test('so does its picture; a name, a yard or a note changes all pages', async () => {
  let id = ''
  expect(
    await changedBy(async () => {
      id = (await makePictureListing(seller.api, { partname: 'Door', partcategoryId: doors.id })).id
    }),
  ).toEqual(['doors', 'everything'])
  const all = ['doors', 'hoods', 'everything']
  const drop = () => sql`delete from listing_image where listing_id = ${id}`.execute(app.db)
  expect(await changedBy(drop)).toEqual(['doors', 'everything'])
  expect(await changedBy(drop)).toEqual([])
  expect(await changedBy(() => noteChange(app.db))).toEqual(all)
  const { body } = await app.visitor.get<CarModel[]>('/carmodels')
  const rename = () =>
    withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, (trx) =>
      sql`update car_model set name = name || ' Two' where id = ${body[0]?.id}`.execute(trx),
    )
  expect(await changedBy(rename)).toEqual(all)
})

test('folding and undone changes change nothing', async () => {
  await makeQuickListing(seller.api, { partname: 'Hood', partcategoryId: hoods.id })
  expect(await changedBy(() => foldPartTypeChanges(app.db))).toEqual([])
  const { rows } = await sql`select from part_type_change`.execute(app.db)
  expect(rows).toHaveLength(0)
  const undone = app.db.transaction().execute(async (trx) => {
    await noteChange(trx)
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  expect(await changedBy(async () => undefined)).toEqual([])
})
