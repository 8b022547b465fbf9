import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { StagingFileEntry } from '#contract/admin/staging.ts'
import { proSeller } from '#tests/support/make-imports.ts'
import { partsFields } from '#tests/support/promotions.ts'
import { stageFile } from '#tests/support/stage-file.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
let desk: ReturnType<typeof stagingDesk>
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  desk = stagingDesk(admin.api)
})

/** Files under a folder that no other test uses. */
async function stageAll(names: readonly string[]) {
  const seller = await proSeller(app)
  const folder = `/f${randomBytes(6).toString('hex')}`
  const files = []
  for (const name of names) {
    const path = `${folder}/${name}.json`
    files.push(await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(2), path }))
  }
  return { seller, folder, files }
}

const namesOf = (items: readonly StagingFileEntry[]) =>
  items.map(({ path }) => path.replace(/^.*\/|\.json$/g, ''))

async function setPromotion(
  file: { fileId: string },
  seller: SignedIn,
  {
    state,
    applied = 0,
    approved = false,
    version = 1,
  }: { state: string; applied?: number; approved?: boolean; version?: number },
) {
  await sql`
    insert into promotion (file_id, version, seller_id, dataset, state, applied, approved_at)
    values (${file.fileId}, ${version}, ${seller.user.sellerId}, 'marketplace:ecomm_autoparts', ${state}, ${applied},
            case when ${approved} then now() end)
  `.execute(app.db)
}

