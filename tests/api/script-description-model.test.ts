import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { openPartModel, says } from '#tests/support/part-model.ts'
import { partsFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const good = (number: number) =>
  `This used alternator is for a 2014 Ford and is listed as it came off the car. The part number is DL3Z-${number}; ` +
  'compare it with the label on yours before ordering, since outputs and plugs differ from one to the next. ' +
  'Look at the pulley, the bracket and the plug first, and ask the seller for a picture of them if you are not sure.'

const app = await startTestApp()
const model = await openPartModel(app, (number) => says(good(number)))
const { server, scripts, asked } = model
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp({ tier: 'PAID' })
})

const stage = async (count: number) =>
  (await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(count) })).path
const run = (path: string, flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('description-optimizer', flags, status, { path })
const texts = async (path: string) =>
  (await currentVersion(app, path)).records.map(({ fields }) => fields.partdescription ?? null)

test.each([
  // OPENAI_MODEL of these tests.
  [undefined, 'gpt-4o', 0.7],
  ['gpt-4o', 'gpt-4o', 0.7],
  ['gpt-3.5-turbo', 'gpt-3.5-turbo', 0.12],
])('Model %s', async (model, sent, cents) => {
  const path = await stage(2)
  const { result } = await run(path, model === undefined ? {} : { model })
  expect(server.requests.at(-1)?.model).toBe(sent)
  expect(result).toMatchObject({ written: 2, spent: { calls: 2, cents: expect.closeTo(cents) } })
  expect(await texts(path)).toEqual([good(1), good(2)])
  // Known from now on as made from facts, wherever it is copied to.
  expect([...(await findScriptProse(app.db, [good(1), good(2), 'Mine.']))]).toEqual([good(1), good(2)])
})

describe('an invented fact', () => {
  const invented = `${good(2)} It puts out 140 amps.`
  beforeEach(() => {
    model.answers = (number) => says(number === 2 ? invented : good(number))
  })

  test('is refused and ends the job', async () => {
    const path = await stage(3)
    expect((await run(path, { concurrent: 1 }, 'failed')).error).toMatch(
      /^Stopped at Row 2: “140” is not in the record/,
    )
    expect(await texts(path)).toEqual([good(1), null, null])
  })

  test('is refused, and the others are written with Continue on error', async () => {
    const path = await stage(3)
    expect((await run(path, { continueOnError: true })).result).toMatchObject({ written: 2, refused: 1 })
    expect(await texts(path)).toEqual([good(1), null, good(3)])
  })

  test('is written with Skip validation; a bad word never is', async () => {
    model.answers = (number) => says(number === 3 ? `${good(3)} Fucking good.` : invented)
    const path = await stage(3)
    const { stderr } = await run(path, { skipValidation: true, continueOnError: true })
    expect(await texts(path)).toEqual([invented, invented, null])
    expect(stderr).toEqual(['Row 3 left empty: Please remove inappropriate language (fucking).'])
  })
})

describe('live listings', () => {
  const list = (parts: number) =>
    makeStock(app.db, { sellerId: seller.user.sellerId, parts }, (at) => ({
      name: 'Alternator',
      model_name: 'Crown Victoria',
      part_number: `DL3Z-${at + 1}`,
    }))
  const read = async (ids: readonly string[]) =>
    app.db
      .selectFrom('listing')
      .select(['description', 'version'])
      .where('id', 'in', ids)
      .orderBy('id')
      .execute()

  test('a listing changed between reading and writing keeps what its seller wrote', async () => {
    const [id = ''] = await list(1)
    model.answers = (number) => ({ kind: 'slow', ms: 1_500, after: says(good(number)) })
    const job = await scripts.start('description-optimizer', {})
    await expect.poll(() => asked.length, { timeout: 40_000 }).toBeGreaterThan(0)
    await seller.api.put(`/seller/parts/${id}`, { partdescription: 'Mine.' })
    await scripts.ended(job)
    expect((await read([id]))[0]?.description).toBe('Mine.')
  })

  /** How many texts of a job are in the database: a transaction is made of 250, or of those of five seconds. */
  async function keptBy(id: string): Promise<number> {
    const { checkpoint } = await app.db
      .selectFrom('job')
      .select('checkpoint')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const { from, done } = checkpoint as { from: number; done: number }
    return done - from
  }

  test('a worker that is lost, and a listing that its seller changes meanwhile', async () => {
    const ids = await list(254)
    let waits = true
    model.answers = (number) =>
      number === 253 && waits ? { kind: 'slow', ms: 60_000, after: says('late') } : says(good(number))
    const id = await scripts.start('description-optimizer', { concurrent: 1, start: 1 })
    await expect.poll(() => asked.includes(253), { timeout: 40_000 }).toBe(true)
    waits = false
    const mine = 'Mine, written by hand while the script was at work on the others.'
    await seller.api.put(`/seller/parts/${ids[251]}`, { partdescription: mine })
    const kept = await keptBy(id)
    expect(kept).toBeGreaterThan(0)
    await app.db.transaction().execute(async (trx) => {
      await trx.selectFrom('job').select('id').where('id', '=', id).forUpdate().execute()
      await settleJob(trx, id, { to: 'queued', reason: 'worker lost', counts: 'lost' })
    })
    const { result } = await scripts.ended(id)
    expect(result).toMatchObject({ written: 253, unchanged: 1 })
    expect(await read(ids)).toEqual(
      ids.map((_, at) => ({ description: at === 251 ? mine : good(at + 1), version: 2 })),
    )
    // What was in the database already was not paid for twice.
    expect(asked.filter((number) => number <= kept)).toHaveLength(kept)
    const sets = await app.db.selectFrom('change_set').select('id').where('job_id', '=', id).execute()
    expect(sets).toHaveLength(1)
  }, 60_000)
})
