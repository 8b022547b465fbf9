import { stat } from 'node:fs/promises'
import { withCheckDigit } from '#contract/vehicle/vin-rules.ts'
import { readCsv } from '#db/data/read-data.ts'
import { openVinDecoder } from '#server/features/market/vin/decode-vin.ts'
import { readVinPatterns } from '#server/features/market/vin/vin-patterns.ts'
import { figure, markdownTable, percentile, report, type Target } from './report.ts'

/* How long a VIN takes that nothing is remembered of, and one of a car that was decoded before. */

const DATA = new URL('../../db/data/vpic/', import.meta.url)
const FILES = ['patterns.csv.gz', 'wmi.csv.gz', 'models.csv']
const MOST_MS = 2
const MOST_DISK_MB = 20
const PLANTS = 'ABCDEFGHJKLMNPRSTUVWXYZ0123456789'

/** Prints a table; returns whether all targets were met. */
export async function benchVin(): Promise<boolean> {
  const sizes = await Promise.all(FILES.map(async (name) => (await stat(new URL(name, DATA))).size))
  const diskMb = sizes.reduce((sum, size) => sum + size, 0) / 1e6
  globalThis.gc?.()
  const before = process.memoryUsage()
  const start = performance.now()
  const decoder = openVinDecoder(await readVinPatterns(), () => new Date())
  const loadMs = performance.now() - start
  const vins = variants()
  const first = vins.map((vin) => timed(() => decoder.decode(vin)))
  const again = vins.slice(0, 1_000).map((vin) => {
    decoder.decode(vin)
    return timed(() => decoder.decode(vin))
  })
  const typos = vins.map((vin) => timed(() => decoder.suggest(vin.replace(/.(?=.{8}$)/, 'A'))))
  globalThis.gc?.()
  const heapMb = (process.memoryUsage().heapUsed - before.heapUsed) / 1e6
  const row = (name: string, ms: readonly number[]) => [
    name,
    ...[0.5, 0.99, 1].map((share) => figure(percentile(ms, share) * 1_000)),
  ]
  return report(
    [
      markdownTable(
        [`µs, ${figure(vins.length)} VINs`, 'median', 'p99', 'slowest'],
        [row('a car for the first time', first), row('a car again', again), row('suggestions', typos)],
      ),
      `Reading the patterns: ${figure(loadMs)} ms, ${figure(heapMb)} MB of heap.`,
    ],
    [
      atMost('decode, p99', percentile(first, 0.99), { most: MOST_MS, unit: 'ms' }),
      atMost('data on disk', diskMb, { most: MOST_DISK_MB, unit: 'MB' }),
    ],
  )
}

/** Published VINs as of every plant: the same patterns, but no car that is remembered. */
function variants(): string[] {
  const published = readCsv(new URL('../../server/features/market/vin/published-vins.csv', import.meta.url))
  return published.flatMap(({ vin = '' }) =>
    Array.from(PLANTS, (plant) => withCheckDigit(vin.slice(0, 10) + plant + vin.slice(11))),
  )
}

function timed(run: () => unknown): number {
  const start = performance.now()
  run()
  return performance.now() - start
}

const atMost = (name: string, found: number, { most, unit }: { most: number; unit: string }): Target => ({
  name,
  found: `${found.toFixed(2)} ${unit}`,
  wanted: `≤ ${most} ${unit}`,
  isMet: found <= most,
})
