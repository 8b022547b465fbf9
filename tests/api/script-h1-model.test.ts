import { beforeAll, describe, expect, test } from 'vitest'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { longTest } from '#tests/support/at-length.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { openPartModel, says } from '#tests/support/part-model.ts'
import { partFields, partsFields } from '#tests/support/promotions.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const good = (number: number) => `Alternator ${number} for 2014 Ford Crown Victoria, DL3Z-${number}`

const app = await startTestApp()
const model = await openPartModel(app, (number) => says(good(number)))
const { server, scripts, asked } = model
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp({ tier: 'PAID' })
})

const stage = async (count: number, chunk = count) =>
  (await stageFile(app, { sellerId: seller.user.sellerId, rows: partsFields(count), chunk })).path
const run = (path: string, flags = {}, status?: 'completed' | 'failed') =>
  scripts.run('h1-optimizer', flags, status, { path })
const headings = async (path: string) =>
  (await currentVersion(app, path)).records.map(({ fields }) => fields.h1 ?? null)
const versionOf = async (path: string) => (await currentVersion(app, path)).version

test('the language model writes, and its cost is reported', async () => {
  const path = await stage(4)
  const { stdout, result } = await run(path)
  expect(await headings(path)).toEqual([1, 2, 3, 4].map(good))
  // 600 tokens at $2.50 a million and 200 at $10, four times.
  expect(result).toMatchObject({ written: 4, spent: { calls: 4, cents: 1.4 } })
  expect(stdout.at(-1)).toBe('Wrote 4 texts for 1.4 cents.')
  expect(server.requests.at(-1)?.model).toBe('gpt-4o')
})

test('an invented number is refused with the reason, and the record keeps what it had', async () => {
  model.answers = (number) =>
    says(number === 2 ? 'Alternator 140 amps for 2014 Ford Crown Victoria' : good(number))
  const { path } = await stageFile(app, {
    sellerId: seller.user.sellerId,
    rows: [partFields(1), partFields(2, { h1: 'Old heading' }), partFields(3)],
  })
  const { stderr, result } = await run(path, { forceReoptimize: true })
  expect(stderr).toEqual([
    expect.stringMatching(
      /^Row 2 keeps “Old heading”: “2” is in the part’s name and would be lost; “140” is not in the record/,
    ),
  ])
  expect(await headings(path)).toEqual([good(1), 'Old heading', good(3)])
  expect(result).toMatchObject({ written: 2, refused: 1 })
  // Once, and once more with the reason.
  expect(asked.filter((number) => number === 2)).toHaveLength(2)
})

test('temporary failures are retried: 429 and 500', async () => {
  model.answers = (number, time) => {
    if (number === 1 && time === 1) {
      return { kind: 'error', status: 429, headers: { 'retry-after-ms': '20' } }
    }
    return number === 2 && time === 1 ? { kind: 'error', status: 500 } : says(good(number))
  }
  const path = await stage(3)
  expect((await run(path)).result).toMatchObject({ written: 3, refused: 0 })
})

test('a request refused for one record skips that record', async () => {
  model.answers = (number) => (number === 2 ? { kind: 'error', status: 400 } : says(good(number)))
  const path = await stage(3)
  const { stderr, result } = await run(path)
  expect(stderr).toEqual([
    'Row 2 left empty: The language model responded with status 400: As the test wants it',
  ])
  expect(result).toMatchObject({ written: 2, refused: 1 })
})

describe('a failure that every record would hit ends the job; what was written is kept', () => {
  test('a key that is refused', async () => {
    model.answers = (number) => (number === 3 ? { kind: 'error', status: 401 } : says(good(number)))
    const path = await stage(5)
    const { error, stdout } = await run(path, { concurrent: 1 }, 'failed')
    expect(error).toBe(
      'Stopped at Row 3: The language model rejects our key: check OPENAI_API_KEY. Earlier texts are saved. Fix the cause, then run the script again.',
    )
    expect(stdout.slice(-2)).toEqual([
      'Saved as version 2',
      'Wrote 2 texts for 0.7 cents. 1 not written; see above.',
    ])
    expect(await headings(path)).toEqual([good(1), good(2), null, null, null])
  })

  test('a model that is refused, with the reason of the provider', async () => {
    const message = 'The model `gpt-4o` has been deprecated.'
    model.answers = () => ({ kind: 'error', status: 404, code: 'model_not_found', message })
    const { error } = await run(await stage(2), { concurrent: 1 }, 'failed')
    expect(error).toMatch(
      /^Stopped at Row 1: The model “gpt-4o” was refused: The model `gpt-4o` has been deprecated\. Choose another/,
    )
  })
})

