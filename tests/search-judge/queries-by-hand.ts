import { readFileSync } from 'node:fs'
import type { JudgedQuery, Side, Wanted } from './relevance.ts'

/** The table of queries-by-hand.md. */
export function readQueriesByHand(): JudgedQuery[] {
  return readFileSync(new URL('queries-by-hand.md', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| query '))
    .map((line) => {
      const cells = line.split('|').map((cell) => cell.trim())
      const [, query = '', parts = '', vehicles = '', years = '', sides = '', inName = '', number = ''] =
        cells
      return { query, wanted: readWanted({ parts, vehicles, years, sides, inName, number }) }
    })
}

function readWanted(
  cells: Record<'parts' | 'vehicles' | 'years' | 'sides' | 'inName' | 'number', string>,
): Wanted {
  const list = (cell: string) => cell.split('; ')
  const [from, to = from] = cells.years.split('-').map(Number)
  return {
    ...(cells.parts && { parts: list(cells.parts) }),
    ...(cells.vehicles && { vehicles: list(cells.vehicles) }),
    ...(cells.years && from && to && { years: [from, to] as const }),
    ...(cells.sides && { sides: list(cells.sides) as Side[] }),
    ...(cells.inName && { inName: list(cells.inName) }),
    ...(cells.number && { number: cells.number }),
  }
}
