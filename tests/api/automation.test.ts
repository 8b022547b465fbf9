import { describe, expect, test } from 'vitest'
import type { Job, JobDetail, Queue } from '#contract/admin/automation.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PAYMENTS: 'off' })
const admin = await app.signUp({ role: 'admin' })
const seller = await app.signUp()
const { api } = admin

const NOBODY = '00000000-0000-7000-8000-000000000000'
const JOBS = '/admin/automation/jobs'
const tagged = (datasetTag: string) => ({ dataset: 'marketplace:ecomm_autoparts', datasetTag })

type Enqueued = { jobId: string } & ErrorReply
const selfCheck = (flags: object = {}) => ({
  queue: 'preprocess',
  payload: { scriptId: 'self-check', flags },
})
const enqueue = async (body: object = selfCheck()) => (await api.post<Enqueued>(JOBS, body)).body.jobId
const read = async (id: string) => (await api.get<JobDetail>(`${JOBS}/${id}`)).body
const audited = async (target: string) =>
  (
    await app.db
      .selectFrom('audit_entry')
      .select(['action', 'actor_user_id as by', 'detail'])
      .where('target', '=', target)
      .orderBy('id')
      .execute()
  ).map(({ action, by, detail }) => [action, by === admin.user.id, detail])

/** As the engine leaves a job that ended. */
const endAs = (id: string, status: string, error: string | null = null) =>
  app.db.updateTable('job').set({ status, error, ended_at: new Date() }).where('id', '=', id).execute()

