import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDeepStrictEqual, promisify } from 'node:util'
import { compileRowCheck, type RowFields } from '#server/features/stock-files/read/check-row.ts'
import { writeYardFile, yardHeader, yardMapping } from '#tests/support/yard-file.ts'
import { forEachSize } from './each-size.ts'
import { duration, figure, markdownTable, megabytes, verdict } from './markdown-table.ts'
import { messyPairs, writeMessyFile } from './messy-export.ts'
import { HEAP_MB, MOST_MEMORY } from './process-limits.ts'
import { knownNames, readMessy } from './read-messy.ts'

/* How fast a file is read and checked of which nothing is known, beside csv-parse alone on the same rows in standard form. */

const LEAST_OF_CSV_PARSE = 0.5
// Any may pay for what else the machine does; the fastest of each counts, and they take turns.
const TIMES = 3
const COMPARED_ROWS = 2_000

const ways = ['csv-parse', 'read-check', 'messy', 'browser', 'suggest'] as const
type Way = (typeof ways)[number]
type Took = { rows: number; ms: number; cpuMs: number; memory: number }
type Figures = {
  readonly rows: number
  readonly bytes: { readonly standard: number; readonly messy: number }
  readonly took: Record<Way, Took>
}

/** Prints a table for every size; answers whether all targets were met. */
export async function benchImport(args: string[]): Promise<boolean> {
  return forEachSize(args, async (rows) => {
    const figures = await measure(rows)
    console.log(`\n${tell(figures)}`)
    return targetsOf(figures).every(({ isMet }) => isMet)
  })
}

async function measure(rows: number): Promise<Figures> {
  const folder = await mkdtemp(join(tmpdir(), 'partharbor-import-'))
  try {
    const paths = { standard: join(folder, 'standard.csv'), messy: join(folder, 'messy.csv') }
    const standard = function* () {
      for (const pair of messyPairs(rows)) yield pair.standard
    }
    const bytes = {
      standard: await writeYardFile(paths.standard, standard()),
      messy: await writeMessyFile(paths.messy, rows),
    }
    await expectSame(folder)
    const took: Partial<Record<Way, Took[]>> = {}
    for (let time = 0; time < TIMES; time += 1) {
      for (const way of ways) {
        const isStandard = way === 'csv-parse' || way === 'read-check'
        const one = await readOnce(way, isStandard ? paths.standard : paths.messy)
        took[way] = [...(took[way] ?? []), one]
      }
    }
    const best = ways.map((way) => [way, bestOf(took[way] ?? [])])
    return { rows, bytes, took: Object.fromEntries(best) as Record<Way, Took> }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** A fast reading of something else would prove nothing: the messy rows are the standard ones. */
async function expectSame(folder: string): Promise<void> {
  const path = join(folder, 'compared.csv')
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

async function readOnce(way: Way, path: string): Promise<Took> {
  const args = [`--max-old-space-size=${HEAP_MB}`, join(import.meta.dirname, 'import-program.ts'), way, path]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Took
}

const bestOf = (took: readonly Took[]): Took => ({
  rows: took[0]?.rows ?? 0,
  ms: Math.min(...took.map(({ ms }) => ms)),
  cpuMs: Math.min(...took.map(({ cpuMs }) => cpuMs)),
  memory: Math.max(...took.map(({ memory }) => memory)),
})

const rate = ({ rows, ms }: Took) => rows / (ms / 1_000)
const share = (of: Took, whole: Took) => whole.cpuMs / whole.rows / (of.cpuMs / of.rows)
const percent = (value: number) => `${Math.round(value * 100)} %`

function targetsOf({ took }: Figures): { name: string; told: string; isMet: boolean }[] {
  const parser = took['csv-parse']
  // By the clock and by processor time: what else the machine does may flatter either.
  const ofParser = Math.min(rate(took.messy) / rate(parser), share(took.messy, parser))
  const memory = Math.max(...ways.map((way) => took[way].memory))
  return [
    {
      name: `any file, of csv-parse alone (≥ ${percent(LEAST_OF_CSV_PARSE)})`,
      told: percent(ofParser),
      isMet: ofParser >= LEAST_OF_CSV_PARSE,
    },
    {
      name: `most memory of any of these (< ${megabytes(MOST_MEMORY)})`,
      told: megabytes(memory),
      isMet: memory < MOST_MEMORY,
    },
  ]
}

function tell(figures: Figures): string {
  const { rows, bytes, took } = figures
  const sizes = `${megabytes(bytes.standard)} in standard form, ${megabytes(bytes.messy)} as the yard writes it`
  const parser = took['csv-parse']
  const lines = [
    ['csv-parse alone, standard form', parser],
    ['read and check, standard form', took['read-check']],
    ['detect, map, read and check, as the yard writes it', took.messy],
    ['the browser’s first reading of that file, under Node', took.browser],
  ] as const
  const told = lines.map(([name, one]) => [
    name,
    figure(rate(one)),
    percent(rate(one) / rate(parser)),
    percent(share(one, parser)),
    megabytes(one.memory),
  ])
  const targets = targetsOf(figures).map(({ name, told: value, isMet }) => [name, value, verdict(isMet)])
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(', ')
  return [
    `${figure(rows)} rows, ${sizes}; load ${load}`,
    markdownTable(['', 'rows/s', 'of csv-parse', 'by processor time', 'memory'], told),
    `Suggesting columns from ${figure(200)} rows: ${duration(took.suggest.ms)}, ${took.suggest.rows} fields.`,
    markdownTable(['target', '', ''], targets),
  ].join('\n\n')
}
