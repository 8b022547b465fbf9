/**
 * Finds for each row of an edited file the row of the version before that it comes from: first those that say the same,
 * in order; then rows between two such neighbours, where as many stand there as before. -1 is a new row.
 */
export function pairRows(before: readonly string[], after: readonly string[]): Int32Array {
  const pairs = pairEqual(before, after)
  const taken = new Uint8Array(before.length)
  for (const row of pairs) if (row >= 0) taken[row] = 1
  let from = 0
  while (from < after.length) {
    let to = from
    while (to < after.length && pairs[to] === -1) to += 1
    if (to > from) pairGap(pairs, taken, { from, to })
    from = to + 1
  }
  return pairs
}

function pairEqual(before: readonly string[], after: readonly string[]): Int32Array {
  const places = new Map<string, number[]>()
  // From the end, so that the first of equal rows is the last of its list.
  for (let row = before.length - 1; row >= 0; row -= 1) {
    const key = before[row] as string
    const found = places.get(key)
    if (found) found.push(row)
    else places.set(key, [row])
  }
  return Int32Array.from(after, (key) => places.get(key)?.pop() ?? -1)
}

/** Rows `from` to `to` of the new version have no equal; their neighbours have, or are the edges of the file. */
function pairGap(pairs: Int32Array, taken: Uint8Array, gap: { from: number; to: number }): void {
  const first = gap.from === 0 ? 0 : (pairs[gap.from - 1] as number) + 1
  const end = gap.to === pairs.length ? taken.length : (pairs[gap.to] as number)
  if (end - first !== gap.to - gap.from || taken.subarray(first, end).includes(1)) return
  for (let step = 0; step < end - first; step += 1) pairs[gap.from + step] = first + step
}
