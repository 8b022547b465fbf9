/*
 * Mixed load with imports for an hour: visitors read, list and edit parts while a yard sends its file every minute. Memory,
 * connections, file handles and dead rows have to stay flat; nothing may be lost, doubled or fail.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { HEAP_MB } from '#server/platform/processes/supervised-child.ts'
import { openProSeller, type ProSeller, sendImport } from '#tests/support/import-client.ts'
import type { InstalledProcess } from '#tests/support/installation.ts'
import { yardText } from '#tests/support/yard-file.ts'
import { addressesOf, openScene, type Scene } from './scene.ts'
import { type Course, drawCourses, isFlat, quartersOf } from './soak-picture.ts'
import { makeStock } from './stock.ts'
import { inspectWork, narrator, startVisitors, type Tally } from './visitors.ts'

const SAMPLED_MS = 5_000
const IMPORTED_MS = 60_000
const ROWS = 2_000
const PAUSE_MS = 250

type Sample = {
  apiMb: number
  workerMb: number
  connections: number
  apiHandles: number
  workerHandles: number
  deadPercent: number
  rate: number
}

/** Prints how each course began and ended, and draws them; returns whether all stayed flat and nothing failed. */
export async function chaosSoak(args: string[]): Promise<boolean> {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { users: { type: 'string', default: '20' }, picture: { type: 'string', default: 'soak.svg' } },
  })
  const minutes = Number(positionals[0] ?? 60)
  const settings = { APP_MODE: 'demo', DEMO_DATA: 'off', PAYMENTS: 'off', TRUSTED_PROXIES: '127.0.0.1' }
  // Without a limit the heap takes what a large machine has, and growth would say nothing.
  const scene = await openScene({
    api: 1,
    worker: 1,
    settings,
    nodeOptions: `--max-old-space-size=${HEAP_MB}`,
  })
  const say = narrator()
  try {
    const [address = ''] = addressesOf(scene)
    const seller = await openProSeller(address, scene.db)
    const { tally, stop } = startVisitors(address, { clients: Number(values.users), pauseMs: PAUSE_MS })
    const end = Date.now() + minutes * 60_000
    const pids = scene.installation.processes.map(({ pid }) => pid)
    const [samples, imports] = await Promise.all([
      sampleUntil(end, scene, tally),
      importUntil(end, { address, seller, tally }),
    ])
    await stop()
    const courses = coursesOf(samples)
    const title = `${minutes} minutes, ${values.users} users, ${imports} imports of ${ROWS} rows, ${tally.sent} requests`
    await writeFile(values.picture, drawCourses(courses, { title, minutes }))
    for (const course of courses) {
      const { early, late } = quartersOf(course)
      const verdict = isFlat(course) ? 'ok    ' : 'GREW  '
      say(
        `${verdict} ${course.name}: ${early.toFixed(1)} ${course.unit} early, ${late.toFixed(1)} at the end`,
      )
    }
    for (const failure of [...new Set(tally.failures)].slice(0, 10)) console.log(`FAILED ${failure}`)
    const left = await inspectWork(scene.installation.databaseUrl, tally)
    const applied = await countApplied(scene.db)
    say(`${title}, ${tally.failures.length} failed; ${applied} imports applied; ${left.words}`)
    const sameProcesses = scene.installation.processes.every(
      ({ pid, isRunning }, at) => isRunning && pid === pids[at],
    )
    return (
      courses.every(isFlat) &&
      tally.failures.length === 0 &&
      applied === imports &&
      left.isWell &&
      sameProcesses
    )
  } finally {
    await scene.close()
  }
}

async function sampleUntil(end: number, { installation, db }: Scene, tally: Tally): Promise<Sample[]> {
  const samples: Sample[] = []
  const [api, worker] = [installation.ofRole('api')[0], installation.ofRole('worker')[0]]
  if (!api || !worker) throw new Error('the installation is not whole')
  for (let sent = tally.sent; Date.now() < end; sent = tally.sent) {
    const begin = Date.now()
    await sleep(SAMPLED_MS)
    samples.push({
      apiMb: memoryMb(api),
      workerMb: memoryMb(worker),
      apiHandles: handles(api),
      workerHandles: handles(worker),
      ...(await sampleDatabase(db)),
      rate: (tally.sent - sent) / ((Date.now() - begin) / 1_000),
    })
  }
  return samples
}

function memoryMb({ pid }: InstalledProcess): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

const handles = ({ pid }: InstalledProcess): number => readdirSync(`/proc/${pid}/fd`).length

/** Dead rows of all tables as a share of all rows: what bloats a table that vacuum does not keep up with. */
async function sampleDatabase(db: Db): Promise<Pick<Sample, 'connections' | 'deadPercent'>> {
  const { rows } = await sql<Pick<Sample, 'connections' | 'deadPercent'>>`
    select (select count(*) from pg_stat_activity
            where datname = current_database() and backend_type = 'client backend') as connections,
           (select 100.0 * sum(n_dead_tup) / greatest(1, sum(n_live_tup + n_dead_tup))
            from pg_stat_user_tables)::float8 as "deadPercent"`.execute(db)
  return rows[0] ?? { connections: 0, deadPercent: 0 }
}

/** The whole stock of a yard every minute, in turn as it was on two days. Returns how many imports were taken. */
async function importUntil(
  end: number,
  { address, seller, tally }: { address: string; seller: ProSeller; tally: Tally },
): Promise<number> {
  const stock = makeStock(ROWS)
  const days = [stock['first file'], stock['next stock']].map((rows) => new Blob([yardText(rows)]))
  let sent = 0
  for (; Date.now() < end; await sleep(Math.min(IMPORTED_MS, Math.max(0, end - Date.now())))) {
    const file = days[sent % days.length] ?? new Blob([])
    const mode = sent === 0 ? 'add' : 'replace'
    await sendImport(address, seller, { key: `soak ${sent}`, mode, file }).then(
      () => {
        sent += 1
      },
      (error: unknown) => tally.failures.push(`an import: ${error}`),
    )
  }
  return sent
}

async function countApplied(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('promotion')
    .where('state', '=', 'applied')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function coursesOf(samples: readonly Sample[]): Course[] {
  const course = (name: string, unit: string, key: keyof Sample, mayGrow?: Course['mayGrow']): Course => ({
    name,
    unit,
    values: samples.map((sample) => sample[key]),
    ...(mayGrow && { mayGrow }),
  })
  return [
    // A heap is collected late while there is memory.
    course('memory of the api', 'MB', 'apiMb', { share: 0.2, by: 20 }),
    course('memory of the worker', 'MB', 'workerMb', { share: 0.2, by: 20 }),
    course('connections of the database', 'open', 'connections', { share: 0.1, by: 3 }),
    course('file handles of the api', 'handles', 'apiHandles', { share: 0.1, by: 10 }),
    course('file handles of the worker', 'handles', 'workerHandles', { share: 0.1, by: 10 }),
    // Vacuum comes at 20% of a table.
    course('dead rows', '%', 'deadPercent', { share: 0, by: 15 }),
    course('requests', 'a second', 'rate'),
  ]
}