describe('POST /admin/automation/jobs', () => {
  test('the form’s default ingests; the job belongs to the administrator and is in the audit log', async () => {
    const payload = { perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' }
    const answer = await api.post<Enqueued>(JOBS, {
      queue: 'ingest-autoparts',
      payload,
      options: { attempts: 1 },
    })
    expect(answer.status).toBe(202)
    const job = await read(answer.body.jobId)
    expect(job).toMatchObject({
      status: 'queued',
      queueKey: 'ingest-autoparts',
      scriptId: null,
      payload,
      options: { attempts: 1 },
      maxAttempts: 1,
      createdBy: admin.user.name,
      state: { concurrencyKey: 'ingest:marketplace:ecomm_autoparts', delivery: { state: 'created' } },
    })
    const detail = { queue: 'ingest-autoparts', script: null, attempts: 1 }
    expect(await audited(job.id)).toEqual([['job-enqueued', true, detail]])
  })

  test('a script’s flags are checked and its arguments built from them; arguments that are sent are ignored', async () => {
    const payload = {
      scriptId: 'self-check',
      flags: { test: true, dryRun: false, lines: '5' },
      args: ['--evil'],
    }
    const job = await read(await enqueue({ queue: 'preprocess', payload }))
    expect(job.scriptId).toBe('self-check')
    expect(job.payload).toMatchObject({ flags: { test: true, lines: 5 }, args: ['--test', '--lines=5'] })
    expect(job.state).toMatchObject({ resumable: true })
  })

  test('an unknown queue: 422 naming the known ones', async () => {
    const { status, body } = await api.post<Enqueued>(JOBS, { queue: 'nope' })
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.queue).toMatch(/no queue “nope”.*ingest-autoparts.*preprocess/)
  })

  test.each<[string, object, RegExp]>([
    ['of an ingest', { queue: 'ingest-autoparts', payload: { perPage: 0 } }, /dataset is missing.*perPage/],
    ['of a script', selfCheck({ lines: -1 }), /Lines must be at least 0/],
    ['with an unknown script', { queue: 'preprocess', payload: { scriptId: 'rm' } }, /no script "rm"/],
    ['without one', { queue: 'preprocess', payload: {} }, /Choose a script/],
    [
      'without its staged file',
      { queue: 'h1Optimizer', payload: { scriptId: 'h1-optimizer' } },
      /^Select or load a staging file path first$/,
    ],
  ])('a wrong payload %s: 422 with the reason', async (_what, body, sentence) => {
    const answer = await api.post<Enqueued>(JOBS, body)
    expect([answer.status, answer.body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(answer.body.fields?.payload).toMatch(sentence)
  })

  test.each([1e9, 26, 0, -3, 2.9])('%s attempts are refused, not adjusted', async (attempts) => {
    const { status, body } = await api.post<Enqueued>(JOBS, { ...selfCheck(), options: { attempts } })
    expect([status, body.fields?.options]).toEqual([422, 'Attempts must be a whole number from 1 to 25.'])
  })

  test('an unknown dataset is refused, naming the known ones', async () => {
    const payload = { dataset: 'marketplace:typo' }
    const { status, body } = await api.post<Enqueued>(JOBS, { queue: 'ingest-autoparts', payload })
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.payload).toMatch(/no dataset “marketplace:typo”.*marketplace:ecomm_autoparts/)
  })

  test.each([
    [25, 25],
    [null, 1],
  ])('%s attempts count as %i', async (attempts, counted) => {
    const job = await read(await enqueue({ ...selfCheck(), options: { attempts } }))
    expect([job.maxAttempts, job.options]).toEqual([counted, { attempts: counted }])
  })

  test.each(['payload', 'options'])('%s that are not an object: 422 with a sentence', async (field) => {
    for (const value of [[], 'x', 1, null]) {
      const { status, body } = await api.post<Enqueued>(JOBS, { queue: 'ingest-autoparts', [field]: value })
      expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
      expect(body.fields?.[field]).toContain(`The ${field} must be a JSON object`)
    }
  })

  test('attempts that are not a number: 422', async () => {
    expect((await api.post(JOBS, { ...selfCheck(), options: { attempts: 'many' } })).status).toBe(422)
  })

  test('5 MB: 413', async () => {
    const { status, body } = await api.post<Enqueued>(JOBS, { queue: 'x'.repeat(5 * 1024 * 1024) })
    expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
  })

  test.each(['__proto__', 'constructor', 'prototype'])('a key named %s does no harm', async (key) => {
    const body = `{"queue":"preprocess","payload":{"scriptId":"self-check","flags":{"${key}":{"polluted":true}}}}`
    const json = { 'content-type': 'application/json' }
    const { status, body: answer } = await api.post<Enqueued>(JOBS, body, json)
    expect([202, 400, 422]).toContain(status)
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
    if (status === 202) expect((await read(answer.jobId)).payload.flags).toEqual({})
  })

  test('a second run of a script on live data waits for the first', async () => {
    const keys = [(await read(await enqueue())).state, (await read(await enqueue())).state]
    expect(keys).toMatchObject([
      { concurrencyKey: 'script:self-check' },
      { concurrencyKey: 'script:self-check' },
    ])
    const [first, second] = [await enqueue(), await enqueue()]
    await app.db.updateTable('job').set({ status: 'running' }).where('id', '=', first).execute()
    expect((await read(second)).state).toMatchObject({ keyHeldBy: first })
    await endAs(first, 'completed')
  })

  test('sent twice with one Idempotency-Key makes one job; without, two', async () => {
    const key = { 'idempotency-key': 'two-clicks' }
    const [first, second] = [
      await api.post<Enqueued>(JOBS, selfCheck(), key),
      await api.post<Enqueued>(JOBS, selfCheck(), key),
    ]
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([202, 202, 'true'])
    expect(second.body).toEqual(first.body)
    expect((await api.post<Enqueued>(JOBS, selfCheck({ test: true }), key)).body.code).toBe('KEY_REUSED')
    expect(await enqueue()).not.toBe(await enqueue())
  })
})

describe('GET /admin/automation/jobs', () => {
  type Page = { items: Job[]; pageInfo: { nextCursor: string | null; searchedBackTo: string | null } }
  const list = async (query: string) => (await api.get<Page>(`${JOBS}?${query}`)).body
  const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id)

  test('newest first, page by page', async () => {
    const made = [await enqueue(), await enqueue(), await enqueue()].reverse()
    const first = await list('limit=2')
    expect(first.items.map(({ id }) => id)).toEqual(made.slice(0, 2))
    expect(first.items[0]).toMatchObject({ queueKey: 'preprocess', _count: { events: 0, artifacts: 0 } })
    const second = await list(`limit=2&cursor=${first.pageInfo.nextCursor}`)
    expect(second.items[0]?.id).toBe(made[2])
    const unset = await list('queue=&status=&search=&cursor=&limit=')
    expect(unset.items.map(({ id }) => id).slice(0, 3)).toEqual(made)
  })

  test('by queues and statuses, several of each', async () => {
    const [failed, queued] = [await enqueue(), await enqueue()]
    await endAs(failed, 'failed')
    expect((await idsOf('queue=preprocess&status=failed'))[0]).toBe(failed)
    expect((await idsOf('queue=h1Optimizer, preprocess&status=failed,queued')).slice(0, 2)).toEqual([
      queued,
      failed,
    ])
    expect(await idsOf('status=failed')).toContain(failed)
    expect(await idsOf('status=failed')).not.toContain(queued)
    expect(await idsOf('queue=no-such-queue')).toEqual([])
  })

  test('the last page has no cursor', async () => {
    const id = await enqueue({ queue: 'ingest-autoparts', payload: tagged('only-one') })
    const { items, pageInfo } = await list('search=only-one')
    expect([items.map((job) => job.id), pageInfo.nextCursor]).toEqual([[id], null])
    expect(pageInfo.searchedBackTo).not.toBeNull()
  })

  describe('searching', () => {
    const find = (words: string) => idsOf(`search=${encodeURIComponent(words)}`)

    test('whole ids and their beginnings, scripts, queues, payloads, errors and lines', async () => {
      const id = await enqueue({ queue: 'ingest-autoparts', payload: tagged('needle-in-payload') })
      await endAs(id, 'failed', 'the Needle-In-Error broke')
      await app.db
        .insertInto('job_event')
        .values({ job_id: id, seq: 1, kind: 'log', stream: 'stdout', message: 'a Needle-In-Line here' })
        .execute()
      await app.db.updateTable('job').set({ last_seq: 1 }).where('id', '=', id).execute()
      expect(await find(id)).toEqual([id])
      expect(await find(id.slice(0, 20))).toContain(id)
      for (const words of ['needle-in-payload', 'needle-in-error', 'needle-in-line']) {
        expect([words, await find(words)]).toEqual([words, [id]])
      }
      expect(await find('self-check')).not.toContain(id)
      expect(await find('ingest-auto')).toContain(id)
      expect(await idsOf('search=needle-in-line&status=completed')).toEqual([])
    })

    test.each(['%', '_', '\\', '%needle', "'"])('“%s” is not a wildcard', async (words) => {
      expect(await find(words === '_' ? 'needle_in' : `${words}zz`)).toEqual([])
    })

    test('an unknown id is searched for in the records', async () => {
      const named = await enqueue({
        queue: 'ingest-autoparts',
        payload: tagged(NOBODY),
      })
      expect(await find(NOBODY)).toEqual([named])
    })
  })

  test.each(['status=done', 'cursor=x', 'limit=0', 'limit=101'])('400 for %s', async (query) => {
    const { status, body } = await api.get<ErrorReply>(`${JOBS}?${query}`)
    expect([status, body.code]).toEqual([400, 'MALFORMED'])
    if (query === 'status=done') expect(body.fields?.status).toMatch(/waiting-manual/)
  })
})

