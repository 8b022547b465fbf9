import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { runScript } from '#server/platform/scripts/run-script.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { Installation } from '#tests/support/installation.ts'
import { type LinesFigures, measureLines } from './jobs-lines.ts'
import { type Course, type Processing, throughEngine, throughLibrary } from './jobs-processing.ts'
import { figure, markdownTable, verdict } from './markdown-table.ts'

/* How fast jobs are enqueued and worked off, beside the queue library alone, and how fast a script's lines are seen. */

const OPTIONS = {
  jobs: { type: 'string', default: '3000' },
  rounds: { type: 'string', default: '7' },
  scripts: { type: 'string', default: '20' },
  lines: { type: 'string', default: '50000' },
} as const

const WANTED_SHARE = 0.5
const TARGETS = [
  { what: 'enqueued', label: 'enqueued' },
  { what: 'processed', label: 'worked off' },
] as const
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

const nothing = async () => undefined

/** Both ways in one round, one after the other, so that whatever else the machine does meets both. */
type Round = { readonly engine: Processing; readonly library: Processing }

/** Prints the tables; answers whether the target was met. */
export async function benchJobs(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const installation = await Installation.open({ api: 1, worker: 1 })
  const { databaseUrl: url } = installation
  const database = openDatabase(url, { max: 2, applicationName: 'bench' })
  try {
    const address = installation.ofRole('api')[0]?.address ?? ''
    const token = await openAdmin(address, database.db)
    await prepareJobQueues(database.pool, [TRIVIAL, SCRIPTS])
    const jobs = Number(values.jobs)
    const courses: { name: string; rounds: Round[] }[] = []
    for (const concurrency of CONCURRENCIES) {
      const course: Course = { url, jobs, concurrency, work: nothing, workAlone: nothing }
      const rounds = await playRounds(Number(values.rounds), course, TRIVIAL)
      const name = `trivial jobs, ${concurrency} at a time`
      courses.push({ name, rounds })
      console.log(`\n${tellRounds(name, rounds)}`)
    }
    const place = { jobs: Number(values.scripts), dataDir: installation.filesDir }
    console.log(`\n${tellRounds('scripts, 2 at a time', await playScripts(url, place), 1)}`)
    const lines: LinesFigures[] = []
    for (let round = 0; round < LINE_ROUNDS; round += 1)
      lines.push(await measureLines({ address, token, db: database.db }, Number(values.lines)))
    console.log(`\n${tellLines(lines)}\n\n${tellTargets(courses)}`)
    return courses.every(({ rounds }) => TARGETS.every(({ what }) => shareOf(rounds, what) >= WANTED_SHARE))
  } finally {
    await database.close()
    await installation.close()
  }
}

async function openAdmin(address: string, db: Db): Promise<string> {
  const { token, sellerId } = await openProSeller(address, db)
  await sql`
    update app_user set role = 1
    where id in (select user_id from seller_member where seller_id = ${sellerId})`.execute(db)
  return token
}

async function playRounds(count: number, course: Course, queue: JobQueue<unknown>): Promise<Round[]> {
  const rounds: Round[] = []
  // The first one warms up: plans, caches, compiled code.
  for (let round = 0; round <= count; round += 1) {
    const engine = await throughEngine(course, queue)
    const library = await throughLibrary(course, queue.name)
    if (round > 0) rounds.push({ engine, library })
  }
  return rounds
}

/** A script of ours and a process of Node that does nothing, each waited for. */
function playScripts(url: string, { jobs, dataDir }: { jobs: number; dataDir: string }): Promise<Round[]> {
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir }
  const place = { program: join(import.meta.dirname, 'jobs-script.ts'), command: [], settings }
  const course: Course = {
    url,
    jobs,
    concurrency: SCRIPTS_AT_ONCE,
    work: async (job) => void (await runScript(place, [], job)),
    workAlone: async () => {
      await once(spawn(process.execPath, ['--eval', ''], { stdio: 'ignore' }), 'exit')
    },
  }
  return playRounds(SCRIPT_ROUNDS, course, SCRIPTS)
}

const median = (values: readonly number[]) =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const shareOf = (rounds: readonly Round[], what: keyof Processing) =>
  median(rounds.map(({ engine, library }) => engine[what] / library[what]))

function tellRounds(name: string, rounds: readonly Round[], decimals = 0): string {
  const row = (label: string, what: keyof Processing, digits: number) => {
    const told = (side: keyof Round) => {
      const value = median(rounds.map((round) => round[side][what]))
      return digits === 0 ? figure(value) : value.toFixed(digits)
    }
    return [label, told('engine'), told('library'), `${Math.round(100 * shareOf(rounds, what))} %`]
  }
  return markdownTable(
    [name, 'as jobs', 'library alone', 'share'],
    [
      row('enqueued a second', 'enqueued', decimals),
      row('worked off a second', 'processed', decimals),
      row('processor time of the worker, ms a job', 'cpuMs', 2),
    ],
  )
}

function tellTargets(courses: readonly { name: string; rounds: readonly Round[] }[]): string {
  const rows = courses.flatMap(({ name, rounds }) =>
    TARGETS.map(({ what, label }) => {
      const share = shareOf(rounds, what)
      const told = `${Math.round(100 * share)} %`
      return [`${name}: ${label}, of the library alone`, told, '≥ 50 %', verdict(share >= WANTED_SHARE)]
    }),
  )
  return markdownTable(['target', 'found', 'wanted', ''], rows)
}

function tellLines(rounds: readonly LinesFigures[]): string {
  const of = (what: keyof LinesFigures) => figure(median(rounds.map((round) => round[what])))
  return markdownTable(
    ["a script's lines", ''],
    [
      ['lines', of('lines')],
      ['stored, lines a second', of('stored')],
      ['at the reader of the stream, lines a second', of('read')],
      ['the last line at the reader, ms after it was stored', of('lastMs')],
    ],
  )
}
