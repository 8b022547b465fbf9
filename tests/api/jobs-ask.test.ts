import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Claim, claimJob, holdFence, storeCheckpoint } from '#server/platform/jobs/claims.ts'
import { controlJob, requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { defineJob, FenceLost, type JobQueue, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { RunAborted, settleRun } from '#server/platform/jobs/outcomes.ts'
import { answerQuestion, openQuestion, parkRun, readAnswer } from '#server/platform/jobs/questions.ts'
import { settleLostRuns } from '#server/platform/jobs/reconciler.ts'
import {
  deliveriesOf,
  eventsOf,
  insertAdmin,
  jobRow,
  QUICK,
  roundsOfReconciling,
  startJobBench,
  told,
  untilStatus,
} from '#tests/support/job-bench.ts'
import { type Nothing, plainQueue } from '#tests/support/plain-queue.ts'

const COLOUR = { key: 'colour', text: 'Which colour?' }

const unserved = plainQueue('unserved')
const bench = await startJobBench(unserved)
const { db } = bench
const userId = await insertAdmin(bench)

const say = (jobId: string, line: string) => controlJob(db, { jobId, line, userId })

/** Starts a worker with one handler for this test, and returns a function that enqueues a job for it. */
async function handled(
  settings: JobQueue<Nothing>,
  handler: Parameters<typeof defineJob<Nothing>>[1],
  options: Parameters<typeof bench.start>[1] = {},
) {
  const worker = await bench.start([defineJob(settings, handler)], options)
  onTestFinished(() => worker.close())
  const enqueue = (more?: { concurrencyKey: string }) =>
    enqueueJob(db, { queue: settings, payload: {}, ...more })
  return { worker, enqueue }
}

const untilParked = async (jobId: string) => {
  const waiting = await untilStatus({ db }, jobId, 'waiting-manual')
  if (waiting.heartbeat_at === null) return waiting
  await sleep(20)
  return untilParked(jobId)
}

const askTwice = async (job: JobRun<Nothing>) => {
  await job.log('before')
  const colour = await job.ask(COLOUR)
  await job.log(`it is ${colour}`)
  const size = await job.ask({
    key: 'size',
    text: 'Which size?',
    schema: { type: 'object' },
    problem: 'none',
  })
  return { colour, size }
}

test('a run asks, gets a person’s answer back, and the record shows both', async () => {
  const { enqueue } = await handled(plainQueue('asking'), askTwice)
  const id = await enqueue()
  const waiting = await untilStatus({ db }, id, 'waiting-manual')
  expect(waiting.question).toMatchObject({ ...COLOUR, schema: null, problem: null })
  expect(await say(id, 'red\u0000')).toEqual({ to: 'answer', status: 'running' })
  await expect
    .poll(async () => (await jobRow({ db }, id)).question)
    .toMatchObject({ key: 'size', schema: { type: 'object' }, problem: 'none' })
  await say(id, '{"size":7}')
  const row = await untilStatus({ db }, id, 'completed')
  expect(row).toMatchObject({ result: { colour: 'red', size: '{"size":7}' }, question: null, run_no: 1 })
  const events = await eventsOf({ db }, id)
  expect(told(events)).toEqual([
    'status: running',
    'log: before',
    'status: waiting-manual',
    'status: running',
    'log: it is red',
    'status: waiting-manual',
    'status: running',
    'status: completed',
    'done: completed',
  ])
  for (const { kind, message, data } of events) {
    if (kind === 'status' || kind === 'done') expect(data).toEqual({ status: message, runNo: 1 })
  }
  const answers = await db.selectFrom('job_answer').selectAll().where('job_id', '=', id).execute()
  expect(answers).toMatchObject([
    { key: 'colour', answer: 'red', answered_by: userId },
    { key: 'size', answer: '{"size":7}' },
  ])
})

test('questions asked at the same time are shown one after another', async () => {
  const { enqueue } = await handled(plainQueue('asking-both'), async (job) => {
    const answers = await Promise.all([job.ask(COLOUR), job.ask({ key: 'size', text: 'Which size?' })])
    return { answers }
  })
  const id = await enqueue()
  await untilStatus({ db }, id, 'waiting-manual')
  await say(id, 'red')
  await expect.poll(async () => (await jobRow({ db }, id)).question).toMatchObject({ key: 'size' })
  await say(id, 'large')
  expect(await untilStatus({ db }, id, 'completed')).toMatchObject({ result: { answers: ['red', 'large'] } })
})

test('an answer to one question is neither an answer to the next nor input: two people at once, two processes', async () => {
  const { enqueue } = await handled(plainQueue('asking-late'), askTwice)
  const id = await enqueue()
  await untilStatus({ db }, id, 'waiting-manual')
  const answer = (line: string) => controlJob(db, { jobId: id, line, userId, question: 'colour' })
  const both = await Promise.all([answer('red'), answer('blue')])
  expect(both.map((controlled) => controlled?.to).toSorted()).toEqual(['answer', 'late'])
  await expect.poll(async () => (await jobRow({ db }, id)).question).toMatchObject({ key: 'size' })
  expect(await answer('green')).toEqual({ to: 'late', status: 'waiting-manual' })
  await say(id, 'large')
  const row = await untilStatus({ db }, id, 'completed')
  expect(row).toMatchObject({ result: { colour: both[0]?.to === 'answer' ? 'red' : 'blue', size: 'large' } })
  expect(await answer('black')).toEqual({ to: 'late', status: 'completed' })
  expect(await db.selectFrom('job_input').selectAll().where('job_id', '=', id).execute()).toEqual([])
})

test('an answer whose notification is lost is found at the next heartbeat', async () => {
  const { enqueue } = await handled(plainQueue('not-noticed'), (job) => job.ask(COLOUR))
  const id = await enqueue()
  await untilStatus({ db }, id, 'waiting-manual')
  await db
    .transaction()
    .execute((trx) => answerQuestion(trx, { id, key: 'colour', hasWorker: true }, { line: 'red', userId }))
  expect(await untilStatus({ db }, id, 'completed')).toMatchObject({ result: 'red' })
})

describe('a job that waits for long', () => {
  test('frees its slot and keeps its key; the answer starts it again with its earlier answers', async () => {
    let first: string | undefined
    const { enqueue } = await handled(plainQueue('parking'), async (job) => {
      first ??= job.jobId
      return job.jobId === first ? askTwice(job) : 'another one'
    })
    const id = await enqueue({ concurrencyKey: 'dataset:1' })
    await untilStatus({ db }, id, 'waiting-manual')
    await say(id, 'red')
    const parked = await untilParked(id)
    expect(parked).toMatchObject({ run_no: 1, attempts: 0, question: { key: 'size' } })
    expect(await deliveriesOf({ db }, id)).toEqual([])
    // Its slot is free for a job with another key.
    const [other, same] = [await enqueue(), await enqueue({ concurrencyKey: 'dataset:1' })]
    await untilStatus({ db }, other, 'completed')
    // As if it had waited for longer than a worker may stay silent.
    await sql`update job set started_at = now() - interval '1 minute' where id = ${id}`.execute(db)
    await roundsOfReconciling(bench, 3)
    expect(await jobRow({ db }, same)).toMatchObject({ status: 'queued', run_no: 0 })
    expect(await jobRow({ db }, id)).toMatchObject({ status: 'waiting-manual', lost_deliveries: 0 })
    await requestCancel(db, same)
    expect(await say(id, 'large')).toEqual({ to: 'answer', status: 'queued' })
    expect(await untilStatus({ db }, id, 'completed')).toMatchObject({
      result: { colour: 'red', size: 'large' },
      run_no: 2,
      attempts: 0,
      lost_deliveries: 0,
    })
    expect(told(await eventsOf({ db }, id)).filter((line) => line.startsWith('error'))).toEqual([])
  })

  test('is notified through its signal and the error that ask throws', async () => {
    const thrown: unknown[] = []
    const { enqueue } = await handled(plainQueue('told-so'), async (job) => {
      try {
        return await job.ask(COLOUR)
      } catch (error) {
        thrown.push(error, job.signal.reason)
        throw error
      }
    })
    await untilParked(await enqueue())
    expect(thrown[0]).toBeInstanceOf(RunAborted)
    expect(thrown[0]).toMatchObject({ why: 'parked' })
    expect(thrown[1]).toBe(thrown[0])
  })

  test('keeps its slot if it must not be repeated: the same run gets the answer', async () => {
    const { enqueue } = await handled(plainQueue('unrepeatable', { resumable: false }), (job) =>
      job.ask(COLOUR),
    )
    const other = await handled(plainQueue('repeatable'), (job) => job.ask(COLOUR))
    const id = await enqueue()
    await untilStatus({ db }, id, 'waiting-manual')
    const { heartbeat_at: before } = await jobRow({ db }, id)
    // A repeatable one that asked later has freed its slot by now.
    await untilParked(await other.enqueue())
    await roundsOfReconciling(bench, 3)
    const { heartbeat_at: after } = await jobRow({ db }, id)
    expect(after?.getTime()).toBeGreaterThan(before?.getTime() ?? 0)
    await say(id, 'red')
    expect(await untilStatus({ db }, id, 'completed')).toMatchObject({ run_no: 1, result: 'red' })
  })

  test('keeps waiting without a worker after its timeout or a worker shutdown, instead of failing', async () => {
    const times = { ...QUICK, parkMs: 60_000 }
    const hasty = await handled(plainQueue('hasty', { timeoutSeconds: 0.3 }), (job) => job.ask(COLOUR), {
      times,
    })
    await untilParked(await hasty.enqueue())
    const { enqueue, worker } = await handled(plainQueue('stopped'), (job) => job.ask(COLOUR), { times })
    const id = await enqueue()
    await untilStatus({ db }, id, 'waiting-manual')
    await worker.close()
    expect(await jobRow({ db }, id)).toMatchObject({
      status: 'waiting-manual',
      heartbeat_at: null,
      question: COLOUR,
    })
  })

  test.each([
    ['restarts if an answer arrives while its handler ends', 'answered', 'completed'],
    ['ends if a cancel arrives while its handler ends', 'cancelled', 'cancelled'],
  ])('%s', async (_what, what, status) => {
    const [ending, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { enqueue } = await handled(plainQueue(`slow-to-end-${what}`), async (job) => {
      try {
        return await job.ask(COLOUR)
      } catch (error) {
        ending.resolve()
        await goOn.promise
        throw error
      }
    })
    const id = await enqueue()
    await ending.promise
    if (what === 'answered') expect(await say(id, 'red')).toEqual({ to: 'answer', status: 'running' })
    else expect(await requestCancel(db, id)).toBe('waiting-manual')
    goOn.resolve()
    const row = await untilStatus({ db }, id, status)
    expect(row).toMatchObject({ question: null, attempts: 0, lost_deliveries: 0 })
    expect(row.run_no).toBe(what === 'answered' ? 2 : 1)
  })
})

describe('at the same moment', () => {
  async function asking(): Promise<Claim> {
    const claim = await claimJob(db, await enqueueJob(db, { queue: unserved, payload: {} }))
    if (!claim || claim === 'busy') throw new Error('the job could not be claimed')
    expect(await openQuestion(db, claim, COLOUR)).toBeUndefined()
    return claim
  }

  test('an answer and parking: the job is queued with its answer, never left waiting', async () => {
    for (let round = 0; round < 20; round += 1) {
      const run = await asking()
      const [answered] = await Promise.all([say(run.jobId, 'red'), parkRun(db, run)])
      expect(answered).toMatchObject({ to: 'answer' })
      expect(await jobRow({ db }, run.jobId)).toMatchObject({ status: 'queued', question: null })
      expect(await deliveriesOf({ db }, run.jobId)).toEqual(['created'])
      const again = await claimJob(db, run.jobId)
      if (!again || again === 'busy') throw new Error('the job could not be claimed')
      expect(await openQuestion(db, again, COLOUR)).toBe('red')
      await requestCancel(db, run.jobId)
    }
  })

  test('the same question again: it stays open as it was, with the time at which it was asked first', async () => {
    const run = await asking()
    const first = await jobRow({ db }, run.jobId)
    expect(await openQuestion(db, run, COLOUR)).toBeUndefined()
    const second = await jobRow({ db }, run.jobId)
    expect([second.question, second.last_seq]).toEqual([first.question, first.last_seq])
    await requestCancel(db, run.jobId)
  })

  test('two answers: one is accepted, the other becomes input of the run or is refused', async () => {
    for (let round = 0; round < 10; round += 1) {
      const run = await asking()
      if (round % 2 === 0) await parkRun(db, run)
      const replies = await Promise.all([say(run.jobId, 'red'), say(run.jobId, 'blue')])
      const to = replies.map((reply) => reply?.to).sort()
      expect(to).toEqual(round % 2 === 0 ? ['answer', 'nobody'] : ['answer', 'input'])
      const answers = await db.selectFrom('job_answer').selectAll().where('job_id', '=', run.jobId).execute()
      expect(answers).toHaveLength(1)
    }
  })

  test('a cancel and an answer: the job ends, whichever came first', async () => {
    for (let round = 0; round < 20; round += 1) {
      const run = await asking()
      await parkRun(db, run)
      const [cancelled, answered] = await Promise.all([requestCancel(db, run.jobId), say(run.jobId, 'red')])
      expect(cancelled).toBe('cancelled')
      expect(['answer', 'nobody']).toContain(answered?.to)
      expect(await jobRow({ db }, run.jobId)).toMatchObject({ status: 'cancelled', question: null })
      expect(await deliveriesOf({ db }, run.jobId)).toEqual([])
    }
  })

  test('a parked run writes nothing more, and one whose job was answered elsewhere gets no answer', async () => {
    const run = await asking()
    await parkRun(db, run)
    await expect(db.transaction().execute((trx) => holdFence(trx, run))).rejects.toThrow(FenceLost)
    await expect(storeCheckpoint(db, run, 1)).rejects.toThrow(FenceLost)
    await expect(openQuestion(db, run, COLOUR)).rejects.toThrow(FenceLost)
    expect(await settleRun(db, run, { to: 'completed', result: 'mine' })).toBe(false)
    await say(run.jobId, 'red')
    await claimJob(db, run.jobId)
    expect(await readAnswer(db, run, 'colour')).toBeUndefined()
    await expect(openQuestion(db, run, COLOUR)).rejects.toThrow(FenceLost)
  })

  test.each([
    ['returns to the queue if it is resumable', true, { status: 'queued', error: null }],
    ['fails if it must not be repeated', false, { status: 'failed', error: 'worker lost' }],
  ])('a job whose worker is lost while it waits %s', async (_what, resumable, expected) => {
    const run = await asking()
    await sql`
      update job set heartbeat_at = now() - interval '1 minute', resumable = ${resumable}
      where id = ${run.jobId}`.execute(db)
    await settleLostRuns(db, 30)
    expect(await jobRow({ db }, run.jobId)).toMatchObject({ ...expected, question: null, lost_deliveries: 1 })
  })
})

describe('lines of input', () => {
  test('reach the run once and in order, including those sent before it listened', async () => {
    const heard: string[] = []
    const start = Promise.withResolvers<void>()
    const { enqueue } = await handled(plainQueue('listening'), async (job) => {
      await start.promise
      const all = Promise.withResolvers<void>()
      job.onInput((line) => {
        heard.push(line)
        if (line === 'line 150') all.resolve()
      })
      await all.promise
    })
    const id = await enqueue()
    await untilStatus({ db }, id, 'running')
    for (let n = 1; n <= 120; n += 1) expect(await say(id, `line ${n}`)).toMatchObject({ to: 'input' })
    start.resolve()
    for (let n = 121; n <= 150; n += 1) await say(id, `line ${n}`)
    await untilStatus({ db }, id, 'completed')
    expect(heard).toEqual(Array.from({ length: 150 }, (_, n) => `line ${n + 1}`))
    const inputs = await db.selectFrom('job_input').select('taken_at').where('job_id', '=', id).execute()
    expect(inputs.filter(({ taken_at }) => taken_at === null)).toEqual([])
  })

  test.each(['queued', 'retrying', 'completed', 'failed', 'cancelled'])(
    'are dropped while the job is %s',
    async (status) => {
      const id = await enqueueJob(db, { queue: unserved, payload: {} })
      await sql`update job set status = ${status} where id = ${id}`.execute(db)
      expect(await say(id, 'hello')).toEqual({ to: 'nobody', status })
      expect(await db.selectFrom('job_input').select('id').where('job_id', '=', id).execute()).toEqual([])
      await sql`update job set status = 'cancelled' where id = ${id}`.execute(db)
    },
  )

  test('are dropped once the job is to end, and for an unknown job', async () => {
    const id = await enqueueJob(db, { queue: unserved, payload: {} })
    await claimJob(db, id)
    await requestCancel(db, id)
    expect(await say(id, 'hello')).toEqual({ to: 'nobody', status: 'running' })
    expect(await say('019a0000-0000-7000-8000-000000000000', 'hello')).toBeUndefined()
  })
})
