import { sql } from 'kysely'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { replaceDays } from '#server/features/market/analytics/figures.ts'
import { analyticsJobs } from '#server/features/market/analytics/jobs.ts'
import { sendWeeklySummaries, weeklySummaryQueue } from '#server/features/market/analytics/weekly-summary.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { makeStock } from '#tests/support/make-stock.ts'

const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
// A Monday: 8 AM in Chicago, 9 AM in New York, 6 AM in Los Angeles.
const MONDAY_EIGHT = new Date('2026-03-09T13:00:00Z')
const HOUR_MS = 3_600_000

const bench = await startJobBench({ name: 'send-mail' })
const { db } = bench
beforeAll(async () => {
  await bench.start(analyticsJobs({ db, now: () => MONDAY_EIGHT, site }))
})
beforeEach(async () => {
  // Turn the mail off for the users of earlier tests.
  await sql`update app_user set notification_prefs = '{}'`.execute(db)
})

type Yard = { sellerId: string; userId: string; email: string; parts: string[] }

let yards = 0
async function newYard(prefs: object = { weeklySummary: true }, timeZone = 'America/Chicago'): Promise<Yard> {
  yards += 1
  const email = `owner-${yards}@yard.example`
  const { rows } = await sql<{ sellerId: string; userId: string }>`
    with person as (
      insert into app_user (name, email, email_verified_at, password_hash, notification_prefs)
      values ('Dana', ${email}, now(), '', ${JSON.stringify(prefs)}::jsonb) returning id
    ), yard as (
      insert into seller (slug, name, time_zone) values (${`yard-${yards}`}, 'Yard', ${timeZone}) returning id
    ), member as (
      insert into seller_member (user_id, seller_id) select person.id, yard.id from person, yard
    )
    select yard.id as "sellerId", person.id as "userId" from yard, person`.execute(db)
  const { sellerId = '', userId = '' } = rows[0] ?? {}
  const parts = await makeStock(db, { sellerId, parts: 2 }, (at) => ({ name: `Part ${at}` }))
  return { sellerId, userId, email, parts }
}

async function addViews({ sellerId, parts }: Yard, day: string, views: number, part = 0): Promise<void> {
  await sql`
    insert into listing_view (listing_id, seller_id, day, views)
    values (${parts[part] ?? ''}, ${sellerId}, ${day}, ${views})`.execute(db)
  await replaceDays(db, [sellerId])
}

async function addLead({ sellerId, parts }: Yard, at: string, state = 'new'): Promise<void> {
  await sql`
    insert into lead (seller_id, listing_id, listing_title, name, phone, created_at, state)
    values (${sellerId}, ${parts[0] ?? ''}, 'Part', 'Ruth', '1', ${at}, ${state})`.execute(db)
  await replaceDays(db, [sellerId])
}

const send = (now = MONDAY_EIGHT) =>
  sendWeeklySummaries({ db, now: () => now, site }, new AbortController().signal)
const mailsTo = ({ email }: Yard) =>
  db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()

test('covers Monday to Sunday: views, messages, unanswered messages and the most viewed parts', async () => {
  const yard = await newYard()
  await addViews(yard, '2026-03-01', 1_000)
  await addViews(yard, '2026-03-02', 40)
  await addViews(yard, '2026-03-08', 8, 1)
  await addViews(yard, '2026-03-09', 1_000)
  await addLead(yard, '2026-03-02T06:00:00Z')
  await addLead(yard, '2026-03-09T04:59:59Z', 'closed')
  await addLead(yard, '2026-03-02T05:59:59Z')
  await addLead(yard, '2026-03-09T05:00:00Z')
  expect(await send()).toEqual({ mails: 1 })
  const [mail] = await mailsTo(yard)
  expect(mail).toMatchObject({ subject: 'Your week on PartHarbor: 48 views, 2 messages', state: 'queued' })
  expect(mail?.body).toContain('Your week from March 2, 2026 to March 8, 2026:')
  expect(mail?.body).toContain('Messages per 100 views: 4\n')
  expect(mail?.body).toContain('3 unanswered messages')
  expect(mail?.body).toMatch(
    /- 2014 Ford F-150 Part 0: 40 views, 2 messages\n.*\n- 2014 Ford F-150 Part 1: 8 views, 0 messages/,
  )
})

