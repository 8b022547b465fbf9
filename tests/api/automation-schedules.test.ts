import { describe, expect, test } from 'vitest'
import type { JobSchedule } from '#contract/admin/automation.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { enqueueScheduled } from '#server/features/running/automation/job-schedules.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { enqueueDueSchedules } from '#server/platform/jobs/schedules.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
const { api, user } = await app.signUp({ role: 'admin' })

const NOBODY = '00000000-0000-7000-8000-000000000000'
const PATH = '/admin/automation/schedules'
const weekly = {
  queue: 'preprocess',
  payload: { scriptId: 'self-check', flags: { test: true } },
  cron: '0 6 * * 1',
  timeZone: 'America/Chicago',
}
let made = 0
function nextName(): string {
  made += 1
  return `Schedule ${made}`
}
type Reply = JobSchedule & ErrorReply
const create = (more: object = {}) => api.post<Reply>(PATH, { name: nextName(), ...weekly, ...more })
const change = (id: string, body: object) => api.put<Reply>(`${PATH}/${id}`, body)
const auditOf = async (id: string) => {
  const rows = await app.db
    .selectFrom('audit_entry')
    .selectAll()
    .where('target', '=', id)
    .orderBy('id')
    .execute()
  return rows.map(({ action, actor_user_id }) => [action, actor_user_id === user.id])
}

describe('POST /admin/automation/schedules', () => {
  test('creates a schedule with its next run in its time zone and arguments built by the server', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    expect(body).toMatchObject({
      queue: 'preprocess',
      payload: { scriptId: 'self-check', args: ['--test'] },
      options: { attempts: 1 },
      enabled: true,
      lastRunAt: null,
      problem: null,
    })
    const next = new Date(body.nextRunAt ?? 0)
    const local = next.toLocaleString('en-US', {
      timeZone: 'America/Chicago',
      weekday: 'long',
      hour: 'numeric',
    })
    expect(local).toBe('Monday 6 AM')
    expect(next.getTime()).toBeGreaterThan(Date.now())
    expect(await auditOf(body.id)).toEqual([['schedule-created', true]])
    const { body: list } = await api.get<{ items: JobSchedule[] }>(PATH)
    expect(list.items).toContainEqual(body)
  })

  test('a disabled schedule has no next run', async () => {
    expect((await create({ enabled: false })).body).toMatchObject({ enabled: false, nextRunAt: null })
  })

  test.each<[string, object, RegExp]>([
    ['cron', { cron: 'each monday' }, /five fields/],
    ['cron', { cron: '99 * * * *' }, /not a valid time/],
    ['timeZone', { timeZone: 'Mars/Olympus' }, /no time zone "Mars\/Olympus"/],
    ['queue', { queue: 'nope' }, /no queue “nope”/],
    ['payload', { payload: { scriptId: 'self-check', flags: { lines: -1 } } }, /Lines must be at least 0/],
    ['name', { name: ' ' }, /Enter a name/],
  ])('422 for a wrong %s: %j', async (field, more, sentence) => {
    const { status, body } = await create(more)
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.[field]).toMatch(sentence)
  })

  test('409 when the name is taken, ignoring case', async () => {
    await create({ name: 'Weekly check' })
    const { status, body } = await create({ name: 'weekly  CHECK' })
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.fields?.name).toMatch(/already/)
  })

  test('sending it twice with one key makes one schedule', async () => {
    const body = { name: nextName(), ...weekly }
    const key = { 'idempotency-key': 'one-schedule' }
    const [first, second] = [await api.post<Reply>(PATH, body, key), await api.post<Reply>(PATH, body, key)]
    expect([first.status, second.body.id]).toEqual([201, first.body.id])
  })
})

describe('PUT /admin/automation/schedules/{id}', () => {
  test('keeps the fields that are not sent', async () => {
    const { body: before } = await create()
    const off = (await change(before.id, { enabled: false })).body
    expect(off).toEqual({ ...before, enabled: false, nextRunAt: null })
    expect((await change(before.id, { enabled: true })).body).toEqual(before)
    const moved = (await change(before.id, { cron: '30 7 * * *' })).body
    expect(moved).toEqual({ ...before, cron: '30 7 * * *', nextRunAt: moved.nextRunAt })
    expect(moved.nextRunAt).not.toBe(before.nextRunAt)
    expect((await auditOf(before.id)).map(([action]) => action)).toEqual([
      'schedule-created',
      ...Array.from({ length: 3 }, () => 'schedule-changed'),
    ])
  })

  test('404, 409 and 422 leave the schedule unchanged', async () => {
    const [{ body: one }, { body: two }] = [await create(), await create()]
    expect((await change(NOBODY, { enabled: false })).status).toBe(404)
    expect((await change(one.id, { name: two.name })).status).toBe(409)
    expect((await change(one.id, { cron: '*' })).body.fields?.cron).toMatch(/five fields/)
    expect((await change(one.id, { queue: 'ingest-autoparts' })).body.fields?.payload).toMatch(
      /dataset is missing/,
    )
    const { body } = await api.get<{ items: JobSchedule[] }>(PATH)
    expect(body.items.find(({ id }) => id === one.id)).toEqual(one)
  })
})

describe('DELETE /admin/automation/schedules/{id}', () => {
  test('deletes the schedule once', async () => {
    const { body } = await create()
    expect((await api.delete(`${PATH}/${body.id}`)).body).toEqual({ ok: true })
    expect((await api.delete(`${PATH}/${body.id}`)).status).toBe(404)
    expect((await auditOf(body.id)).at(-1)).toEqual(['schedule-deleted', true])
  })
})

describe('the clock', () => {
  const makeDue = (id: string) =>
    app.db
      .updateTable('job_schedule')
      .set({ next_run_at: new Date(Date.now() - 1_000) })
      .where('id', '=', id)
      .execute()
  const runDue = () => enqueueDueSchedules(app.db, enqueueScheduled(JOB_QUEUES))
  const find = async (id: string) =>
    (await api.get<{ items: JobSchedule[] }>(PATH)).body.items.find((schedule) => schedule.id === id)

  test('enqueues a due schedule once, however many processes check, as its creator', async () => {
    const { body } = await create({ options: { attempts: 3 } })
    await makeDue(body.id)
    const counts = await Promise.all([runDue(), runDue(), runDue()])
    expect(counts.toSorted()).toEqual([0, 0, 1])
    const after = await find(body.id)
    expect(after?.nextRunAt).toBe(body.nextRunAt)
    const job = await api.get(`/admin/automation/jobs/${after?.lastJobId}`)
    expect(job.body).toMatchObject({
      queueKey: 'preprocess',
      scriptId: 'self-check',
      maxAttempts: 3,
      createdBy: user.name,
      payload: { args: ['--test'] },
    })
  })

  test('a payload that is no longer valid is shown on the schedule, which keeps running', async () => {
    const { body } = await create()
    const payload = JSON.stringify({ scriptId: 'gone' })
    await app.db.updateTable('job_schedule').set({ payload }).where('id', '=', body.id).execute()
    await makeDue(body.id)
    expect(await runDue()).toBe(0)
    const after = await find(body.id)
    expect([after?.problem, after?.nextRunAt]).toEqual([
      expect.stringMatching(/no script "gone"/),
      body.nextRunAt,
    ])
  })
})
