import { describe, expect, test } from 'vitest'
import type { ReportedListing } from '#contract/reports.ts'
import { makeQuickListing } from '#tests/support/make-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const admin = await app.signUp({ role: 'admin' })
type Page = { items: ReportedListing[]; total: number; open: number }

async function listed(): Promise<{ seller: SignedIn; id: string; slug: string }> {
  const seller = await app.signUp()
  const { id, partslug } = await makeQuickListing(seller.api)
  return { seller, id, slug: partslug }
}

const report = (slug: string, body: object = { reason: 'wrong-part' }, api = app.visitor) =>
  api.post<{ error: string; fields?: Record<string, string> }>(`/parts/${slug}/reports`, body)

const queue = async (state = 'open') =>
  (await admin.api.get<Page>(`/admin/reports?state=${state}&perPage=100`)).body
const inQueue = async (id: string, state = 'open') =>
  (await queue(state)).items.find((item) => item.id === id)
const decide = (id: string, body: object) =>
  admin.api.post<{ error: string }>(`/admin/reports/${id}/decision`, body)

const mailsTo = async (to: string) => {
  const text = 'select subject, body from mail where recipient = $1 order by id'
  return (await app.database.pool.query<{ subject: string; body: string }>(text, [to])).rows
}
const audits = async (target: string) => {
  const text = 'select action, actor_user_id, detail from audit_entry where target = $1 order by at, id'
  return (await app.database.pool.query(text, [target])).rows
}

describe('POST /parts/{slug}/reports', () => {
  test('takes a reason, with a text and an address if wanted, without an account', async () => {
    const { id, slug } = await listed()
    const { status, body } = await report(slug, {
      reason: 'wrong-part',
      text: ' A radiator. ',
      email: 'ruth@garage.example',
    })
    expect([status, body]).toEqual([201, { ok: true }])
    expect(await inQueue(id)).toMatchObject({
      partslug: slug,
      status: 'ACTIVE',
      import: null,
      reports: [{ reason: 'wrong-part', text: 'A radiator.', email: 'ruth@garage.example', outcome: null }],
    })
    expect(await audits(id)).toEqual([
      { action: 'listing-reported', actor_user_id: null, detail: { reason: 'wrong-part' } },
    ])
  })

  test('counts a visitor’s report of a listing once, also at the same moment', async () => {
    const { id, slug } = await listed()
    const replies = await Promise.all([1, 2, 3].map(() => report(slug)))
    expect(replies.map(({ status }) => status)).toEqual([201, 201, 201])
    const other = await app.signUp()
    await report(slug, { reason: 'suspicious' }, other.api)
    expect((await inQueue(id))?.reports.map(({ reason }) => reason)).toEqual(['suspicious', 'wrong-part'])
  })

  test('keeps a reason in the visitor’s own words', async () => {
    const { id, slug } = await listed()
    expect((await report(slug, { reason: 'The picture is mine' })).status).toBe(201)
    expect((await inQueue(id))?.reports).toMatchObject([{ reason: 'other', text: 'The picture is mine' }])
  })

  test.each([
    [{}, 'reason'],
    [{ reason: 'other', email: 'nobody' }, 'email'],
    [{ reason: 'other', text: 'x'.repeat(2_001) }, 'text'],
  ])('422 for %j', async (body, field) => {
    const { slug } = await listed()
    const reply = await report(slug, body)
    expect(reply.status).toBe(422)
    expect(reply.body.fields).toHaveProperty(field)
  })

  test('404 for a listing that is not public, 409 for the visitor’s own', async () => {
    const { seller, id, slug } = await listed()
    expect((await report('no-such-part')).status).toBe(404)
    expect((await report(slug, { reason: 'other' }, seller.api)).status).toBe(409)
    await report(slug)
    await decide(id, { decision: 'hide' })
    expect((await report(slug)).status).toBe(404)
  })
})

