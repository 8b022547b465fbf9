import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = join(import.meta.dirname, 'read-program.ts')

type Reading = { readonly ms: number; readonly memory: number }

// The first of several may pay for a cold disk, any for whatever else the machine does.
const TIMES = 3

/**
 * Reads a file in two ways, in turn, each time in a process of its own, whose memory then is that of the reading. The
 * fastest of each counts.
 */
export async function readAlone(
  path: string,
  heapMb: number,
): Promise<Record<'csvParse' | 'readCheck', Reading>> {
  const csvParse: Reading[] = []
  const readCheck: Reading[] = []
  for (let time = 0; time < TIMES; time += 1) {
    csvParse.push(await readOnce('csv-parse', path, heapMb))
    readCheck.push(await readOnce('read-check', path, heapMb))
  }
  return { csvParse: best(csvParse), readCheck: best(readCheck) }
}

async function readOnce(how: 'csv-parse' | 'read-check', path: string, heapMb: number): Promise<Reading> {
  const args = [`--max-old-space-size=${heapMb}`, PROGRAM, how, path]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Reading
}

const best = (readings: readonly Reading[]): Reading => ({
  ms: Math.min(...readings.map(({ ms }) => ms)),
  memory: Math.max(...readings.map(({ memory }) => memory)),
})
