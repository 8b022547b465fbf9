import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { Installation } from '#tests/support/installation.ts'
import { writeYardFile, yardRows } from '#tests/support/yard-file.ts'
import { measureCopyAlone } from './copy-alone.ts'
import { forEachSize } from './each-size.ts'
import { duration, figure, markdownTable, megabytes, verdict } from './markdown-table.ts'
import { HEAP_MB, MOST_MEMORY } from './process-limits.ts'
import { readAlone } from './read-alone.ts'
import { timeGoingLive, timeStaging, timeUndo } from './timed-import.ts'

/* How fast a yard's file goes in, step by step, beside the fastest way to do the same without what an import must do. */

const LEAST_OF_CSV_PARSE = 0.6
const LEAST_OF_COPY = 0.4
// An installation at work is measured, not its first seconds, in which nothing is compiled and no page of a table is in
// memory: another seller's rows go live before. They are enough for that; their own time is told beside.
const FIRST_ROWS = 10_000
// Dumping a million rows is no query of the program.
const STATEMENT_MS = 600_000

type Figures = {
  readonly rows: number
  readonly bytes: number
  readonly live: number
  /** Milliseconds from the plan's begin to live of the installation's first FIRST_ROWS. */
  readonly firstMs: number
  /** Milliseconds by step. */
  readonly ms: Record<
    'csvParse' | 'readCheck' | 'stage' | 'plan' | 'apply' | 'copy' | 'copyWithKeys' | 'undo',
    number
  >
  /** The most that each process ever held, in bytes. */
  readonly memory: Record<'readCheck' | 'api' | 'worker' | 'database', number>
}

/** Prints a table for every size; answers whether all targets were met. */
export async function benchIngest(args: string[]): Promise<boolean> {
  return forEachSize(args, async (rows) => {
    const figures = await measure(rows)
    console.log(`\n${tell(figures)}`)
    return targetsOf(figures).every(({ isMet }) => isMet)
  })
}

/** Every size on an installation of its own: the memory of its processes is asked for at the end. */
async function measure(rows: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-bench-'))
  try {
    const path = join(folder, 'stock.csv')
    const bytes = await writeYardFile(path, yardRows(rows, 'bench'))
    const { csvParse, readCheck } = await readAlone(path, HEAP_MB)
    const installed = await measureInstalled(folder, path)
    return {
      rows,
      bytes,
      live: installed.live,
      firstMs: installed.firstMs,
      ms: { ...installed.ms, csvParse: csvParse.ms, readCheck: readCheck.ms },
      memory: { ...installed.memory, readCheck: readCheck.memory },
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureInstalled(folder: string, path: string) {
  const nodeOptions = `--max-old-space-size=${HEAP_MB}`
  const installation = await Installation.open({ api: 1, worker: 1, nodeOptions })
  const database = openDatabase(installation.databaseUrl, {
    max: 2,
    applicationName: 'bench',
    statementTimeoutMs: STATEMENT_MS,
  })
  try {
    const { db } = database
    const [api, worker] = [installation.ofRole('api')[0], installation.ofRole('worker')[0]]
    const address = api?.address ?? ''
    const firstMs = await importFirst(folder, address, db)
    const at = { address, seller: await openProSeller(address, db) }
    const { importId, ms: stage } = await timeStaging(at, path)
    const { live, planMs: plan, applyMs: apply } = await timeGoingLive(db, importId)
    const { databaseUrl } = installation
    const settle = () => installation.checkpoint()
    const copy = await measureCopyAlone({ databaseUrl, sellerId: at.seller.sellerId, folder, settle })
    await settle()
    const undo = await timeUndo(db, at, importId)
    return {
      live,
      firstMs,
      ms: { stage, plan, apply, copy: copy.alone, copyWithKeys: copy.withKeys, undo },
      memory: {
        api: api?.peakMemory() ?? 0,
        worker: worker?.peakMemory() ?? 0,
        database: installation.peakMemoryOfDatabase(),
      },
    }
  } finally {
    await database.close()
    await installation.close()
  }
}

async function importFirst(folder: string, address: string, db: Db): Promise<number> {
  const path = join(folder, 'first.csv')
  await writeYardFile(path, yardRows(FIRST_ROWS, 'first'))
  const { importId } = await timeStaging({ address, seller: await openProSeller(address, db) }, path)
  const { planMs, applyMs } = await timeGoingLive(db, importId)
  return planMs + applyMs
}

type Target = {
  readonly name: string
  readonly found: string
  readonly wanted: string
  readonly isMet: boolean
}

function targetsOf({ ms, memory }: Figures): Target[] {
  const share = (name: string, found: number, least: number): Target => ({
    name,
    found: `${(found * 100).toFixed(0)} %`,
    wanted: `≥ ${least * 100} %`,
    isMet: found >= least,
  })
  const below = (name: string, bytes: number): Target => ({
    name: `peak memory of ${name}, heap of ${HEAP_MB} MB`,
    found: megabytes(bytes),
    wanted: `< ${megabytes(MOST_MEMORY)}`,
    isMet: bytes < MOST_MEMORY,
  })
  return [
    share('read and check, of csv-parse alone', ms.csvParse / ms.readCheck, LEAST_OF_CSV_PARSE),
    share('to live (plan and apply), of COPY alone', ms.copy / (ms.plan + ms.apply), LEAST_OF_COPY),
    below('read and check', memory.readCheck),
    below('api', memory.api),
    below('worker', memory.worker),
  ]
}

function tell(figures: Figures): string {
  const { rows, bytes, live, firstMs, ms, memory } = figures
  const step = (name: string, count: number, time: number) => [
    name,
    duration(time),
    figure(count / (time / 1_000)),
    `${(bytes / 1_000 / time).toFixed(1)}`,
  ]
  const steps = [
    step('csv-parse alone', rows, ms.csvParse),
    step('read and check', rows, ms.readCheck),
    step('stage: upload, read, check, store', rows, ms.stage),
    step('plan', rows, ms.plan),
    step('apply', live, ms.apply),
    step('to live: plan and apply', live, ms.plan + ms.apply),
    [
      `to live: the ${figure(FIRST_ROWS)} before, the first of all`,
      duration(firstMs),
      figure(FIRST_ROWS / (firstMs / 1_000)),
      '',
    ],
    step('COPY alone', live, ms.copy),
    step('COPY alone, foreign keys too', live, ms.copyWithKeys),
    step('undo', live, ms.undo),
  ]
  const targets = targetsOf(figures).map(({ name, found, wanted, isMet }) => [
    name,
    found,
    wanted,
    verdict(isMet),
  ])
  return [
    `### ${figure(rows)} rows, ${megabytes(bytes)}`,
    markdownTable(['step', 'time', 'rows/s', 'MB/s'], steps),
    markdownTable(['target', 'found', 'wanted', ''], targets),
    `The largest process of PostgreSQL held ${megabytes(memory.database)}, shared memory included.`,
  ].join('\n\n')
}