describe('GET /admin/automation/staging/files', () => {
  test('is for admins only', async () => {
    const answers = [
      await stagingDesk(app.visitor).list(),
      await stagingDesk((await app.signUp()).api).list(),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 403])
  })

  test('describes each file', async () => {
    const { seller, folder, files } = await stageAll(['a'])
    const { seller: name } = await app.db
      .selectFrom('seller')
      .select('name as seller')
      .where('id', '=', seller.user.sellerId)
      .executeTakeFirstOrThrow()
    const path = files[0]?.path ?? ''
    await desk.patch({ path, version: 1, message: 'Scrap', deleteRows: [{ id: '0.1' }] })
    const { status, body } = await desk.list({ q: folder })
    const time = expect.stringMatching(/^\d{4}-.*Z$/)
    expect([status, body]).toEqual([
      200,
      {
        items: [
          {
            root: 'ecomm',
            path,
            csvPath: path.replace('.json', '.csv'),
            seller: { id: seller.user.sellerId, name },
            rows: 1,
            bytes: expect.any(Number),
            version: 2,
            state: 'staged',
            openNames: 0,
            createdAt: time,
            updatedAt: time,
            updatedBy: admin.user.name,
            message: 'Scrap',
          },
        ],
        nextCursor: null,
      },
    ])
  })

  test('lists files whose names need a decision', async () => {
    const { folder, files } = await stageAll(['a', 'b', 'c'])
    const word = folder.slice(1)
    await sql`
      insert into lookup_question (kind, typed, file_id)
      values ('category', ${`${word} door`}, ${files[1]?.fileId}), ('manufacturer', ${`${word} motors`}, ${files[1]?.fileId}),
             ('category', ${`${word} lamp`}, null)
    `.execute(app.db)
    const all = (await desk.list({ q: folder })).body.items
    expect(all.map(({ openNames }) => openNames)).toEqual([0, 2, 0])
    expect(namesOf((await desk.list({ q: folder, openNames: 'yes' })).body.items)).toEqual(['b'])
    expect((await desk.list({ openNames: 'no' })).status).toBe(400)
  })

  test('sorts by last change, in pages that skip and repeat nothing', async () => {
    const { folder, files } = await stageAll(['a', 'b', 'c', 'd', 'e'])
    await desk.patch({ path: files[1]?.path ?? '', version: 1, addRows: [{}] })
    // Equal times must not hide a file between two pages.
    await sql`update staging_file set changed_at = now() where path in (${files[0]?.path}, ${files[4]?.path})`.execute(
      app.db,
    )
    const found: StagingFileEntry[] = []
    let cursor: string | undefined
    do {
      const { body } = await desk.list({ q: folder, limit: 2, cursor })
      found.push(...body.items)
      cursor = body.nextCursor ?? undefined
    } while (cursor)
    expect(namesOf(found)).toEqual(['e', 'a', 'b', 'd', 'c'])
  })

  test('keeps the files of each root separate', async () => {
    const { folder } = await stageAll(['a'])
    expect((await desk.list({ root: 'mapdata', q: folder })).body.items).toEqual([])
    expect((await desk.list({ root: 'nowhere' })).status).toBe(400)
  })

  test('matches words in the path or the seller’s name: all of them, literally', async () => {
    const { folder, seller } = await stageAll(['wheels_50', 'wheels-50', 'doors'])
    await sql`update seller set name = ${`Joe’s Yard ${folder.slice(1)}`} where id = ${seller.user.sellerId}`.execute(
      app.db,
    )
    const named = async (q: string) => namesOf((await desk.list({ q })).body.items)
    expect(await named(`${folder} WHEELS`)).toEqual(['wheels-50', 'wheels_50'])
    expect(await named(`${folder} wheels_5`)).toEqual(['wheels_50'])
    expect(await named(`joe’s ${folder.slice(1)} doors`)).toEqual(['doors'])
    expect(await named(`${folder} joe’s nobody`)).toEqual([])
    expect(await named(`${folder} %`)).toEqual([])
  })

  test('filters by a state derived from the newest version and its outcome', async () => {
    const { folder, files, seller } = await stageAll([
      'staged',
      'resolved',
      'planned',
      'failed',
      'withdrawn',
      'promoted',
      'applying',
      'live',
      'failed-half',
      'undone',
      'edited',
      'empty',
    ])
    const at = (place: number) => files[place] ?? { fileId: '', path: '' }
    await sql`update staging_version set message = 'Taxonomy' where file_id = ${at(1).fileId}`.execute(app.db)
    await setPromotion(at(2), seller, { state: 'planned' })
    await setPromotion(at(3), seller, { state: 'failed' })
    await setPromotion(at(4), seller, { state: 'undone' })
    await setPromotion(at(5), seller, { state: 'planning', approved: true })
    await setPromotion(at(6), seller, { state: 'applying', approved: true })
    await setPromotion(at(7), seller, { state: 'undone', applied: 2 })
    await setPromotion(at(7), seller, { state: 'applied', applied: 2, approved: true })
    await setPromotion(at(8), seller, { state: 'failed', applied: 1, approved: true })
    await setPromotion(at(9), seller, { state: 'undone', applied: 2 })
    await setPromotion(at(10), seller, { state: 'applied', applied: 2, approved: true })
    await desk.patch({ path: at(10).path, version: 1, addRows: [{}] })
    await sql`update staging_version set rows = 0 where file_id = ${at(11).fileId}`.execute(app.db)
    await setPromotion(at(11), seller, { state: 'applied', approved: true })
    const all = (await desk.list({ q: folder })).body.items
    const states = new Map(all.map((item) => [namesOf([item])[0], item.state]))
    expect(Object.fromEntries(states)).toEqual({
      staged: 'staged',
      resolved: 'resolved',
      planned: 'staged',
      failed: 'staged',
      withdrawn: 'staged',
      promoted: 'promoted',
      applying: 'promoted',
      live: 'live',
      'failed-half': 'live',
      undone: 'rolled back',
      edited: 'staged',
      empty: 'staged',
    })
    for (const state of ['staged', 'resolved', 'promoted', 'live', 'rolled back']) {
      const { items } = (await desk.list({ q: folder, state })).body
      expect(namesOf(items)).toEqual(namesOf(all.filter((item) => item.state === state)))
    }
  })

  test('rejects another user’s cursor', async () => {
    expect((await desk.list({ cursor: 'abc' })).status).toBe(400)
  })
})
