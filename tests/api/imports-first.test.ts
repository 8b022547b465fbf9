import { describe, expect, test, vi } from 'vitest'
import type { DryRunReply, ImportQuestion, ImportRecord } from '#contract/imports.ts'
import { csvOf, partRow, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import {
  listingsOf,
  partFields,
  partsFields,
  promotionOf,
  sendRows,
  startPromotionWorker,
  undoImport,
  untilImport,
  untilState,
} from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Of a new seller's first import some parts go live at once and the rest after a while without a report. */

const app = await startTestApp({ FIRST_IMPORT_LIVE: '5', FIRST_IMPORT_WAIT_MINUTES: '60' })
const policy = { reviewsNothing: true, firstImport: app.config.firstImport }
await startPromotionWorker(app, { policy })
const admin = await app.signUp({ role: 'admin' })

const mailsTo = async (to: string) => {
  const { rows } = await app.database.pool.query(
    'select subject, body from mail where recipient = $1 order by id',
    [to],
  )
  return rows as { subject: string; body: string }[]
}

/** Sends rows and waits until as many are live as may be at once. */
async function untilFirstParts(seller: SignedIn, count = 12) {
  const sent = await sendRows(app, seller, partsFields(count))
  await vi.waitFor(
    async () => expect((await promotionOf(app, sent.promotionId)).restAt).not.toBeNull(),
    12_000,
  )
  return sent
}

/** As if the waiting time were over. */
async function letTimePass(promotionId: string): Promise<void> {
  const { applyJobId } = await promotionOf(app, promotionId)
  await app.database.pool.query(`update pgboss.job set start_after = now() where data ->> 'jobId' = $1`, [
    applyJobId,
  ])
  await app.database.pool.query('update job set run_after = now() where id = $1', [applyJobId])
}

let reporters = 0
/** A report from another address; confirmed with the link in its email, unless that is left lying. */
async function report(
  slug: string,
  { email = `reporter-${++reporters}@garage.example`, confirms = true } = {},
) {
  const from = app.visitor.as({ ip: `198.51.100.${++reporters}` })
  const { status } = await from.post(`/parts/${slug}/reports`, { reason: 'wrong-part', email })
  expect(status).toBe(201)
  const token = /confirm-report#([\w-]{43})\n/.exec(
    (await mailsTo(email.toLowerCase())).at(-1)?.body ?? '',
  )?.[1]
  if (confirms) expect((await from.post('/verify/report', { token })).status).toBe(200)
  return email
}
const seen = async (seller: SignedIn, importId: string) =>
  (await seller.api.get<ImportRecord>(`/pro/imports/${importId}`)).body

