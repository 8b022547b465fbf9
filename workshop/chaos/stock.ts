import type { ImportMode } from '#contract/imports.ts'
import { columnAt, yardRows } from '#tests/support/yard-file.ts'

const PRICE = columnAt('Retail')
const STOCK = columnAt('Stock #')
const NOTES = columnAt('Notes')

/** A yard's first file, or its full stock a day later, which replaces the first. */
export type Scenario = 'first file' | 'next stock'
export const scenarioOf = (seed: number): Scenario => (seed % 2 === 0 ? 'next stock' : 'first file')

/** The imports of a scenario, in order; only the last one is disturbed. */
export const importsOf = (scenario: Scenario): { file: Scenario; mode: ImportMode }[] => [
  { file: 'first file', mode: 'add' },
  ...(scenario === 'next stock' ? [{ file: scenario, mode: 'replace' as const }] : []),
]

export function makeStock(rows: number): Record<Scenario, string[][]> {
  const first = firstFile(rows)
  return { 'first file': first, 'next stock': nextStock(first) }
}

/**
 * What real files contain: prices that are no prices, rows that occur twice (in another chunk, too), and parts without a
 * stock number that differ only in their condition.
 */
function firstFile(count: number): string[][] {
  const rows = [...yardRows(count, 'chaos')]
  return rows.map((row, at) => {
    if (at % 50 === 49) return row.with(PRICE, 'call')
    if (at % 97 === 96) return rows[Math.max(0, at - 501)] ?? row
    if (at % 89 === 87) return row.with(STOCK, '')
    if (at % 89 === 88)
      return (rows[at - 1] ?? row).with(STOCK, '').with(NOTES, 'Second one, from the same car.')
    return row
  })
}

/** A day later, every fifth part has another price, every thirteenth is gone, and one in twenty is new. */
function nextStock(first: readonly string[][]): string[][] {
  const kept = first
    .filter((_, at) => at % 13 !== 12)
    .map((row, at) => (at % 5 === 4 && row[PRICE] !== 'call' ? row.with(PRICE, '77.50') : row))
  const fresh = [...yardRows(Math.ceil(first.length / 20), 'chaos, next')]
  return [...kept, ...fresh.map((row) => row.with(STOCK, `N${row[STOCK]}`))]
}
