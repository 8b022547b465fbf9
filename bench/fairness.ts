import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type Database, openDatabase } from '#server/platform/database/database.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { Installation } from '#tests/support/installation.ts'
import { writeYardFile, yardRows } from '#tests/support/yard-file.ts'
import { duration, figure, markdownTable, verdict } from './markdown-table.ts'
import type { Asked } from './probe.ts'
import { HEAP_MB } from './process-limits.ts'
import { timeGoingLive, timeStaging } from './timed-import.ts'

/* What the others notice while a large file goes in: buyers' pages, asked for twenty times a second. */

const EVERY_MS = 50
const QUIET_MS = 20_000
/** There is something to be found before the large file comes. */
const ROWS_BEFORE = 5_000
const MOST_P99_MS = 100
const PROBE = join(import.meta.dirname, 'probe.ts')

type Phase = { readonly name: string; readonly asked: readonly Asked[]; readonly loopP99Ms: number }

/** Prints a table; answers whether the targets were met while the file went in. */
export async function benchFairness(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1000000' } } })
  const rows = Number(values.rows)
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-bench-'))
  const nodeOptions = `--max-old-space-size=${HEAP_MB}`
  const installation = await Installation.open({ api: 1, worker: 1, nodeOptions })
  const database = openDatabase(installation.databaseUrl, { max: 2, applicationName: 'bench' })
  try {
    const phases = await measure({ installation, database, folder, rows })
    const busy = phases.slice(1)
    console.log(`\n### ${figure(rows)} rows go in\n\n${tell(phases)}`)
    return busy.every(isFair)
  } finally {
    await database.close()
    await installation.close()
    await rm(folder, { recursive: true, force: true })
  }
}

type Setting = { installation: Installation; database: Database; folder: string; rows: number }

async function measure({ installation, database, folder, rows }: Setting): Promise<Phase[]> {
  const { db } = database
  const address = installation.ofRole('api')[0]?.address ?? ''
  const openFile = async (name: string, count: number) => {
    const path = join(folder, name)
    await writeYardFile(path, yardRows(count, name))
    const at = { address, seller: await openProSeller(address, db) }
    return () => timeStaging(at, path)
  }
  const before = await (await openFile('before', ROWS_BEFORE))()
  await timeGoingLive(db, before.importId)
  const { slug } = await db.selectFrom('listing').select('slug').limit(1).executeTakeFirstOrThrow()
  const paths = ['/api/list-auto-parts/1', '/api/parts?q=alternator', `/api/auto-part/${slug}`]
  const pages = { address, paths }
  const quiet = await observe('nothing else', pages, () => sleep(QUIET_MS))
  const send = await openFile('large', rows)
  const staging = await observe('upload and staging', pages, send)
  const { importId } = staging.result
  const live = await observe('plan and apply', pages, () => timeGoingLive(db, importId))
  return [quiet, staging, live]
}

/** Asks for pages for as long as something runs. */
async function observe<Result>(
  name: string,
  { address, paths }: { address: string; paths: string[] },
  run: () => Promise<Result>,
): Promise<Phase & { readonly result: Result }> {
  const probe = fork(PROBE, { execArgv: [] })
  try {
    await loopP99Ms(address)
    probe.send({ address, paths, everyMs: EVERY_MS })
    const result = await run()
    const asked = await stopProbe(probe)
    return { name, result, asked, loopP99Ms: await loopP99Ms(address) }
  } finally {
    probe.kill()
  }
}

async function stopProbe(probe: ChildProcess): Promise<Asked[]> {
  const answered = once(probe, 'message')
  probe.send('stop')
  const [asked] = (await answered) as [Asked[]]
  return asked
}

/** The event loop's delay since it was last asked for. */
async function loopP99Ms(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]
  if (seconds === undefined) throw new Error('/metrics does not tell the delay of the event loop')
  return Number(seconds) * 1_000
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

const times = (asked: readonly Asked[]) => asked.map(({ ms }) => ms)
const failuresIn = (asked: readonly Asked[]) => asked.filter(({ status }) => status !== 200).length

function isFair({ asked, loopP99Ms: loop }: Phase): boolean {
  return percentile(times(asked), 0.99) <= MOST_P99_MS && loop < MOST_P99_MS && failuresIn(asked) === 0
}

function tell(phases: readonly Phase[]): string {
  const rows = phases.flatMap((phase) => {
    const paths = [...new Set(phase.asked.map(({ path }) => path))]
    const byPath = paths.map((path) => ({
      what: path,
      asked: phase.asked.filter((one) => one.path === path),
    }))
    return [{ what: 'all', asked: phase.asked }, ...byPath].map(({ what, asked }) => [
      `${phase.name}: ${what.replace(/auto-part\/.*/, 'auto-part/{slug}')}`,
      figure(asked.length),
      duration(percentile(times(asked), 0.5)),
      duration(percentile(times(asked), 0.99)),
      duration(Math.max(0, ...times(asked))),
      figure(failuresIn(asked)),
    ])
  })
  const loops = phases.map((phase) => [
    `${phase.name}: event loop of the api, p99`,
    duration(phase.loopP99Ms),
    verdict(phase.loopP99Ms < MOST_P99_MS),
  ])
  const answers = phases.map((phase) => [
    `${phase.name}: answers, p99`,
    duration(percentile(times(phase.asked), 0.99)),
    verdict(percentile(times(phase.asked), 0.99) <= MOST_P99_MS),
  ])
  return [
    markdownTable(['asked for', 'times', 'p50', 'p99', 'longest', 'not 200'], rows),
    markdownTable([`target: ${MOST_P99_MS} ms`, 'found', ''], [...answers, ...loops]),
  ].join('\n\n')
}