describe('a new seller’s first import', () => {
  test('goes live in part, and the rest after the waiting time', async () => {
    const seller = await proSeller(app)
    const { promotionId, importId } = await untilFirstParts(seller)
    expect(await listingsOf(app, seller)).toHaveLength(5)
    const record = await seen(seller, importId)
    expect(record).toMatchObject({ state: 'applying', canUndo: true, rest: { changes: 7, heldAt: null } })
    expect(Date.parse(record.rest?.liveAt ?? '') - Date.now()).toBeGreaterThan(59 * 60_000)
    const [first] = await mailsTo(seller.person.email)
    expect(first?.subject).toContain('The first parts of')
    await letTimePass(promotionId)
    await untilState(app, promotionId, 'applied')
    expect(await listingsOf(app, seller)).toHaveLength(12)
    const [, live] = await mailsTo(seller.person.email)
    expect(live?.subject).toContain('is live')
    expect(live?.body).toContain(`/dashboard/seller/imports/${importId}`)
    expect(await seen(seller, importId)).toMatchObject({ state: 'applied', rest: null })
  })

  const heldAt = async (seller: SignedIn, importId: string) => (await seen(seller, importId)).rest?.heldAt

  /** Three confirmed reporters on three of the seller's parts. */
  async function hold(seller: SignedIn) {
    const sent = await untilFirstParts(seller)
    const [a, b, c] = (await listingsOf(app, seller)).map(({ slug }) => slug ?? '')
    const first = await report(a ?? '')
    return { ...sent, first, slugs: [a, b, c] as [string, string, string] }
  }

  async function untilJobEnds(jobId: string | null) {
    await vi.waitFor(async () => {
      const { rows } = await app.database.pool.query('select status from job where id = $1', [jobId])
      expect(rows[0].status).toBe('completed')
    }, 12_000)
  }

  test('three confirmed reporters of three parts hold the rest until an administrator publishes it', async () => {
    const seller = await proSeller(app)
    const { promotionId, importId, first, slugs } = await hold(seller)
    const [a, b, c] = slugs
    // Neither one person, nor unconfirmed addresses, nor a single part.
    await report(b, { email: first })
    await report(c, { email: first.toUpperCase() })
    await report(b, { email: first.replace('@', '+b@') })
    await report(c, { email: first.replace('@', '+c@') })
    await report(b, { confirms: false })
    await app.visitor.as({ ip: '203.0.113.7' }).post(`/parts/${c}/reports`, { reason: 'wrong-part' })
    await report(a)
    expect(await heldAt(seller, importId)).toBeNull()
    const before = (await promotionOf(app, promotionId)).applyJobId
    await report(c)
    expect(await heldAt(seller, importId)).not.toBeNull()
    const liveAt = (await seen(seller, importId)).rest?.liveAt ?? ''
    expect(Date.parse(liveAt) - Date.now()).toBeGreaterThan(23.9 * 3_600_000)
    // The job of the first wait publishes nothing.
    await app.database.pool.query(`update pgboss.job set start_after = now() where data ->> 'jobId' = $1`, [
      before,
    ])
    await app.database.pool.query('update job set run_after = now() where id = $1', [before])
    await untilJobEnds(before)
    expect(await listingsOf(app, seller)).toHaveLength(5)
    expect((await mailsTo(seller.person.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('The first parts'),
      expect.stringContaining('on hold'),
    ])
    expect((await mailsTo(admin.person.email)).at(-1)?.body).toContain('/dashboard/admin/reports')
    const path = `/admin/imports/${importId}/publish-rest`
    expect((await seller.api.post(path)).status).toBe(403)
    expect((await admin.api.post(path)).body).toEqual({ ok: true })
    await untilState(app, promotionId, 'applied')
    expect(await listingsOf(app, seller)).toHaveLength(12)
    expect((await admin.api.post(path)).status).toBe(409)
    const { rows } = await app.database.pool.query(
      `select detail from audit_entry where action = 'import-rest-published' and target = $1`,
      [importId],
    )
    expect(rows).toEqual([{ detail: { promotionId, wasHeld: true } }])
  })

  test('a hold ends after a day without a decision, and says so', async () => {
    const seller = await proSeller(app)
    const { promotionId, slugs } = await hold(seller)
    for (const slug of slugs.slice(1)) await report(slug)
    await letTimePass(promotionId)
    await untilState(app, promotionId, 'applied')
    expect(await listingsOf(app, seller)).toHaveLength(12)
    expect((await mailsTo(seller.person.email)).map(({ subject }) => subject)).toEqual([
      expect.stringContaining('The first parts'),
      expect.stringContaining('on hold'),
      expect.stringContaining('goes live'),
      expect.stringContaining('is live'),
    ])
    expect((await mailsTo(admin.person.email)).at(-1)?.subject).toMatch(/^No longer on hold: /)
  })

  test('a hold stays if an administrator hid one of the reported listings', async () => {
    const seller = await proSeller(app)
    const { promotionId, slugs } = await hold(seller)
    for (const slug of slugs.slice(1)) await report(slug)
    const id = (await listingsOf(app, seller)).find(({ slug }) => slug === slugs[0])?.id
    expect((await admin.api.post(`/admin/reports/${id}/decision`, { decision: 'hide' })).status).toBe(200)
    await letTimePass(promotionId)
    await untilJobEnds((await promotionOf(app, promotionId)).applyJobId)
    expect(await listingsOf(app, seller)).toHaveLength(5)
  })

  test('can be undone while its rest waits', async () => {
    const seller = await proSeller(app)
    const sent = await untilFirstParts(seller)
    await undoImport(app, seller, await promotionOf(app, sent.promotionId))
    await letTimePass(sent.promotionId)
    expect((await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)).toEqual([])
    // What was undone counts nothing.
    const again = await untilFirstParts(seller)
    expect((await promotionOf(app, again.promotionId)).created).toBe(5)
  })

  test('a name that is answered while the rest waits brings its row after the rest', async () => {
    const seller = await proSeller(app)
    const handle = partFields(12, { partname: 'Door handle', partcategory: 'Body' })
    const { promotionId, importId } = await sendRows(app, seller, [...partsFields(11), handle])
    await vi.waitFor(async () => expect((await promotionOf(app, promotionId)).restAt).not.toBeNull(), 12_000)
    const questions = async () =>
      (await seller.api.get<{ questions: ImportQuestion[] }>(`/pro/imports/${importId}/questions`)).body
        .questions
    const [question] = await questions()
    expect(question).toMatchObject({ typed: 'Body', about: 'door handle', rows: 1 })
    const lookupId = question?.choices[0]?.id
    const answers = [{ kind: 'category', typed: 'Body', about: 'door handle', lookupId }]
    const { body } = await seller.api.post<{ importIds: string[] }>('/pro/names', { answers })
    expect(body.importIds).toEqual([])
    expect(await questions()).toEqual([])
    expect(await listingsOf(app, seller)).toHaveLength(5)
    await letTimePass(promotionId)
    await untilState(app, promotionId, 'applied')
    expect(await listingsOf(app, seller)).toHaveLength(11)
    const next = await vi.waitFor(async () => {
      const found = await app.db
        .selectFrom('promotion')
        .select(['id', 'rest_at'])
        .where('continues', '=', promotionId)
        .executeTakeFirstOrThrow()
      expect(found.rest_at).not.toBeNull()
      return found
    }, 12_000)
    await letTimePass(next.id)
    await untilState(app, next.id, 'applied')
    const live = await listingsOf(app, seller)
    expect(live.filter(({ category_id }) => category_id === lookupId)).toHaveLength(1)
    expect(live).toHaveLength(12)
  })

  test('several small files do not get around it; changes to live parts are not limited', async () => {
    const seller = await proSeller(app)
    const one = await sendRows(
      app,
      seller,
      partsFields(4, { stocknum: 'A' }).map((row, at) => ({ ...row, stocknum: `A-${at}` })),
    )
    await untilState(app, one.promotionId, 'applied')
    const changed = partsFields(4).map((row, at) => ({ ...row, stocknum: `A-${at}`, partprice: '7' }))
    const more = partsFields(8)
      .slice(4)
      .map((row, at) => ({ ...row, stocknum: `B-${at}` }))
    const { promotionId } = await sendRows(app, seller, [...changed, ...more])
    await vi.waitFor(async () => expect((await promotionOf(app, promotionId)).restAt).not.toBeNull(), 12_000)
    expect(await promotionOf(app, promotionId)).toMatchObject({ created: 1, updated: 4 })
  })

  test('small imports, trusted sellers and those with an older import go live at once', async () => {
    const small = await proSeller(app)
    const { promotionId } = await sendRows(app, small, partsFields(5))
    await untilState(app, promotionId, 'applied')
    await app.database.pool.query(
      `update promotion set applied_at = now() - interval '2 hours' where id = $1`,
      [promotionId],
    )
    const next = await sendRows(app, small, partsFields(30))
    expect(await untilState(app, next.promotionId, 'applied')).toMatchObject({ created: 25 })
    const trusted = await proSeller(app, { trusted: true })
    const all = await sendRows(app, trusted, partsFields(12))
    await untilState(app, all.promotionId, 'applied')
  })

  test('a seller set to review waits for an administrator', async () => {
    const seller = await proSeller(app)
    const { body } = await admin.api.put(`/admin/users/${seller.user.id}`, { reviewImports: true })
    expect(body).toMatchObject({ reviewImports: true, trusted: false })
    const { promotionId } = await sendRows(app, seller, partsFields(2))
    await untilState(app, promotionId, 'planned')
    expect(await listingsOf(app, seller)).toEqual([])
  })
})

describe('the dry run says what will happen and when', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, at) => partRow(at + 1, { Model: 'Crown Victoria' }))
  const check = async (seller: SignedIn, count: number, fields: Record<string, string> = {}) =>
    (await sendCsv<DryRunReply>(seller.api, { file: csvOf(rows(count)), fields, dryRun: true })).body.preview

  test('of a first import', async () => {
    const seller = await proSeller(app)
    expect(await check(seller, 12)).toMatchObject({
      plan: { creates: 12, updates: 0, ends: 0, held: 0, newNames: [] },
      goesLive: { how: 'first-parts', atOnce: 5, later: 7, waitMinutes: 60 },
    })
    expect((await check(seller, 3)).goesLive).toEqual({ how: 'now', atOnce: 3, later: 0, waitMinutes: 0 })
  })

  test('of a whole stock: how many parts end, and that the seller confirms more than 20%', async () => {
    const seller = await proSeller(app)
    const sent = await sendCsv<{ importId: string }>(seller.api, { file: csvOf(rows(5)) })
    await untilImport(app, seller.api, sent.body.importId)
    expect(await check(seller, 4, { mode: 'replace' })).toMatchObject({
      plan: { ends: 1 },
      goesLive: { how: 'now' },
    })
    expect(await check(seller, 3, { mode: 'replace' })).toMatchObject({
      plan: { creates: 0, updates: 0, ends: 2 },
      goesLive: { how: 'confirm' },
    })
    // A row that cannot be imported is still in the yard.
    const bad = csvOf([...rows(3), partRow(4, { Price: 'call us', Model: 'Crown Victoria' })])
    const { body } = await sendCsv<DryRunReply>(seller.api, {
      file: bad,
      fields: { mode: 'replace' },
      dryRun: true,
    })
    expect(body.preview).toMatchObject({ errors: 1, whole: { refused: 0 }, plan: { ends: 1, held: 0 } })
    const real = await sendCsv<{ importId: string }>(seller.api, {
      file: csvOf(rows(3)),
      fields: { mode: 'replace' },
    })
    const record = await untilImport(app, seller.api, real.body.importId, 'review')
    expect(record.canConfirm).toBe(true)
    expect((await mailsTo(seller.person.email)).at(-1)?.subject).toContain('needs your answer')
    await seller.api.post(`/pro/imports/${record.id}/confirm`, { planId: record.plan?.id })
    await untilImport(app, seller.api, record.id)
  })
})