test('is sent once a week, however many runs check at once', async () => {
  const yard = await newYard()
  await addViews(yard, '2026-03-03', 1)
  const runs = await Promise.all([send(), send(), send()])
  expect(runs.reduce((sum, { mails }) => sum + mails, 0)).toBe(1)
  expect(await send(new Date(MONDAY_EIGHT.getTime() + 5 * HOUR_MS))).toEqual({ mails: 0 })
  expect(await mailsTo(yard)).toHaveLength(1)
  await addViews(yard, '2026-03-12', 1)
  expect(await send(new Date(MONDAY_EIGHT.getTime() + 7 * 24 * HOUR_MS))).toEqual({ mails: 1 })
})

test('is sent on Mondays from 8 AM in the seller’s time zone, not before or on other days', async () => {
  const [chicago, angeles, auckland] = [
    await newYard(),
    await newYard({ weeklySummary: true }, 'America/Los_Angeles'),
    await newYard({ weeklySummary: true }, 'Pacific/Auckland'),
  ]
  for (const yard of [chicago, angeles, auckland]) await addLead(yard, '2026-03-04T12:00:00Z')
  const told = async () =>
    Promise.all([chicago, angeles, auckland].map(async (yard) => (await mailsTo(yard)).length))
  await send(new Date(MONDAY_EIGHT.getTime() - 1))
  expect(await told()).toEqual([0, 0, 0])
  // In Auckland it is already Tuesday.
  await send()
  expect(await told()).toEqual([1, 0, 0])
  await send(new Date(MONDAY_EIGHT.getTime() + 2 * HOUR_MS))
  expect(await told()).toEqual([1, 1, 0])
  await send(new Date('2026-03-15T19:00:00Z'))
  expect(await told()).toEqual([1, 1, 1])
})

test('goes only to sellers who turned it on and have something to read', async () => {
  const silent = await newYard({})
  const off = await newYard({ weeklySummary: false })
  const gone = await newYard()
  for (const yard of [silent, off, gone]) await addViews(yard, '2026-03-03', 9)
  await db.updateTable('app_user').set({ disabled_at: new Date() }).where('id', '=', gone.userId).execute()
  const quiet = await newYard()
  expect(await send()).toEqual({ mails: 0 })
  const known = await db
    .selectFrom('weekly_summary')
    .selectAll()
    .where('user_id', '=', quiet.userId)
    .execute()
  expect(known).toEqual([
    { user_id: quiet.userId, seller_id: quiet.sellerId, week: '2026-03-02', mail_id: null },
  ])
})

test('reports unanswered messages even after a week without views', async () => {
  const yard = await newYard()
  await addLead(yard, '2026-01-05T12:00:00Z')
  await send()
  const [mail] = await mailsTo(yard)
  expect(mail?.body).toContain('1 unanswered message')
  expect(mail?.body).not.toContain('per 100 views')
})

test('an interrupted run skips no seller and mails none twice', async () => {
  const both = [await newYard(), await newYard()]
  for (const yard of both) await addViews(yard, '2026-03-03', 2)
  const stop = new AbortController()
  let asked = 0
  const broken = db.withPlugin({
    transformQuery: ({ node }) => {
      if (JSON.stringify(node).includes('insert into mail') && ++asked === 2) throw new Error('killed')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const cutOff = sendWeeklySummaries({ db: broken, now: () => MONDAY_EIGHT, site }, stop.signal)
  await expect(cutOff).rejects.toThrow('killed')
  expect(await send()).toEqual({ mails: 1 })
  expect(await Promise.all(both.map(async (yard) => (await mailsTo(yard)).length))).toEqual([1, 1])
})

test('runs as a job whose result is the number of mails', async () => {
  const yard = await newYard()
  await addViews(yard, '2026-03-05', 3)
  const jobId = await enqueueJob(db, { queue: weeklySummaryQueue, payload: {} })
  expect((await untilStatus({ db }, jobId, 'completed')).result).toEqual({ mails: 1 })
  expect(await mailsTo(yard)).toHaveLength(1)
})