describe('GET /admin/automation/jobs/{id}', () => {
  test('what the engine knows about a job that has run', async () => {
    const id = await enqueue()
    const question = {
      key: 'colour',
      text: 'Which?',
      schema: null,
      problem: null,
      askedAt: new Date().toISOString(),
    }
    await app.db
      .updateTable('job')
      .set({ status: 'waiting-manual', run_no: 1, last_seq: 2, question: JSON.stringify(question) })
      .where('id', '=', id)
      .execute()
    const running = { job_id: id, kind: 'status', data: JSON.stringify({ status: 'running', runNo: 1 }) }
    const progress = {
      job_id: id,
      kind: 'progress',
      message: 'half',
      data: JSON.stringify({ done: 1, total: 2 }),
    }
    await app.db
      .insertInto('job_event')
      .values([
        { ...running, seq: 1, message: 'running' },
        { ...progress, seq: 2 },
      ])
      .execute()
    const job = await read(id)
    expect(job).toMatchObject({
      question,
      timeline: [
        { status: 'queued', runNo: null },
        { status: 'running', runNo: 1 },
      ],
      events: [
        { id: 1, kind: 'status', status: 'running' },
        { id: 2, kind: 'progress', payload: { count: 1, total: 2, percentage: 50 } },
      ],
      state: { runNo: 1, lostDeliveries: 0, timeoutSeconds: expect.any(Number) },
      artifacts: [],
      retriedBy: [],
    })
    await endAs(id, 'completed')
  })

  test('404', async () => {
    expect((await api.get(`${JOBS}/${NOBODY}`)).status).toBe(404)
    expect((await api.get(`${JOBS}/x`)).status).toBe(404)
  })
})

