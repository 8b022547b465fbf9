import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { measureCopyAlone } from './copy-alone.ts'
import { best, forEachSize, runProgram, type Took, withInstallation } from './programs.ts'
import { atLeast, duration, figure, markdownTable, megabytes, memoryTarget, report } from './report.ts'
import { TimedImport, writeRows } from './timed-import.ts'

/* How fast a yard's file goes in, step by step, compared with the fastest way to do the same without what an import must do. */

const LEAST_OF_CSV_PARSE = 0.6
const LEAST_OF_COPY = 0.4
// An installation at work is measured, not its first seconds, in which nothing is compiled and no page of a table is in
// memory: these rows of another seller go live before. Their own time is printed, too.
const FIRST_ROWS = 10_000
// The first of several readings may pay for a cold disk, any for whatever else the machine does.
const READINGS = 3

/** Prints a table for every size; returns whether all targets were met. Every size gets an installation of its own. */
export async function benchIngest(args: string[]): Promise<boolean> {
  const options = { rows: { type: 'string', default: '10000,100000,1000000' } } as const
  const { values } = parseArgs({ args, options })
  return forEachSize(values.rows, measure)
}

function measure(rows: number): Promise<boolean> {
  return withInstallation(async ({ installation, database: { db }, address, folder }) => {
    const path = join(folder, 'stock.csv')
    const bytes = await writeRows(path, rows, 'bench')
    const { csvParse, readCheck } = await readAlone(path)
    const firstPath = join(folder, 'first.csv')
    await writeRows(firstPath, FIRST_ROWS, 'first')
    const firstMs = await importOnce(await TimedImport.open({ address, db, path: firstPath }))
    const timed = await TimedImport.open({ address, db, path })
    const stageMs = await timed.stage()
    const { live, planMs, applyMs } = await timed.goLive()
    const settle = () => installation.checkpoint()
    const { sellerId } = timed.seller
    const copy = await measureCopyAlone({ databaseUrl: installation.databaseUrl, sellerId, folder, settle })
    await settle()
    const sizeLive = await sizeOf(db)
    const undoMs = await timed.undo()
    const sizeUndone = await sizeOf(db)
    const toLiveMs = planMs + applyMs
    const step = (name: string, count: number, ms: number) => [
      name,
      duration(ms),
      figure(count / (ms / 1_000)),
      (bytes / 1_000 / ms).toFixed(1),
    ]
    const first = `to live: the ${figure(FIRST_ROWS)} before, the first of all`
    const table = [
      step('csv-parse alone', rows, csvParse.ms),
      step('read and check', rows, readCheck.ms),
      step('stage: upload, read, check, store', rows, stageMs),
      step('plan', rows, planMs),
      step('apply', live, applyMs),
      step('to live: plan and apply', live, toLiveMs),
      [first, duration(firstMs), figure(FIRST_ROWS / (firstMs / 1_000)), ''],
      step('COPY alone', live, copy.alone),
      step('COPY alone, foreign keys too', live, copy.withKeys),
      step('undo', live, undoMs),
    ]
    const peak = (role: 'api' | 'worker') => installation.ofRole(role)[0]?.peakMemory() ?? 0
    return report(
      [
        `### ${figure(rows)} rows, ${megabytes(bytes)}`,
        markdownTable(['step', 'time', 'rows/s', 'MB/s'], table),
        `Peak memory of a process of PostgreSQL, shared memory included: ${megabytes(installation.peakMemoryOfDatabase())}.`,
        `The database: ${megabytes(sizeLive)} before the undo, ${megabytes(sizeUndone)} after it.`,
      ],
      [
        atLeast('read and check, of csv-parse alone', csvParse.ms / readCheck.ms, LEAST_OF_CSV_PARSE),
        atLeast('to live (plan and apply), of COPY alone', copy.alone / toLiveMs, LEAST_OF_COPY),
        memoryTarget('read and check', readCheck.memory),
        memoryTarget('api', peak('api')),
        memoryTarget('worker', peak('worker')),
      ],
    )
  })
}

async function sizeOf(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  )
  return Number(rows[0]?.bytes ?? 0)
}

/** Reads the file in both ways, which take turns; the fastest of each counts. */
async function readAlone(path: string): Promise<Record<'csvParse' | 'readCheck', Took>> {
  const csvParse: Took[] = []
  const readCheck: Took[] = []
  for (let round = 0; round < READINGS; round += 1) {
    csvParse.push(await runProgram('read-program.ts', ['csv-parse', path]))
    readCheck.push(await runProgram('read-program.ts', ['read-check', path]))
  }
  return { csvParse: best(csvParse), readCheck: best(readCheck) }
}

async function importOnce(timed: TimedImport): Promise<number> {
  await timed.stage()
  const { planMs, applyMs } = await timed.goLive()
  return planMs + applyMs
}
