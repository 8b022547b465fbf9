/** Puts the cells of a row right that a mark too few or too much has moved: pure. Cells behind move along. */

/** The cell and the next one become one, with a blank between them. */
export function joinedWithNext(cells: readonly string[], at: number): string[] {
  const [one, next] = [cells[at] ?? '', cells[at + 1] ?? '']
  const joined = [one, next].filter((text) => text !== '').join(' ')
  return [...cells.slice(0, at), joined, ...cells.slice(at + 2)]
}

export const withCellInserted = (cells: readonly string[], at: number): string[] => [
  ...cells.slice(0, at),
  '',
  ...cells.slice(at),
]

export const withCellRemoved = (cells: readonly string[], at: number): string[] => [
  ...cells.slice(0, at),
  ...cells.slice(at + 1),
]

/** As many cells as there are columns; behind them only cells that say something. */
export function fitted(cells: readonly string[], columns: number): string[] {
  let length = cells.length
  while (length > columns && (cells[length - 1] ?? '').trim() === '') length--
  return Array.from({ length: Math.max(length, columns) }, (_, at) => cells[at] ?? '')
}