describe('POST /admin/automation/jobs/{id}/cancel', () => {
  const cancel = (id: string) => api.post<{ status: string }>(`${JOBS}/${id}/cancel`)

  test('a waiting one at once, and only once in the log', async () => {
    const id = await enqueue()
    const asked = [await cancel(id), await cancel(id)]
    expect(asked.map(({ status, body }) => [status, body])).toEqual([
      [200, { ok: true, status: 'cancelled' }],
      [200, { ok: true, status: 'cancelled' }],
    ])
    expect((await audited(id)).map(([action]) => action)).toEqual(['job-enqueued', 'job-cancelled'])
    expect((await read(id)).events.map(({ kind, status }) => [kind, status])).toEqual([
      ['status', 'cancelled'],
      ['done', 'CANCELLED'],
    ])
  })

  test('a running one is notified, an ended one stays as it is', async () => {
    const id = await enqueue()
    const run = { status: 'running', run_no: 1, heartbeat_at: new Date() }
    await app.db.updateTable('job').set(run).where('id', '=', id).execute()
    expect((await cancel(id)).body).toEqual({ ok: true, status: 'running' })
    await cancel(id)
    expect((await read(id)).cancelRequested).toBe(true)
    expect((await audited(id)).map(([action]) => action)).toEqual(['job-enqueued', 'job-cancelled'])
    await endAs(id, 'completed')
    expect((await cancel(id)).body).toEqual({ ok: true, status: 'completed' })
    expect(await audited(id)).toHaveLength(2)
  })

  test('404', async () => {
    expect((await cancel(NOBODY)).status).toBe(404)
  })
})

