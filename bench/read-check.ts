import { createReadStream, openAsBlob } from 'node:fs'
import { parse } from 'csv-parse'
import { compileRowCheck } from '#server/features/stock-files/read/check-row.ts'
import { openTable } from '#server/features/stock-files/read/open-table.ts'
import { yardMapping } from '#tests/support/yard-file.ts'

/** `ms` by the clock; `cpuMs` of the process, which other programs on the machine disturb less. */
export type Reading = { rows: number; ms: number; cpuMs: number }

async function timed(read: () => Promise<number>): Promise<Reading> {
  const began = performance.now()
  const cpu = process.cpuUsage()
  const rows = await read()
  const { user, system } = process.cpuUsage(cpu)
  return { rows, ms: performance.now() - began, cpuMs: (user + system) / 1_000 }
}

/** csv-parse alone on a yard's file, as its manual reads the fastest way: every record as an array, nothing done with it. */
export const benchCsvParse = (path: string): Promise<Reading> =>
  timed(async () => {
    let rows = -1
    const parser = createReadStream(path).pipe(parse({ relax_quotes: true, relax_column_count: true }))
    parser.on('readable', () => {
      while (parser.read() !== null) rows += 1
    })
    await new Promise((ended, failed) => parser.on('end', ended).on('error', failed))
    return rows
  })

/** Our reading of the same file, and every check of its rows. */
export const benchReadCheck = (path: string): Promise<Reading> =>
  timed(async () => {
    const { header, batches } = await openTable({
      open: () => createReadStream(path),
      blob: () => openAsBlob(path),
    })
    const year = new Date().getUTCFullYear()
    const check = compileRowCheck({ header, mapping: yardMapping, defaults: {}, year })
    let rows = 0
    for await (const batch of batches) {
      for (const { cells, row, problem } of batch) {
        const checked = check(cells, problem)
        if ('issues' in checked) throw new Error(`Row ${row}: ${checked.issues[0]?.message}`)
        rows += 1
      }
    }
    return rows
  })
