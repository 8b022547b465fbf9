import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { NODE_FLAGS } from '#server/platform/processes/supervised-child.ts'
import { type CleanPlace, makeCleanPlace } from './clean-database.ts'
import { duration, figure, markdownTable, megabytes, verdict } from './markdown-table.ts'
import { HEAP_MB, MOST_MEMORY } from './process-limits.ts'

/* How fast a staged file is cleaned, beside reading and checking the same rows as a CSV file. */

// Of steps that change nothing for each other the best counts: any may pay for what else the machine does.
const READINGS = 2

type Measured = {
  readonly ms: number
  /** Of the process, all its threads: other programs on the machine disturb it less. */
  readonly cpuMs: number
  readonly memory: number
}

type Figures = {
  readonly rows: number
  readonly csvBytes: number
  readonly readCheck: Measured
  readonly resolve: Measured & { readonly message: string }
  readonly resolveAgain: Measured
  readonly h1: Measured & Texts
  readonly description: Measured & Texts
}
type Texts = { readonly written: number; readonly refused: number }

/** Prints a table; answers whether all targets were met. */
export async function benchClean(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: { rows: { type: 'string', default: '1000000' } } })
  const { place, close } = await makeCleanPlace(Number(values.rows))
  try {
    const figures = await measure(place)
    console.log(`\n${tell(figures)}`)
    return targetsOf(figures).every(({ isMet }) => isMet)
  } finally {
    await close()
  }
}

async function measure(place: CleanPlace): Promise<Figures> {
  const step = <Told>(name: string) =>
    run<Measured & { told: Told }>('clean-program.ts', [name, JSON.stringify(place)])
  const { told: made } = await step<{ csvBytes: number }>('make')
  const readings: Measured[] = []
  const read = async () =>
    readings.push(await run<Measured>('read-program.ts', ['read-check', place.csvPath]))
  await read()
  const { told: resolved, ...resolve } = await step<{ message: string }>('resolve')
  while (readings.length < READINGS) await read()
  const resolveAgain = await step('resolve')
  const { told: headings, ...h1 } = await step<Texts>('h1')
  const { told: texts, ...description } = await step<Texts>('description')
  return {
    rows: place.rows,
    csvBytes: made.csvBytes,
    readCheck: best(readings),
    resolve: { ...resolve, message: resolved.message },
    resolveAgain,
    h1: { ...h1, ...headings },
    description: { ...description, ...texts },
  }
}

async function run<Result>(program: string, args: readonly string[]): Promise<Result> {
  const path = join(import.meta.dirname, program)
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...NODE_FLAGS,
    `--max-old-space-size=${HEAP_MB}`,
    path,
    ...args,
  ])
  return JSON.parse(stdout) as Result
}

const best = (readings: readonly Measured[]): Measured => ({
  ms: Math.min(...readings.map(({ ms }) => ms)),
  cpuMs: Math.min(...readings.map(({ cpuMs }) => cpuMs)),
  memory: Math.max(...readings.map(({ memory }) => memory)),
})

function targetsOf({ readCheck, resolve, resolveAgain, h1, description }: Figures) {
  const share = readCheck.ms / resolve.ms
  const memory = Math.max(...[resolve, resolveAgain, h1, description].map((each) => each.memory))
  return [
    {
      name: 'resolve, of read and check',
      found: `${(share * 100).toFixed(0)} %`,
      wanted: '≥ 100 %',
      isMet: share >= 1,
    },
    {
      name: `peak memory of each process, heap of ${HEAP_MB} MB`,
      found: megabytes(memory),
      wanted: `< ${megabytes(MOST_MEMORY)}`,
      isMet: memory < MOST_MEMORY,
    },
  ]
}

function tell(figures: Figures): string {
  const { rows, csvBytes, readCheck, resolve, resolveAgain, h1, description } = figures
  const step = (name: string, { ms, cpuMs, memory }: Measured) => [
    name,
    duration(ms),
    figure(rows / (ms / 1_000)),
    `${((cpuMs * 1_000) / rows).toFixed(1)} µs`,
    megabytes(memory),
  ]
  const steps = [
    step('read and check as CSV', readCheck),
    step('resolve taxonomy', resolve),
    step('resolve again, nothing to change', resolveAgain),
    step('write and check h1', h1),
    step('write and check description', description),
  ]
  const targets = targetsOf(figures).map(({ name, found, wanted, isMet }) => [
    name,
    found,
    wanted,
    verdict(isMet),
  ])
  return [
    `### ${figure(rows)} staged records, ${megabytes(csvBytes)} as CSV`,
    markdownTable(['step', 'time', 'rows/s', 'processor time a row', 'peak memory'], steps),
    `${resolve.message} h1: ${told(h1)}; description: ${told(description)}.`,
    markdownTable(['target', 'found', 'wanted', ''], targets),
  ].join('\n\n')
}

const told = ({ written, refused }: Texts) => `${figure(written)} written, ${figure(refused)} refused`