describe('POST /admin/automation/jobs/{id}/control', () => {
  const send = (id: string, data: unknown, by = api) =>
    by.post<{ status: string } & ErrorReply>(`${JOBS}/${id}/control`, { action: 'stdin', data })

  test('a line for a running job, in the audit log without its end', async () => {
    const id = await enqueue()
    await app.db.updateTable('job').set({ status: 'running', run_no: 1 }).where('id', '=', id).execute()
    const line = 'y'.repeat(300)
    expect((await send(id, line)).body).toEqual({ ok: true, status: 'running' })
    const inputs = await app.db.selectFrom('job_input').select('line').where('job_id', '=', id).execute()
    expect(inputs).toEqual([{ line }])
    const detail = { to: 'input', line: 'y'.repeat(200), length: 300 }
    expect((await audited(id)).at(-1)).toEqual(['job-input', true, detail])
    await endAs(id, 'completed')
  })

  test('free text for a question that needs a form is refused in a sentence, and the question stays open', async () => {
    const id = await enqueue()
    const schema = { type: 'object', properties: { many: { type: 'integer' }, go: { type: 'boolean' } } }
    const question = {
      key: 'form',
      text: 'How many?',
      schema,
      problem: null,
      askedAt: new Date().toISOString(),
    }
    await app.db
      .updateTable('job')
      .set({ status: 'waiting-manual', run_no: 1, question: JSON.stringify(question) })
      .where('id', '=', id)
      .execute()
    const { status, body } = await send(id, 'three please')
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.error).toContain('send JSON with: go (boolean), many (integer)')
    expect((await read(id)).question?.key).toBe('form')
    expect((await audited(id)).at(-1)?.[0]).toBe('job-input-refused')
    expect((await send(id, '{"many": 3, "go": true}')).status).toBe(200)
    await endAs(id, 'completed')
  })

  test('409 with a sentence if it takes no input', async () => {
    const id = await enqueue()
    const { status, body } = await send(id, 'y')
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.error).toBe('This job cannot receive input: it is still queued.')
    await endAs(id, 'failed')
    expect((await send(id, 'y')).body.error).toBe('This job cannot receive input: it has failed.')
    const refused = (reason: string) => ['job-input-refused', true, { reason, line: 'y', length: 1 }]
    expect((await audited(id)).slice(1)).toEqual([
      refused('This job cannot receive input: it is still queued.'),
      refused('This job cannot receive input: it has failed.'),
    ])
  })

  test('409 if its question is no longer open', async () => {
    const id = await enqueue()
    await app.db.updateTable('job').set({ status: 'running', run_no: 1 }).where('id', '=', id).execute()
    const answer = { action: 'stdin', data: 'y', question: 'go-on' }
    const { status, body } = await api.post<ErrorReply>(`${JOBS}/${id}/control`, answer)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.error).toContain('This question is no longer open')
    expect((await audited(id)).at(-1)).toEqual([
      'job-input-refused',
      true,
      { reason: body.error, line: 'y', length: 1 },
    ])
    await endAs(id, 'failed')
  })

  test('403 for non-administrators, 413 for 1 MB, 422 for more than one line, 404', async () => {
    const id = await enqueue()
    expect((await send(id, 'y', seller.api)).status).toBe(403)
    const large = await send(id, 'y'.repeat(1024 * 1024))
    expect(large.status).toBe(413)
    expect(large.body.error).toBe('The request is too large. This call accepts at most 64 kB.')
    expect((await send(id, 'y'.repeat(16_385))).status).toBe(422)
    expect((await api.post(`${JOBS}/${id}/control`, { action: 'kill', data: 'y' })).status).toBe(422)
    expect((await send(NOBODY, 'y')).status).toBe(404)
  })
})

describe('POST /admin/automation/jobs/{id}/retry', () => {
  const retry = (id: string, body?: object) => api.post<Enqueued>(`${JOBS}/${id}/retry`, body)

  test('unchanged: same payload, options and attempts, linked both ways', async () => {
    const id = await enqueue({ ...selfCheck({ test: true }), options: { attempts: 3 } })
    await endAs(id, 'failed', 'no')
    const { status, body } = await retry(id)
    expect(status).toBe(202)
    const again = await read(body.jobId)
    expect(again).toMatchObject({ retryOf: id, status: 'queued', maxAttempts: 3, error: null })
    const before = await read(id)
    expect([again.payload, again.options]).toEqual([before.payload, before.options])
    expect(before.retriedBy).toEqual([again.id])
    const detail = { queue: 'preprocess', retryOf: id, edited: false }
    expect(await audited(again.id)).toEqual([['job-retried', true, detail]])
  })

  test('with another payload, which is checked like a new one', async () => {
    const id = await enqueue()
    await endAs(id, 'completed')
    const payload = { scriptId: 'self-check', flags: { lines: 7 } }
    const again = await read((await retry(id, { payload, options: { attempts: 9 } })).body.jobId)
    expect(again).toMatchObject({ payload: { args: ['--lines=7'] }, maxAttempts: 9 })
    const wrong = await retry(id, { payload: { scriptId: 'self-check', flags: { lines: -7 } } })
    expect([wrong.status, wrong.body.fields?.payload]).toEqual([422, 'Lines must be at least 0'])
  })

  test('409 while it has not ended; 404', async () => {
    const id = await enqueue()
    const { status, body } = await retry(id)
    expect([status, body.code]).toEqual([409, 'CONFLICT'])
    expect(body.error).toMatch(/Only a job that has ended can run again: it is still queued/)
    expect((await retry(NOBODY)).status).toBe(404)
  })
})