describe('five failures in a row: a person is asked', () => {
  const admin = app.signUp({ role: 'admin' })
  async function untilAsked(flags = {}) {
    model.answers = (number) => (number > 1 ? { kind: 'error', status: 400 } : says(good(number)))
    const path = await stage(9)
    const id = await scripts.start('h1-optimizer', { concurrent: 1, ...flags }, { path })
    await untilStatus(app.database, id, 'waiting-manual', 40_000)
    return { path, id }
  }
  const answer = async (id: string, write: string) => {
    const { api } = await admin
    const data = JSON.stringify({ write })
    const { status } = await api.post(`/admin/automation/jobs/${id}/control`, { action: 'stdin', data })
    expect(status).toBe(200)
  }

  test('the built-in template writes the rest', async () => {
    const { path, id } = await untilAsked()
    const { body } = await (await admin).api.get<{ question: { text: string } }>(
      `/admin/automation/jobs/${id}`,
    )
    expect(body.question.text).toBe(
      'The language model failed 5 times in a row. The language model responded with status 400: As the test wants it. How should the remaining texts be written?',
    )
    await answer(id, 'with the template')
    const { result, stdout } = await scripts.ended(id)
    expect(result).toMatchObject({ written: 5, refused: 4, outcome: 'completed-with-errors' })
    expect(stdout.at(-1)).toMatch(
      /^Completed with errors: Wrote 5 texts for .+\. 4 not written; see above\.$/,
    )
    const template = (number: number) => `2014 Ford Crown Victoria Alternator ${number}`
    expect(await headings(path)).toEqual([good(1), ...Array(4).fill(null), ...[6, 7, 8, 9].map(template)])
    // On a machine so busy that the run counts as lost, the next one asks for the same again.
    expect([...new Set(asked)]).toEqual([1, 2, 3, 4, 5, 6])
  })

  test('or the job ends, and what was written is kept', async () => {
    const { path, id } = await untilAsked({ concurrent: 3 })
    await answer(id, 'not at all')
    expect((await scripts.ended(id, 'failed')).error).toMatch(/^Stopped at Row \d: /)
    expect((await headings(path))[0]).toBe(good(1))
  })
})

test('Concurrent calls run at a time, and headings still end up in their rows', async () => {
  let most = 0
  model.answers = (number) => {
    most = Math.max(most, server.underWay())
    return { kind: 'slow', ms: (number * 37) % 90, after: says(good(number)) }
  }
  const path = await stage(12, 5)
  await run(path, { concurrent: 3 })
  expect(most).toBe(3)
  expect(await headings(path)).toEqual(Array.from({ length: 12 }, (_, at) => good(at + 1)))
})

describe('in the middle', () => {
  /** Stages two rows a segment and answers once the model is asked for row 5, which waits until `go`. */
  async function untilRowFive() {
    const go = Promise.withResolvers<void>()
    let waits = true
    model.answers = (number) =>
      number === 5 && waits ? { kind: 'slow', ms: 60_000, after: says('late') } : says(good(number))
    const path = await stage(7, 2)
    const id = await scripts.start('h1-optimizer', { concurrent: 1 }, { path })
    await expect.poll(() => asked.includes(5), { timeout: 40_000 }).toBe(true)
    go.promise.then(() => {
      waits = false
    })
    return { path, id, go: () => go.resolve() }
  }

  test('a lost worker: the next one resumes, and there is one version', async () => {
    const { path, id, go } = await untilRowFive()
    go()
    await app.db.transaction().execute(async (trx) => {
      await trx.selectFrom('job').select('id').where('id', '=', id).forUpdate().execute()
      await settleJob(trx, id, { to: 'queued', reason: 'worker lost', counts: 'lost' })
    })
    const { result } = await scripts.ended(id)
    expect(result).toMatchObject({ written: 7, version: 2 })
    expect(await headings(path)).toEqual(Array.from({ length: 7 }, (_, at) => good(at + 1)))
    // What the first one had kept was not paid for twice.
    expect(asked).toEqual([1, 2, 3, 4, 5, 5, 6, 7])
  })

  longTest('a worker that is stopped hands it on', async () => {
    const { path, id, go } = await untilRowFive()
    go()
    await scripts.changeWorker()
    expect((await scripts.ended(id)).result).toMatchObject({ written: 7, version: 2 })
    expect([await versionOf(path), asked]).toEqual([2, [1, 2, 3, 4, 5, 5, 6, 7]])
  })

  test('canceled: it ends at once, and nothing is saved', async () => {
    const { path, id } = await untilRowFive()
    await requestCancel(app.db, id)
    await untilStatus(app.database, id, 'cancelled', 20_000)
    expect([await versionOf(path), await headings(path)]).toEqual([1, Array(7).fill(null)])
    const events = (await scripts.ended(id, 'cancelled')).stderr
    expect(events).toEqual(['The script was asked to end.'])
  })

  test('a file changed by someone else in the meantime: the job says so, and nothing is saved', async () => {
    model.answers = (number) => ({ kind: 'slow', ms: number === 5 ? 1_500 : 0, after: says(good(number)) })
    const path = await stage(7, 2)
    const id = await scripts.start('h1-optimizer', { concurrent: 1 }, { path })
    await expect.poll(() => asked.includes(5), { timeout: 40_000 }).toBe(true)
    const admin = await app.signUp({ role: 'admin' })
    const contents = JSON.stringify(partsFields(2))
    await admin.api.put('/admin/automation/staging/file', { root: 'ecomm', path, contents })
    const { error } = await scripts.ended(id, 'failed')
    expect(error).toBe(
      `${path} was changed by someone else in the meantime, so nothing was saved. Run the script again on the current file.`,
    )
    expect([await versionOf(path), await headings(path)]).toEqual([2, [null, null]])
    // It does not go on for long.
    expect(asked).not.toContain(7)
  })
})
