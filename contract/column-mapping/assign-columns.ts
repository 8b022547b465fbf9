/** How well a column fits a field, both numbered from 0. Higher is better; 0 or less means it does not fit. */
export type Offer = { field: number; column: number; merit: number }

/**
 * Gives each field at most one column and each column at most one field so that the merits together are as high as they
 * can be: the best column of one field may be left to another that needs it more. The same offers give the same answer,
 * whatever their order. Answers the column of each field, or -1.
 *
 * The Hungarian method, by shortest augmenting paths, with a column of no merit for each field.
 */
export function assignColumns(fields: number, columns: number, offers: readonly Offer[]): number[] {
  const width = columns + fields
  // A cost is the highest merit minus the column's. A column that does not fit costs more than no column.
  const highest = Math.max(1, ...offers.map(({ merit }) => merit))
  const costs = Array.from({ length: fields }, () => new Float64Array(width).fill(highest))
  for (const row of costs) row.fill(2 * highest, 0, columns)
  for (const { field, column, merit } of offers) {
    const row = costs[field]
    if (row && merit > 0) row[column] = Math.min(row[column] ?? Number.POSITIVE_INFINITY, highest - merit)
  }
  const owners = matchAll(costs, width)
  const given = new Array<number>(fields).fill(-1)
  for (let column = 0; column < columns; column++) {
    const field = owners[column + 1] ?? 0
    if (field > 0) given[field - 1] = column
  }
  return given
}

/** The row that has each column, both counted from 1; 0 for none. */
function matchAll(costs: readonly Float64Array[], width: number): Int32Array {
  const owners = new Int32Array(width + 1)
  const state = {
    costs,
    width,
    owners,
    rowPrices: new Float64Array(costs.length + 1),
    columnPrices: new Float64Array(width + 1),
  }
  for (let row = 1; row <= costs.length; row++) addRow(row, state)
  return owners
}

type State = {
  costs: readonly Float64Array[]
  width: number
  owners: Int32Array
  rowPrices: Float64Array
  columnPrices: Float64Array
}

function addRow(row: number, state: State): void {
  const { width, owners } = state
  const slack = new Float64Array(width + 1).fill(Number.POSITIVE_INFINITY)
  const cameFrom = new Int32Array(width + 1)
  const visited = new Uint8Array(width + 1)
  owners[0] = row
  let at = 0
  do {
    visited[at] = 1
    at = nearest(at, { ...state, slack, cameFrom, visited })
  } while (owners[at] !== 0)
  // Every column on the path is assigned to the row that reached it.
  while (at !== 0) {
    const before = cameFrom[at] ?? 0
    owners[at] = owners[before] ?? 0
    at = before
  }
}

type Search = State & { slack: Float64Array; cameFrom: Int32Array; visited: Uint8Array }

/** The column that is cheapest to reach next; prices are moved so that reaching it costs nothing. */
function nearest(at: number, search: Search): number {
  const { owners, rowPrices, columnPrices, slack, visited } = search
  reachFrom(at, search)
  const { step, next } = cheapest(search)
  visited.forEach((isVisited, column) => {
    if (isVisited) {
      const owner = owners[column] ?? 0
      rowPrices[owner] = (rowPrices[owner] ?? 0) + step
      columnPrices[column] = (columnPrices[column] ?? 0) - step
    } else {
      slack[column] = (slack[column] ?? 0) - step
    }
  })
  return next
}

function reachFrom(at: number, { costs, owners, rowPrices, columnPrices, slack, cameFrom, visited }: Search) {
  const row = owners[at] ?? 0
  const cost = costs[row - 1] ?? new Float64Array()
  for (let column = 1; column <= cost.length; column++) {
    const extra = (cost[column - 1] ?? 0) - (rowPrices[row] ?? 0) - (columnPrices[column] ?? 0)
    if (visited[column] || extra >= (slack[column] ?? 0)) continue
    slack[column] = extra
    cameFrom[column] = at
  }
}

function cheapest({ width, slack, visited }: Search): { step: number; next: number } {
  let step = Number.POSITIVE_INFINITY
  let next = 0
  for (let column = 1; column <= width; column++) {
    const reached = slack[column] ?? 0
    if (visited[column] || reached >= step) continue
    step = reached
    next = column
  }
  return { step, next }
}
