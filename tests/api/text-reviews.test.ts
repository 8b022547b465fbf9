import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TextProposal, TextReview } from '#contract/admin/scripts.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { longTest } from '#tests/support/at-length.ts'
import { openLiveScripts } from '#tests/support/live-scripts.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { partFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What a dry run would write is compared, accepted or rejected, and only what is accepted is written. */

const app = await startTestApp()
const scripts = await openLiveScripts(app)
let seller: SignedIn
let admin: SignedIn
beforeAll(async () => {
  seller = await app.signUp({ tier: 'PAID' })
  admin = await app.signUp({ role: 'admin' })
})

type Page = { review: TextReview; total: number; items: TextProposal[]; next: number | null }
const read = async (id: string, query = '') =>
  (await admin.api.get<Page>(`/admin/automation/jobs/${id}/texts${query}`)).body
const decide = (id: string, body: object) =>
  admin.api.put<{ review: TextReview; changed: number }>(`/admin/automation/jobs/${id}/texts`, body)
const write = (id: string) =>
  admin.api.post<{
    review: TextReview
    written: number
    left: number
    version: number | null
    error?: string
  }>(`/admin/automation/jobs/${id}/texts/write`)
const stage = async (rows: readonly Fields[], chunk?: number) =>
  (await stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })).path

describe('a staged file', () => {
  const rows = [
    partFields(1, { partdescription: '' }),
    partFields(2, { partdescription: 'good cond, w/ brkt' }),
    partFields(3, { partdescription: 'Part: alternator off my truck' }),
    partFields(4, { partdescription: '' }),
  ]
  const dryRun = async (path: string) =>
    (
      await scripts.run('description-optimizer', { dryRun: true, continueOnError: true }, 'completed', {
        path,
        createdBy: admin.user.id,
      })
    ).id
  const texts = async (path: string) =>
    (await currentVersion(app, path)).records.map(({ fields }) => fields.partdescription)

  test('old and new are side by side, with the kind of change and the word that a row would lose', async () => {
    const path = await stage(rows)
    const id = await dryRun(path)
    const { review, total, items, next } = await read(id)
    expect(review).toMatchObject({
      jobId: id,
      field: 'partdescription',
      source: { root: 'ecomm', path, version: 1 },
      changes: { new: 2, added: 1, reworded: 0, drops: 0, refused: 1 },
      accepted: 0,
      rejected: 0,
      open: 3,
      leftOut: 0,
    })
    expect([total, next]).toEqual([4, null])
    expect(items.map(({ place, label, change }) => [place, label, change])).toEqual([
      [1, 'Row 1', 'new'],
      [2, 'Row 2', 'added'],
      [3, 'Row 3', 'refused'],
      [4, 'Row 4', 'new'],
    ])
    expect(items[1]).toMatchObject({
      before: 'good cond, w/ brkt',
      title: '2014 Ford Crown Victoria Alternator 2',
    })
    expect(items[1]?.after).toMatch(/^good cond, w\/ brkt\n\nPart: Alternator 2\n/)
    expect(items[2]).toMatchObject({
      after: null,
      why: expect.stringContaining('“off” is in the description'),
    })
    expect(await texts(path)).toEqual(rows.map(({ partdescription }) => partdescription))
  })

  test('it is searched, filtered and read page by page', async () => {
    const id = await dryRun(await stage(rows))
    expect((await read(id, '?q=BRKT%20cond')).items.map(({ place }) => place)).toEqual([2])
    expect((await read(id, '?change=new')).items.map(({ place }) => place)).toEqual([1, 4])
    await decide(id, { decision: 'rejected', places: [4] })
    expect((await read(id, '?decision=open')).items.map(({ place }) => place)).toEqual([1, 2])
    const first = await read(id, '?limit=3')
    expect([first.items.length, first.next]).toEqual([3, 3])
    expect((await read(id, '?limit=3&after=3')).items.map(({ place }) => place)).toEqual([4])
  })

  test('only accepted texts are written, as one version by the person who accepted them; more can follow', async () => {
    const path = await stage(rows, 2)
    const id = await dryRun(path)
    expect((await write(id)).body).toMatchObject({ written: 0, version: null })
    await decide(id, { decision: 'accepted', places: [1, 3] })
    await decide(id, { decision: 'rejected', places: [4] })
    const { body } = await write(id)
    // A refused row has nothing to write, even if someone tries.
    expect(body).toMatchObject({
      written: 1,
      left: 0,
      version: 2,
      review: { accepted: 1, written: 1, open: 1 },
    })
    const { items } = await read(id)
    expect(await texts(path)).toEqual([
      items[0]?.after,
      rows[1]?.partdescription,
      rows[2]?.partdescription,
      '',
    ])
    const version = await app.db
      .selectFrom('staging_version')
      .innerJoin('staging_file', 'staging_file.id', 'staging_version.file_id')
      .where('path', '=', path)
      .where('staging_version.version', '=', 2)
      .select(['message', 'author_user_id'])
      .executeTakeFirstOrThrow()
    expect(version).toEqual({ message: 'Descriptions accepted in review', author_user_id: admin.user.id })

    expect((await decide(id, { decision: 'accepted', change: 'added' })).body.changed).toBe(1)
    expect((await write(id)).body).toMatchObject({ written: 1, version: 3, review: { written: 2 } })
    expect((await texts(path))[1]).toBe(items[1]?.after)
    // What was written stays decided.
    expect((await decide(id, { decision: null })).body).toMatchObject({ changed: 1, review: { accepted: 2 } })
  })

  test('headings that drop words of the old one say which', async () => {
    const path = await stage([partFields(1, { h1: 'Heavy duty alternator' })])
    const { id } = await scripts.run('h1-optimizer', { dryRun: true, forceReoptimize: true }, 'completed', {
      path,
    })
    const { items, review } = await read(id)
    expect(review.changes).toMatchObject({ drops: 1 })
    expect(items[0]).toMatchObject({ change: 'drops', lost: ['Heavy', 'duty'] })
  })

  test('a file that was changed since is left alone', async () => {
    const path = await stage(rows)
    const id = await dryRun(path)
    await decide(id, { decision: 'accepted' })
    const contents = JSON.stringify([partFields(9)])
    await admin.api.put('/admin/automation/staging/file', { root: 'ecomm', path, contents })
    const refused = await write(id)
    expect(refused.status).toBe(409)
    expect(refused.body.error).toBe(
      `${path} was changed since this dry run, so nothing was written. Run the dry run again to compare with the current file.`,
    )
    expect((await currentVersion(app, path)).version).toBe(2)
  })

  test('with Dry run off it is written at once, and there is nothing to review', async () => {
    const path = await stage([partFields(1)])
    const { id } = await scripts.run('description-optimizer', {}, 'completed', { path })
    expect((await currentVersion(app, path)).version).toBe(2)
    expect((await admin.api.get(`/admin/automation/jobs/${id}/texts`)).status).toBe(404)
  })
})

