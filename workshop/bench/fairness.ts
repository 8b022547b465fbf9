import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Asked, ProbeOrder } from './probe.ts'
import { type Helper, withHelpers, withInstallation } from './programs.ts'
import { duration, figure, markdownTable, percentile, report, type Target } from './report.ts'
import { TimedImport, writeRows } from './timed-import.ts'

/* What others notice while a large file goes in: buyers' pages, requested twenty times a second. */

const EVERY_MS = 50
const QUIET_MS = 20_000
/** Buyers find something before the large file comes. */
const ROWS_BEFORE = 5_000
const MOST_P99_MS = 100

type Phase = { readonly name: string; readonly asked: readonly Asked[]; readonly loopP99Ms: number }

/** Prints a table; returns whether the targets were met while the file went in. */
export async function benchFairness(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1000000' } } })
  const rows = Number(values.rows)
  const phases = await withHelpers((start) => measure(rows, start('probe.ts')))
  return report(
    [
      `### ${figure(rows)} rows go in`,
      markdownTable(
        ['requests', 'times', 'p50', 'p99', 'longest', 'not 200'],
        phases.flatMap((phase) => pageRows(phase)),
      ),
    ],
    phases.flatMap(targetsOf),
  )
}

function measure(rows: number, probe: Helper): Promise<Phase[]> {
  return withInstallation(async ({ database: { db }, address, folder }) => {
    const open = async (name: string, count: number) => {
      const path = join(folder, name)
      await writeRows(path, count, name)
      return TimedImport.open({ address, db, path })
    }
    const before = await open('before', ROWS_BEFORE)
    await before.stage()
    await before.goLive()
    const { slug } = await db.selectFrom('listing').select('slug').limit(1).executeTakeFirstOrThrow()
    const paths = ['/api/list-auto-parts/1', '/api/parts?q=alternator', `/api/auto-part/${slug}`]
    const observe = async (name: string, work: () => Promise<unknown>): Promise<Phase> => {
      await loopP99Ms(address)
      await probe.ask({ address, paths, everyMs: EVERY_MS } satisfies ProbeOrder)
      await work()
      const asked = await probe.ask<Asked[]>('stop')
      return { name, asked, loopP99Ms: await loopP99Ms(address) }
    }
    const large = await open('large', rows)
    return [
      await observe('nothing else', () => sleep(QUIET_MS)),
      await observe('upload and staging', () => large.stage()),
      await observe('plan and apply', () => large.goLive()),
    ]
  })
}

/** The delay of the event loop since the last call. */
async function loopP99Ms(address: string): Promise<number> {
  const metrics = await (await fetch(`${address}/metrics`)).text()
  const seconds = /^nodejs_eventloop_lag_p99_seconds (\S+)$/m.exec(metrics)?.[1]
  if (seconds === undefined) throw new Error('/metrics does not show the delay of the event loop')
  return Number(seconds) * 1_000
}

const times = (asked: readonly Asked[]) => asked.map(({ ms }) => ms)
const failures = (asked: readonly Asked[]) => asked.filter(({ status }) => status !== 200).length

function pageRows({ name, asked }: Phase): string[][] {
  const byPath = Map.groupBy(asked, ({ path }) => path.replace(/auto-part\/.*/, 'auto-part/{slug}'))
  return [['all', asked] as const, ...byPath].map(([path, some]) => [
    `${name}: ${path}`,
    figure(some.length),
    duration(percentile(times(some), 0.5)),
    duration(percentile(times(some), 0.99)),
    duration(Math.max(0, ...times(some))),
    figure(failures(some)),
  ])
}

/** The quiet phase is there for comparison. */
function targetsOf({ name, asked, loopP99Ms: loopMs }: Phase, place: number): Target[] {
  const isTarget = place > 0
  const below = (what: string, ms: number) => ({
    name: `${name}: ${what}, p99`,
    found: duration(ms),
    wanted: isTarget ? `≤ ${MOST_P99_MS} ms` : '',
    isMet: isTarget ? ms <= MOST_P99_MS : undefined,
  })
  const failed = failures(asked)
  const answered = { name: `${name}: not 200`, found: figure(failed), wanted: '0', isMet: failed === 0 }
  return [below('replies', percentile(times(asked), 0.99)), below('event loop of the api', loopMs), answered]
}
