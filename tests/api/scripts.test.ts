import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { controlJob } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { settleJob } from '#server/platform/jobs/outcomes.ts'
import { eventsOf, insertAdmin, startJobBench, untilStatus } from '#tests/support/job-bench.ts'
import { type BadScript, badScriptJob, badScriptQueue, manyTexts } from '#tests/support/script-definitions.ts'
import { untilSaid } from '#tests/support/script-lines.ts'

// Each test starts a process, on a machine that is busy with other things.
const SLOW_MS = 40_000

const bench = await startJobBench()
const userId = await insertAdmin(bench)
let files: string
beforeAll(async () => {
  files = await mkdtemp(join(tmpdir(), 'partharbor-scripts-'))
  await sql`create table script_trace (job_id uuid, step int, run_no int)`.execute(bench.database.db)
  await bench.start([badScriptJob(bench.url, files)])
})
afterAll(() => rm(files, { recursive: true, force: true }))

type Flags = Record<string, boolean | number | string>

const start = (scriptId: BadScript, flags: Flags = {}) =>
  enqueueJob(bench.database.db, { queue: badScriptQueue, payload: { scriptId, flags } })

async function runToEnd(scriptId: BadScript, status: string, flags: Flags = {}) {
  const id = await start(scriptId, flags)
  const row = await untilStatus(bench.database, id, status, SLOW_MS)
  const events = await eventsOf(bench.database, id)
  const said = (stream: string) =>
    events.filter((event) => event.stream === stream).map(({ message }) => message)
  return { id, row, events, stdout: said('stdout'), stderr: said('stderr') }
}

const send = (jobId: string, line: string) => controlJob(bench.database.db, { jobId, line, userId })

// Concurrent: each test starts its own process, and none affects the others.
describe.concurrent('how a script ends', () => {
  // A defect prints its stack; an expected failure does not.
  test.for<[BadScript, Flags, string, string | RegExp]>([
    ['throws', {}, 'nobody thought of that', /TypeError: nobody.*\n +at /],
    ['refuses', {}, 'The file is not there.', /^The file is not there\.$/],
    ['exits', { count: 0 }, 'The script ended with status 0 before its work was done.', ''],
    ['exits', { count: 3 }, 'The script ended with status 3; its last lines may say why.', ''],
    ['rejects', {}, 'The script ended with status 1; its last lines may say why.', /nobody caught it/],
    [
      'kills-itself',
      { text: 'SIGKILL' },
      'The script was killed (SIGKILL), as the system does where memory runs out.',
      '',
    ],
  ])('%s %o: explained in words', async ([scriptId, flags, error, lines], { expect }) => {
    const { row, stderr } = await runToEnd(scriptId, 'failed', flags)
    expect(row.error).toBe(error)
    expect(stderr.join('\n')).toMatch(lines)
  })

  test('giving up ends the job even with attempts left', async ({ expect }) => {
    const id = await enqueueJob(bench.database.db, {
      queue: badScriptQueue,
      payload: { scriptId: 'gives-up', flags: {} },
      maxAttempts: 5,
    })
    const row = await untilStatus(bench.database, id, 'failed', SLOW_MS)
    expect(row).toMatchObject({ error: 'never again', attempts: 1 })
  })
})

describe('user input is only ever a literal argument', () => {
  const nasty = [
    '--evil',
    '-rf',
    '--supervised',
    '--text=other',
    '--',
    '-',
    '=',
    '; rm -rf /',
    '$(touch /tmp/evil)',
    '`id`',
    '| cat /etc/passwd',
    '&& true',
    '> /tmp/evil',
    '"; exit 1; "',
    "'; exit 1; '",
    '\\',
    '\\n',
    '%00',
    '%n%s',
    '*',
    '~',
    '$HOME',
    '$\u007bIFS}',
    '{{7*7}}',
    'two words',
    'two\nlines',
    'tab\there',
    'carriage\rreturn',
    '\u001b[31mred',
    '../../etc/passwd',
    'Ünïcödé 日本 🚗',
    '!history',
    '#comment',
    '\u202eright to left',
    '-e process.exit(9)',
    '--eval=1',
    '--inspect',
    'NODE_OPTIONS=--inspect',
    '"',
    "'",
    'a=b=c',
  ]

  test('each of them arrives as written; the script’s result becomes the job’s', async () => {
    const flags = Object.fromEntries(nasty.map((text, n) => [manyTexts[n] ?? '', text]))
    const { row } = await runToEnd('tells-all', 'completed', {
      ...flags,
      longWord: '--on',
      on: true,
      count: 3,
    })
    expect(row.result).toEqual({
      flags: { ...flags, longWord: '--on', on: true, count: 3 },
      source: null,
      checkpoint: null,
    })
    expect(Object.keys(flags)).toHaveLength(nasty.length)
  })
})