describe('live listings', () => {
  beforeEach(() =>
    withChangeSet(app.db, { actorKind: 'system', reason: 'test' }, async (trx) => {
      await trx.updateTable('listing').set({ deleted_at: new Date() }).execute()
    }),
  )
  const list = (parts: number) =>
    makeStock(app.db, { sellerId: seller.user.sellerId, parts }, (at) => ({
      name: 'Alternator',
      part_number: `DL3Z-${at + 1}`,
      description: at === 1 ? 'tested' : '',
    }))
  const texts = async (ids: readonly string[]) => {
    const rows = await app.db
      .selectFrom('listing')
      .select(['description', 'version'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()
    return rows.map(({ description }) => description)
  }
  const dryRun = async () => (await scripts.run('description-optimizer', { dryRun: true })).id

  test('accepted texts are a bulk save of the person, which can be undone', async () => {
    const ids = await list(3)
    const id = await dryRun()
    expect((await read(id)).review).toMatchObject({ source: null, open: 3 })
    await decide(id, { decision: 'accepted', q: 'tested' })
    const { body } = await write(id)
    expect(body).toMatchObject({ written: 1, left: 0, version: null })
    expect(await texts(ids)).toEqual(['', expect.stringMatching(/^tested\n\nPart: Alternator\n/), ''])
    const set = await app.db
      .selectFrom('change_set')
      .select(['id', 'actor_kind', 'actor_user_id', 'reason'])
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(set).toMatchObject({ actor_kind: 'user', actor_user_id: admin.user.id, reason: 'bulk edit' })
    const undone = await admin.api.post<{ undone: number }>(`/admin/change-sets/${set.id}/undo`)
    expect(undone.body).toMatchObject({ undone: 1 })
    expect(await texts(ids)).toEqual(['', 'tested', ''])
  })

  test('a listing that changed since the dry run keeps what its seller wrote', async () => {
    const ids = await list(2)
    const id = await dryRun()
    await seller.api.put(`/seller/parts/${ids[0]}`, { partdescription: 'Mine.' })
    await decide(id, { decision: 'accepted' })
    expect((await write(id)).body).toMatchObject({ written: 1, left: 0, review: { written: 1, stale: 1 } })
    expect((await texts(ids))[0]).toBe('Mine.')
    expect((await read(id)).items.map(({ outcome }) => outcome)).toEqual(['stale', 'written'])
  })

  longTest(
    'thousands are written a bulk save at a time',
    async () => {
      const ids = await list(2_100)
      const id = await dryRun()
      expect((await decide(id, { decision: 'accepted' })).body.changed).toBe(2_100)
      expect((await write(id)).body).toMatchObject({ written: 2_000, left: 100 })
      expect((await write(id)).body).toMatchObject({ written: 100, left: 0 })
      expect((await texts(ids)).every((text) => text.includes('Part: Alternator'))).toBe(true)
    },
    60_000,
  )
})

test('a job without texts and one that does not exist are 404; a seller may not look', async () => {
  const none = await admin.api.get<{ error: string }>(
    '/admin/automation/jobs/01900000-0000-7000-8000-000000000000/texts',
  )
  expect(none.status).toBe(404)
  expect(none.body.error).toMatch(/no texts to review/)
  expect(
    (await seller.api.get('/admin/automation/jobs/01900000-0000-7000-8000-000000000000/texts')).status,
  ).toBe(403)
})

describe('landing pages and their links', () => {
  const pages = () =>
    app.db
      .selectFrom('landing_page')
      .select(['slug', 'title'])
      .where('kind', '=', 'category')
      .orderBy('slug')
      .execute()
  const dryRun = async (scriptId: 'product-page-category' | 'internal-linking', flags = {}) =>
    (await scripts.run(scriptId, { dryRun: true, ...flags }, 'completed', { createdBy: admin.user.id })).id

  test('only accepted pages are written, and one that has changed since is left alone', async () => {
    const named = await app.db
      .selectFrom('category')
      .select(['id', 'name'])
      .where('name', 'in', ['Alternator', 'Starter Motor'])
      .orderBy('name')
      .execute()
    await makeStock(app.db, { sellerId: seller.user.sellerId, parts: 4 }, (at) => ({
      category_id: named[at % 2]?.id ?? null,
    }))
    const id = await dryRun('product-page-category')
    const { review, items } = await read(id)
    expect(review).toMatchObject({ field: 'landing', source: null, changes: { new: 2 }, open: 2 })
    expect(items.map(({ label, title }) => [label, title])).toEqual([
      ['Category page', 'Alternator'],
      ['Category page', 'Starter Motor'],
    ])
    expect(items[0]).toMatchObject({
      before: '',
      after: expect.stringMatching(/^Title: Used alternators for sale\nMeta description: .+\nIntro: .+/),
    })
    expect(await pages()).toEqual([])
    await decide(id, { decision: 'rejected', places: [1] })
    await decide(id, { decision: 'accepted', places: [2] })
    expect((await write(id)).body).toMatchObject({ written: 1, left: 0, review: { written: 1, rejected: 1 } })
    expect(await pages()).toEqual([{ slug: 'starter-motor', title: 'Used starter motors for sale' }])

    const again = await dryRun('product-page-category')
    expect((await read(again)).items.map(({ title }) => title)).toEqual(['Alternator'])
    await scripts.run('product-page-category')
    await decide(again, { decision: 'accepted' })
    expect((await write(again)).body).toMatchObject({ written: 0, review: { stale: 1 } })
  })

  test('accepted links replace those of their page', async () => {
    const links = () =>
      app.db
        .selectFrom('page_link')
        .selectAll()
        .where('from_kind', '=', 'category')
        .orderBy('position')
        .execute()
    const id = await dryRun('internal-linking', { type: 'category' })
    const { review, items } = await read(id)
    expect(review).toMatchObject({ field: 'links', source: null })
    const [first] = items
    expect(first).toMatchObject({ label: 'Links of a category page', before: '', change: 'new' })
    expect(first?.after).toMatch(/\(listing\)/)
    await decide(id, { decision: 'accepted', places: [first?.place ?? 0] })
    expect((await write(id)).body.written).toBe(1)
    const written = await links()
    expect(written.map(({ anchor, to_kind }) => `${anchor} (${to_kind})`).join('\n')).toBe(first?.after)
  })
})
