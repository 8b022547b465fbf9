import { columnAt, yardRows } from '#tests/support/yard-file.ts'

const PRICE = columnAt('Retail')
const STOCK = columnAt('Stock #')
const NOTES = columnAt('Notes')

/**
 * A yard's file with what files have: prices that are none, rows that are there twice (in another chunk, too), and parts
 * without a stock number that only their condition tells apart.
 */
export function firstFile(count: number): string[][] {
  const rows = [...yardRows(count, 'chaos')]
  return rows.map((row, at) => {
    if (at % 50 === 49) return row.with(PRICE, 'call')
    if (at % 97 === 96) return rows[Math.max(0, at - 501)] ?? row
    const unnumbered = row.with(STOCK, '')
    if (at % 89 === 87) return unnumbered
    if (at % 89 === 88)
      return (rows[at - 1] ?? row).with(STOCK, '').with(NOTES, 'Second one, from the same car.')
    return row
  })
}

/** The same yard a day later: every fifth part has another price, every thirteenth is gone, and a twentieth is new. */
export function nextStock(first: readonly string[][]): string[][] {
  const kept = first
    .filter((_, at) => at % 13 !== 12)
    .map((row, at) => (at % 5 === 4 && row[PRICE] !== 'call' ? row.with(PRICE, '77.50') : row))
  const fresh = [...yardRows(Math.ceil(first.length / 20), 'chaos, next')]
  return [...kept, ...fresh.map((row) => row.with(STOCK, `N${row[STOCK]}`))]
}

/** Cuts rows into so many chunks of about the same size. */
export function cut<T>(rows: readonly T[], chunks: number): T[][] {
  return Array.from({ length: chunks }, (_, index) =>
    rows.slice(Math.floor((index * rows.length) / chunks), Math.floor(((index + 1) * rows.length) / chunks)),
  )
}