test('every line of a stream is one event, in order: without colors, binary counted, the last without a newline', async () => {
  const binary = Buffer.from([0, 255, 254, 0, 1, 2, 200, 201])
  const last = Buffer.concat([Buffer.from('\u001b[31mred\u001b[0m\n'), binary, Buffer.from('\none\ntwo')])
  const flags = { count: 3_000, text: last.toString('base64') }
  const { stdout, stderr } = await runToEnd('prints', 'completed', flags)
  const lines = (name: string) => Array.from({ length: 3_000 }, (_, n) => `${name} ${n}`)
  expect(stdout).toEqual([...lines('out'), 'red', '[binary, 8 bytes]', 'one', 'two'])
  expect(stderr).toEqual(lines('err'))
})

describe('a conversation', () => {
  test('lines that a person sends reach its input, once and in order', async () => {
    const id = await start('listens')
    await untilSaid(bench.database, id, 'listening')
    for (const line of ['one', '--two', '', 'three three', 'enough']) await send(id, line)
    const { result } = await untilStatus(bench.database, id, 'completed', SLOW_MS)
    expect(result).toEqual(['one', '--two', '', 'three three', 'enough'])
  })

  test('a question waits for its answer, and a form is asked again until it is valid', async () => {
    const id = await start('asks')
    expect((await untilStatus(bench.database, id, 'waiting-manual', SLOW_MS)).question).toMatchObject({
      key: 'name',
      text: 'What is your name?',
      schema: null,
    })
    // The lines that led to the question come before it.
    const before = (await eventsOf(bench.database, id)).map(({ message }) => message)
    expect(before.indexOf('before the question')).toBeLessThan(before.indexOf('waiting-manual'))
    await send(id, 'Ann; rm -rf /')
    const form = await untilQuestion(id, 'form')
    expect(form).toMatchObject({ schema: { type: 'object', properties: { many: { type: 'integer' } } } })
    await send(id, '{"many":"lots"}')
    expect(await untilQuestion(id, 'form#2')).toMatchObject({ problem: 'many: Give a whole number' })
    await send(id, '{"many":3}')
    const { result } = await untilStatus(bench.database, id, 'completed', SLOW_MS)
    expect(result).toEqual({ name: 'Ann; rm -rf /', many: 3 })
  })

  test('a script that waited too long is ended, and started again by the answer', async () => {
    const id = await start('asks')
    await untilStatus(bench.database, id, 'waiting-manual', SLOW_MS)
    await expect
      .poll(async () => (await untilStatus(bench.database, id, 'waiting-manual', SLOW_MS)).heartbeat_at, {
        timeout: SLOW_MS,
      })
      .toBeNull()
    await send(id, 'Ann')
    await untilQuestion(id, 'form')
    await send(id, '{"many":1}')
    const { result, run_no } = await untilStatus(bench.database, id, 'completed', SLOW_MS)
    expect(result).toEqual({ name: 'Ann', many: 1 })
    expect(run_no).toBeGreaterThan(1)
  })

  async function untilQuestion(id: string, key: string) {
    const read = async () => {
      const row = await bench.database.db
        .selectFrom('job')
        .select('question')
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.question as { key: string } | null
    }
    await expect.poll(async () => (await read())?.key, { timeout: SLOW_MS }).toBe(key)
    return read()
  }
})

test('a script reports progress, saves checkpoints in the work’s own transaction, and leaves a file', async () => {
  const { id, row, events } = await runToEnd('steps', 'completed', { count: 12 })
  expect(row).toMatchObject({
    result: { from: 0 },
    checkpoint: 12,
    progress: { done: 12, total: 12, note: 'step 11' },
  })
  expect(events.some(({ kind }) => kind === 'progress')).toBe(true)
  const { rows } = await sql`select step from script_trace where job_id = ${id}`.execute(bench.database.db)
  expect(rows).toHaveLength(12)
  const artifacts = await bench.database.db
    .selectFrom('job_artifact')
    .selectAll()
    .where('job_id', '=', id)
    .execute()
  expect(artifacts).toMatchObject([{ name: 'a-report-.csv', bytes: 19 }])
  const store = await openFileStore({ kind: 'fs', dir: files })
  const content = await store.get(artifacts[0]?.file_key ?? '')
  expect(content && (await readText(content))).toBe('what,value\nsteps,3\n')
})

test('a run that lost the job is killed; the next one resumes from the checkpoint', async () => {
  const id = await start('steps', { count: 60 })
  await untilSaid(bench.database, id, 'step 5')
  await settleJob(bench.database.db, id, { to: 'queued', reason: 'worker lost', counts: 'lost' })
  const row = await untilStatus(bench.database, id, 'completed', SLOW_MS)
  expect(row).toMatchObject({ checkpoint: 60, run_no: 2 })
  const { rows } = await sql<{ step: number }>`
    select step from script_trace where job_id = ${id} order by step`.execute(bench.database.db)
  expect(rows.map(({ step }) => step)).toEqual(Array.from({ length: 60 }, (_, n) => n))
})