describe('GET /admin/automation/queues, PUT …/{key}', () => {
  type Queues = { queues: Queue[]; warnings: string[] }
  const queues = async () => (await api.get<Queues>('/admin/automation/queues')).body
  const pause = (key: string, paused: unknown) =>
    api.put<Queue & ErrorReply>(`/admin/automation/queues/${key}`, { paused })

  test('all queues, the main ones first, with their counts', async () => {
    const key = 'internalLinking'
    const job = { queue: key, payload: '{}' }
    const later = new Date(Date.now() + 3_600_000)
    await app.db
      .insertInto('job')
      .values([
        job,
        { ...job, status: 'retrying', run_after: later },
        { ...job, status: 'running' },
        { ...job, status: 'waiting-manual' },
        { ...job, status: 'completed' },
        { ...job, status: 'failed', ended_at: new Date() },
        { ...job, status: 'cancelled' },
      ])
      .execute()
    const { queues: all } = await queues()
    expect(all.slice(0, 6).map((queue) => queue.key)).toEqual([
      'ingest-autoparts',
      'preprocess',
      'namingOptimizer',
      'h1Optimizer',
      'descriptionOptimizer',
      'internalLinking',
    ])
    expect(all.map((queue) => queue.key)).toContain('send-mail')
    expect(all[5]).toMatchObject({
      name: 'Internal linking',
      counts: { waiting: 1, active: 2, completed: 1, failed: 1, delayed: 1 },
      db: { total: 7 },
      pausedAt: null,
    })
  })

  test('warnings: no worker, a long wait, failures of the last hour, a queue of another version', async () => {
    const long = new Date(Date.now() - 600_000)
    await app.db
      .insertInto('job')
      .values([
        { queue: 'h1Optimizer', run_after: long },
        { queue: 'h1Optimizer', status: 'failed', ended_at: new Date() },
        { queue: 'gone-queue' },
      ])
      .execute()
    const { warnings } = await queues()
    expect(warnings).toContain('No worker is running, so no jobs will start')
    expect(warnings.join('|')).toMatch(/h1Optimizer: a job has been waiting for 1\d minutes/)
    expect(warnings).toContain('h1Optimizer: 1 job failed in the last hour')
    expect(warnings).toContain('1 job is waiting in “gone-queue”, a queue that this version does not have')
  })

  test('paused and resumed, each once in the log; a paused one causes a warning', async () => {
    const key = 'descriptionOptimizer'
    expect((await pause(key, true)).body.pausedAt).toEqual(expect.any(String))
    await pause(key, true)
    expect((await queues()).warnings).toContain('descriptionOptimizer is paused: 0 jobs waiting')
    expect((await pause(key, false)).body.pausedAt).toBeNull()
    expect((await audited(key)).map(([action]) => action)).toEqual(['queue-paused', 'queue-resumed'])
  })

  test('404 for an unknown queue, 422 for an empty body', async () => {
    expect((await pause('nope', true)).status).toBe(404)
    const { status, body } = await pause('preprocess', 'yes')
    expect([status, body.fields?.paused]).toEqual([422, 'paused must be true or false'])
  })
})