describe('the queue', () => {
  test('hide takes the listing off the site and notifies the seller and whoever reported it', async () => {
    const { seller, id, slug } = await listed()
    await report(slug, { reason: 'suspicious', text: 'Too cheap.', email: 'kim@shop.example' })
    expect((await decide(id, { decision: 'hide', answer: 'You were right.' })).body).toEqual({ ok: true })
    expect((await app.visitor.get(`/auto-part/${slug}`)).status).toBe(404)
    expect((await seller.api.get(`/auto-part/${slug}`)).status).toBe(200)
    expect(await inQueue(id)).toBeUndefined()
    expect(await inQueue(id, 'closed')).toMatchObject({
      status: 'HIDDEN',
      reports: [{ outcome: 'hidden', answer: 'You were right.', closedBy: admin.user.name }],
    })
    const [toSeller] = await mailsTo(seller.person.email)
    expect(toSeller?.subject).toContain('Hidden after a report')
    expect(toSeller?.body).toContain('Looks like a scam')
    expect(toSeller?.body).toContain('The administrator’s note:\nYou were right.')
    expect(toSeller?.body).not.toMatch(/kim@shop|Too cheap/)
    const [, toReporter] = await mailsTo('kim@shop.example')
    expect(toReporter?.body).toContain('You were right.')
    expect(await audits(id)).toContainEqual({
      action: 'reported-listing-hidden',
      actor_user_id: admin.user.id,
      detail: { reports: 1, answer: true },
    })
    const history = await admin.api.get<{ items: { reason: string }[] }>(`/admin/parts/${id}/history`)
    expect(JSON.stringify(history.body)).toContain('hide reported listing')
  })

  test('restore puts it back', async () => {
    const { seller, id, slug } = await listed()
    await report(slug, { reason: 'suspicious', email: 'jo@shop.example' })
    await decide(id, { decision: 'hide', answer: 'We hid it.' })
    expect((await decide(id, { decision: 'restore', answer: 'It is a real yard.' })).status).toBe(200)
    expect((await app.visitor.get(`/auto-part/${slug}`)).status).toBe(200)
    expect(await inQueue(id, 'closed')).toMatchObject({
      status: 'ACTIVE',
      reports: [
        {
          outcome: 'restored',
          answer: 'We hid it.',
          closedBy: admin.user.name,
          restoreAnswer: 'It is a real yard.',
          restoredAt: expect.any(String),
          restoredBy: admin.user.name,
        },
      ],
    })
    const [, , back] = await mailsTo('jo@shop.example')
    expect(back?.body).toContain('It is a real yard.')
    expect(back?.body).toContain(`The listing is public again: `)
    expect((await mailsTo(seller.person.email)).at(-1)?.subject).toContain('Public again')
    expect((await decide(id, { decision: 'restore' })).status).toBe(409)
  })

  test('answer closes the reports and leaves the listing as it is', async () => {
    const { seller, id, slug } = await listed()
    await report(slug, { reason: 'not-for-sale', email: 'lee@shop.example' })
    await decide(id, { decision: 'answer', answer: 'It is in stock.' })
    expect((await app.visitor.get(`/auto-part/${slug}`)).status).toBe(200)
    expect((await mailsTo('lee@shop.example'))[1]?.body).toContain('It is in stock.')
    expect(await mailsTo(seller.person.email)).toEqual([])
    expect(await inQueue(id, 'closed')).toMatchObject({ reports: [{ outcome: 'answered' }] })
  })

  test('counts what is open', async () => {
    const before = await queue()
    const { slug } = await listed()
    await report(slug)
    expect(await queue()).toMatchObject({ total: before.total + 1, open: before.open + 1 })
  })

  test('404 for a listing that nobody reported, 422 for another decision', async () => {
    const { id, slug } = await listed()
    expect((await decide(id, { decision: 'hide' })).status).toBe(404)
    await report(slug)
    expect((await decide(id, { decision: 'burn' })).status).toBe(422)
  })
})
