import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { loadTradeWords } from '#server/features/finding/vocabulary/load-words.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { best, runProgram, type Took, withFolder } from './programs.ts'
import { atLeast, duration, figure, markdownTable, megabytes, memoryTarget, report } from './report.ts'

/* How fast a staged file is cleaned, compared with reading and checking the same rows as a CSV file. */

/** Where the steps find everything; passed to their processes as JSON. */
export type CleanPlace = {
  readonly databaseUrl: string
  readonly filesDir: string
  readonly csvPath: string
  readonly sellerId: string
  readonly rows: number
}

type Texts = { readonly written: number; readonly refused: number }

/** Prints a table; returns whether all targets were met. */
export async function benchClean(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1000000' } } })
  return withFolder(async (folder) => {
    const postgres = await startEmbeddedPostgres({ dir: join(folder, 'postgres') })
    try {
      const databaseUrl = postgres.url('owner')
      const [filesDir, csvPath] = [join(folder, 'files'), join(folder, 'stock.csv')]
      const sellerId = await makeSeller(databaseUrl)
      return await measure({ databaseUrl, filesDir, csvPath, sellerId, rows: Number(values.rows) })
    } finally {
      await postgres.stop()
    }
  })
}

async function makeSeller(databaseUrl: string): Promise<string> {
  const { db, pool, close } = openDatabase(databaseUrl, { max: 2, applicationName: 'bench' })
  try {
    await migrate(pool)
    await loadLookups(db)
    await loadTradeWords(db)
    const { rows } = await sql<{ id: string }>`
      insert into seller (slug, name) values ('yard', 'Yard') returning id
    `.execute(db)
    return rows[0]?.id ?? ''
  } finally {
    await close()
  }
}

async function measure(place: CleanPlace): Promise<boolean> {
  const { rows } = place
  const step = <Result>(name: string) => runProgram<Result>('clean-program.ts', [name, JSON.stringify(place)])
  const read = () => runProgram<number>('read-program.ts', ['read-check', place.csvPath])
  const { result: made } = await step<{ csvBytes: number }>('make')
  const firstRead = await read()
  const resolve = await step<{ message: string }>('resolve')
  const readCheck = best([firstRead, await read()])
  const resolveAgain = await step('resolve')
  const h1 = await step<Texts>('h1')
  const description = await step<Texts>('description')
  const row = (name: string, { ms, cpuMs, memory }: Took) => [
    name,
    duration(ms),
    figure(rows / (ms / 1_000)),
    `${((cpuMs * 1_000) / rows).toFixed(1)} µs`,
    megabytes(memory),
  ]
  const table = [
    row('read and check as CSV', readCheck),
    row('resolve taxonomy', resolve),
    row('resolve again, nothing to change', resolveAgain),
    row('write and check h1', h1),
    row('write and check description', description),
  ]
  const count = ({ result }: { result: Texts }) =>
    `${figure(result.written)} written, ${figure(result.refused)} refused`
  const memory = Math.max(...[resolve, resolveAgain, h1, description].map((took) => took.memory))
  return report(
    [
      `### ${figure(rows)} staged records, ${megabytes(made.csvBytes)} as CSV`,
      markdownTable(['step', 'time', 'rows/s', 'processor time a row', 'peak memory'], table),
      `${resolve.result.message} h1: ${count(h1)}; description: ${count(description)}.`,
    ],
    [
      atLeast('resolve, of read and check', readCheck.ms / resolve.ms, 1),
      memoryTarget('each process, heap of 128 MB', memory),
    ],
  )
}
