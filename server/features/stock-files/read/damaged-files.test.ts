import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { damagedFile, damagedKinds } from '#tests/support/mutated-file.ts'
import { tableOf } from '#tests/support/read-csv.ts'
import { openTable } from './open-table.ts'

// `npm run attack` sends a thousand of each.
const OF_EACH = 40
// All 40 together take a second on idle cores; what hangs never ends.
const LONGEST_MS = 15_000

async function read(bytes: Buffer): Promise<'read' | 'refused'> {
  try {
    const table = await openTable(tableOf(() => Readable.from([bytes])))
    for await (const _ of table.batches);
    return 'read'
  } catch (error) {
    expect(error).toMatchObject({ name: 'AppError', status: expect.toSatisfy((status) => status < 500) })
    return 'refused'
  }
}

test.each(damagedKinds)('a %s file with any byte damaged is soon read or refused', async (kind) => {
  const seeds = Array.from({ length: OF_EACH }, (_, seed) => seed)
  const late = sleep(LONGEST_MS, 'hangs' as const, { ref: false })
  const outcomes = await Promise.all(
    seeds.map(async (seed) => [seed, await Promise.race([read(await damagedFile(kind, seed)), late])]),
  )
  expect(outcomes.filter(([, outcome]) => outcome === 'hangs')).toEqual([])
  // In a text, a damaged byte may be another letter; the other kinds have checksums.
  if (kind !== 'csv') expect(outcomes.some(([, outcome]) => outcome === 'refused')).toBe(true)
})
