import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Claim, claimJobs, holdFence } from '#server/platform/jobs/claims.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { OutcomeWriter, settleFreeRuns } from '#server/platform/jobs/outcomes.ts'
import { deliveriesOf, eventsOf, jobRow, startJobBench, told } from '#tests/support/job-bench.ts'
import { plainQueue } from '#tests/support/plain-queue.ts'

/* Jobs that one statement starts or settles together. */

const queue = plainQueue<unknown>('together', { payload: z.unknown(), concurrency: 100 })

const bench = await startJobBench(queue)
beforeEach(async () => {
  await sql`delete from job`.execute(bench.database.db)
  await sql`delete from pgboss.job`.execute(bench.database.db)
})

async function enqueueMany(count: number, keyOf: (n: number) => string | undefined = () => undefined) {
  const ids: string[] = []
  for (let n = 0; n < count; n += 1) {
    const concurrencyKey = keyOf(n)
    ids.push(
      await enqueueJob(bench.database.db, {
        queue,
        payload: { n },
        ...(concurrencyKey && { concurrencyKey }),
      }),
    )
  }
  return ids
}

const claimSome = (limit: number) => claimJobs(bench.database.db, queue.name, limit)
const idsOf = (claims: readonly Claim[]) => claims.map(({ jobId }) => jobId)
const completed = { to: 'completed', result: { done: true } } as const
const endings = (claims: readonly Claim[]) =>
  claims.map(({ jobId, runNo }) => ({ jobId, runNo, outcome: completed }))

describe('starting', () => {
  test('takes the oldest first, up to the limit, and removes their deliveries', async () => {
    const ids = await enqueueMany(5)
    const first = await claimSome(3)
    expect(idsOf(first).sort()).toEqual(ids.slice(0, 3))
    for (const { jobId, runNo } of first) {
      expect(runNo).toBe(1)
      expect(await deliveriesOf(bench.database, jobId)).toEqual([])
    }
    expect(idsOf(await claimSome(3)).sort()).toEqual(ids.slice(3))
    expect(await claimSome(3)).toEqual([])
  })

  test('gives each job to one of many concurrent starters', async () => {
    const ids = await enqueueMany(60)
    const claims = await Promise.all(Array.from({ length: 12 }, () => claimSome(10)))
    expect(idsOf(claims.flat()).sort()).toEqual(ids)
  })

  test('runs one job per key at a time, whoever starts them; the others come later', async () => {
    const ids = await enqueueMany(20, (n) => `key ${n % 2}`)
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimSome(10)))
    const running = idsOf([...claims.flat(), ...(await claimSome(10)), ...(await claimSome(10))])
    expect(running).toHaveLength(2)
    expect(new Set(running.map((id) => ids.indexOf(id) % 2)).size).toBe(2)
  })

  test('a job whose key is taken does not block those behind it', async () => {
    const [holder = ''] = await enqueueMany(1, () => 'one')
    expect(idsOf(await claimSome(1))).toEqual([holder])
    await enqueueMany(20, () => 'one')
    const [free = ''] = await enqueueMany(1)
    expect(idsOf(await claimSome(2))).toEqual([free])
    expect(await claimSome(2)).toEqual([])
  })
})

describe('settling', () => {
  test('stores many at once, each with its events in order', async () => {
    await enqueueMany(4)
    const claims = await claimSome(4)
    expect((await settleFreeRuns(bench.database.db, endings(claims))).sort()).toEqual(idsOf(claims).sort())
    for (const { jobId } of claims) {
      expect(await jobRow(bench.database, jobId)).toMatchObject({ status: 'completed', last_seq: 3 })
      expect(told(await eventsOf(bench.database, jobId))).toEqual([
        'status: running',
        'status: completed',
        'done: completed',
      ])
    }
  })

  test('leaves out a run that is over and settles the others', async () => {
    await enqueueMany(2)
    const claims = await claimSome(2)
    const [over, other] = claims
    await sql`update job set run_no = run_no + 1 where id = ${over?.jobId}`.execute(bench.database.db)
    expect(await settleFreeRuns(bench.database.db, endings(claims))).toEqual([other?.jobId])
    expect((await jobRow(bench.database, over?.jobId ?? '')).status).toBe('running')
  })

  test('waits for a run held by a fenced transaction, but not with the others', async () => {
    await enqueueMany(3)
    const [held, ...free] = await claimSome(3)
    if (!held) throw new Error('nothing was started')
    const writer = new OutcomeWriter(bench.database.db)
    let isHeldSettled = false
    let settling: Promise<unknown> | undefined
    await bench.database.db.transaction().execute(async (trx) => {
      await holdFence(trx, held)
      settling = writer.settle(held, completed).then((answer) => {
        isHeldSettled = true
        return answer
      })
      expect(await Promise.all(free.map((run) => writer.settle(run, completed)))).toEqual([true, true])
      expect(isHeldSettled).toBe(false)
    })
    expect(await settling).toBe(true)
  })

  test('a run that cannot be stored fails alone', async () => {
    await enqueueMany(3)
    const [bad, ...good] = await claimSome(3)
    if (!bad) throw new Error('nothing was started')
    const writer = new OutcomeWriter(bench.database.db)
    const refused = writer.settle(bad, { to: 'completed', result: 'a\0b' })
    const rest = good.map((run) => writer.settle(run, completed))
    await expect(refused).rejects.toThrow()
    expect(await Promise.all(rest)).toEqual([true, true])
  })
})
