import { join } from 'node:path'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import { compileRowCheck, type RowFields } from '#server/features/stock-files/read/check-row.ts'
import { writeYardFile, yardHeader, yardMapping } from '#tests/support/yard-file.ts'
import { messyPairs, writeMessyFile } from './messy-files.ts'
import { best, forEachSize, runProgram, type Took, withFolder } from './programs.ts'
import { knownNames, readMessy } from './reading.ts'
import {
  atLeast,
  duration,
  figure,
  markdownTable,
  megabytes,
  memoryTarget,
  percent,
  report,
} from './report.ts'

/* How fast a file of which nothing is known is read and checked, compared with csv-parse alone on the same rows in standard form. */

const LEAST_OF_CSV_PARSE = 0.5
// They take turns, so that whatever else the machine does meets all of them.
const ROUNDS = 3
const COMPARED_ROWS = 2_000

const ways = {
  'csv-parse': 'csv-parse alone, standard form',
  'read-check': 'read and check, standard form',
  messy: 'detect, map, read and check, as the yard writes it',
  browser: 'the browser’s first reading of that file, under Node',
} as const
type Way = keyof typeof ways | 'suggest'

/** Prints a table for every size; returns whether all targets were met. */
export async function benchImport(args: string[]): Promise<boolean> {
  const options = { rows: { type: 'string', default: '10000,100000,1000000' } } as const
  const { values } = parseArgs({ args, options })
  return forEachSize(values.rows, (rows) => withFolder((folder) => measure(rows, folder)))
}

async function measure(rows: number, folder: string): Promise<boolean> {
  const paths = { standard: join(folder, 'standard.csv'), messy: join(folder, 'messy.csv') }
  const standard = await writeYardFile(paths.standard, standardRows(rows))
  const messy = await writeMessyFile(paths.messy, rows)
  await expectSame(join(folder, 'compared.csv'))
  const names: Way[] = ['csv-parse', 'read-check', 'messy', 'browser', 'suggest']
  const runs = new Map<Way, (Took & { result: number })[]>(names.map((way) => [way, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [way, took] of runs) {
      const isStandard = way === 'csv-parse' || way === 'read-check'
      took.push(await runProgram<number>('read-program.ts', [way, isStandard ? paths.standard : paths.messy]))
    }
  }
  const took = (way: Way) => best(runs.get(way) ?? [])
  const parser = took('csv-parse')
  const shares = (way: Way) => [parser.ms / took(way).ms, parser.cpuMs / took(way).cpuMs] as const
  const table = Object.entries(ways).map(([way, name]) => [
    name,
    figure(rows / (took(way as Way).ms / 1_000)),
    ...shares(way as Way).map(percent),
    megabytes(took(way as Way).memory),
  ])
  const sizes = `${megabytes(standard)} in standard form, ${megabytes(messy)} as the yard writes it`
  const fields = runs.get('suggest')?.[0]?.result
  return report(
    [
      `${figure(rows)} rows, ${sizes}`,
      markdownTable(['', 'rows/s', 'of csv-parse', 'by processor time', 'memory'], table),
      `Suggesting columns from ${figure(200)} rows: ${duration(took('suggest').ms)}, ${fields} fields.`,
    ],
    [
      // By the clock and by processor time: what else the machine does may flatter either.
      atLeast('any file, of csv-parse alone', Math.min(...shares('messy')), LEAST_OF_CSV_PARSE),
      memoryTarget('all of these', Math.max(...names.map((way) => took(way).memory))),
    ],
  )
}

function* standardRows(count: number) {
  for (const { standard } of messyPairs(count)) yield standard
}

/** A fast reading of something else would prove nothing: the messy rows are the standard ones. */
async function expectSame(path: string): Promise<void> {
  await writeMessyFile(path, COMPARED_ROWS)
  const year = new Date().getUTCFullYear()
  const check = compileRowCheck({ header: yardHeader, mapping: yardMapping, defaults: {}, year })
  const expected = [...messyPairs(COMPARED_ROWS)].map(({ standard }): RowFields => {
    const checked = check(standard)
    return 'fields' in checked ? checked.fields : {}
  })
  let at = 0
  await readMessy(path, knownNames(), (row, fields) => {
    if (!isDeepStrictEqual({ ...fields }, { ...expected[at] })) {
      throw new Error(`Row ${row} is ${JSON.stringify(fields)}, not ${JSON.stringify(expected[at])}`)
    }
    at += 1
  })
}
