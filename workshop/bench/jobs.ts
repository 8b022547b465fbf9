import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '#server/platform/database/database.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { runScript } from '#server/platform/scripts/run-script.ts'
import { openAdmin } from '#tests/support/import-client.ts'
import { EventParser } from '#web/api/event-stream.ts'
import { type Course, type Processing, throughEngine, throughLibrary } from './jobs-processing.ts'
import { withInstallation } from './programs.ts'
import { atLeast, figure, markdownTable, median, percent, report, type Target } from './report.ts'

/*
 * How fast jobs are enqueued and processed, compared with the queue library alone, and how fast the lines of a script
 * arrive at a reader.
 */

const OPTIONS = {
  jobs: { type: 'string', default: '3000' },
  rounds: { type: 'string', default: '7' },
  scripts: { type: 'string', default: '20' },
  lines: { type: 'string', default: '50000' },
} as const

const WANTED_SHARE = 0.5
const CONCURRENCIES = [4, 16]
// As the queues of scripts have.
const SCRIPTS_AT_ONCE = 2
const SCRIPT_ROUNDS = 3
const LINE_ROUNDS = 3

const queueOf = (name: string): JobQueue<unknown> => ({
  name,
  title: name,
  payload: z.unknown(),
  maxAttempts: 1,
  retryDelaySeconds: 1,
  resumable: true,
  timeoutSeconds: 600,
  concurrency: 1,
})
const TRIVIAL = queueOf('bench-trivial')
const SCRIPTS = queueOf('bench-scripts')

/** Both ways in one round, so that whatever else the machine does meets both. */
type Round = { readonly engine: Processing; readonly library: Processing }

/** Prints the tables; returns whether the target was met. */
export async function benchJobs(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  return withInstallation(async ({ installation, database: { db, pool }, address }) => {
    const { databaseUrl: url } = installation
    const token = await openAdmin(address, db)
    await prepareJobQueues(pool, [TRIVIAL, SCRIPTS])
    const tables: string[] = []
    const targets: Target[] = []
    const nothing = async () => undefined
    for (const concurrency of CONCURRENCIES) {
      const course = { url, jobs: Number(values.jobs), concurrency, work: nothing, workAlone: nothing }
      const rounds = await playRounds(Number(values.rounds), course, TRIVIAL)
      const name = `trivial jobs, ${concurrency} at a time`
      tables.push(tableOf(name, rounds))
      targets.push(
        atLeast(`${name}: enqueued, of the library alone`, shareOf(rounds, 'enqueued'), WANTED_SHARE),
        atLeast(`${name}: processed, of the library alone`, shareOf(rounds, 'processed'), WANTED_SHARE),
      )
    }
    const settings = { DATABASE_URL: url, DATA_DIR: installation.filesDir, EMAIL_CONFIRM: 'off' }
    const scripts = await playRounds(
      SCRIPT_ROUNDS,
      scriptCourse(url, Number(values.scripts), settings),
      SCRIPTS,
    )
    tables.push(tableOf('scripts, 2 at a time', scripts, 1))
    const lines: LinesFigures[] = []
    while (lines.length < LINE_ROUNDS) {
      lines.push(await measureLines({ address, token, db }, Number(values.lines)))
    }
    return report([...tables, tableOfLines(lines, values.lines)], targets)
  })
}

async function playRounds(count: number, course: Course, queue: JobQueue<unknown>): Promise<Round[]> {
  const rounds: Round[] = []
  // The first one warms up plans, caches and compiled code.
  for (let round = 0; round <= count; round += 1) {
    const engine = await throughEngine(course, queue)
    const library = await throughLibrary(course, queue.name)
    if (round > 0) rounds.push({ engine, library })
  }
  return rounds
}

/** One of our scripts, and a process of Node that does nothing; both run to their end. */
function scriptCourse(url: string, jobs: number, settings: Readonly<Record<string, string>>): Course {
  const place = { program: join(import.meta.dirname, 'jobs-script.ts'), command: [], settings }
  return {
    url,
    jobs,
    concurrency: SCRIPTS_AT_ONCE,
    work: async (job) => void (await runScript(place, [], job)),
    workAlone: async () => {
      await once(spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' }), 'exit')
    },
  }
}

const shareOf = (rounds: readonly Round[], what: keyof Processing) =>
  median(rounds.map(({ engine, library }) => engine[what] / library[what]))

function tableOf(name: string, rounds: readonly Round[], decimals = 0): string {
  const row = (label: string, what: keyof Processing, digits: number) => {
    const value = (side: keyof Round) => {
      const number = median(rounds.map((round) => round[side][what]))
      return digits === 0 ? figure(number) : number.toFixed(digits)
    }
    return [label, value('engine'), value('library'), percent(shareOf(rounds, what))]
  }
  return markdownTable(
    [name, 'as jobs', 'library alone', 'share'],
    [
      row('enqueued a second', 'enqueued', decimals),
      row('processed a second', 'processed', decimals),
      row('processor time of the worker, ms a job', 'cpuMs', 2),
    ],
  )
}

/* Lines of a script, from its process to a reader of its stream over HTTP */

type LinesFigures = {
  /** Lines a second, from the first to the last one at the reader, and as they were stored. */
  readonly read: number
  readonly stored: number
  /** How long after it was stored the reader had the last line. */
  readonly lastMs: number
}

function tableOfLines(rounds: readonly LinesFigures[], lines: string): string {
  const of = (what: keyof LinesFigures) => figure(median(rounds.map((round) => round[what])))
  return markdownTable(
    ["a script's lines", ''],
    [
      ['lines', figure(Number(lines))],
      ['stored, lines a second', of('stored')],
      ['at the reader of the stream, lines a second', of('read')],
      ['the last line at the reader, ms after it was stored', of('lastMs')],
    ],
  )
}

type At = { readonly address: string; readonly token: string; readonly db: Db }

/** Runs the self-check, which prints this many lines as fast as it can. */
async function measureLines({ address, token, db }: At, lines: number): Promise<LinesFigures> {
  const jobs = `${address}/api/admin/automation/jobs`
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const payload = { scriptId: 'self-check', flags: { lines, seconds: 0, dryRun: true } }
  const body = JSON.stringify({ queue: 'preprocess', payload })
  const enqueued = await fetch(jobs, { method: 'POST', headers, body })
  if (!enqueued.ok) throw new Error(`${enqueued.status}: ${await enqueued.text()}`)
  const { jobId } = (await enqueued.json()) as { jobId: string }
  const stream = await fetch(`${jobs}/${jobId}/stream`, { headers })
  if (!stream.body) throw new Error(`${stream.status}: ${await stream.text()}`)
  const { firstAt, lastAt, count } = await readLines(stream.body)
  if (count < lines) throw new Error(`${count} of ${lines} lines came`)
  const { rows } = await sql<{ first: Date; last: Date }>`
    select min(at) as first, max(at) as last from job_event where job_id = ${jobId} and kind = 'log'`.execute(
    db,
  )
  const [times] = rows
  if (!times) throw new Error('the lines are not stored')
  return {
    read: (1_000 * count) / (lastAt - firstAt),
    stored: (1_000 * lines) / (times.last.getTime() - times.first.getTime()),
    lastMs: lastAt - times.last.getTime(),
  }
}

async function readLines(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  const parser = new EventParser()
  let count = 0
  let firstAt = 0
  let lastAt = 0
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    const logs = parser.push(piece).filter(({ event }) => event === 'log')
    if (logs.length === 0) continue
    if (count === 0) firstAt = Date.now()
    lastAt = Date.now()
    count += logs.length
  }
  return { firstAt, lastAt, count }
}
