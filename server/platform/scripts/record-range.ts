/** The flags by which every script that works on records says which of them. */
export type RangeFlags = {
  readonly test?: boolean | undefined
  readonly start?: number | undefined
  readonly end?: number | undefined
  readonly limit?: number | undefined
}

/** Records `from` to before `to`, counted from 0 in the script's own order. */
export type RecordRange = { readonly from: number; readonly to: number; readonly count: number }

const TEST_RECORDS = 3

/**
 * The records that a script works on: from `start` (the first is 0) to before `end`, at most `limit` of them, and only
 * the first 3 of those in a test. What lies behind the last record is left out.
 */
export function recordRange({ test, start, end, limit }: RangeFlags, total: number): RecordRange {
  const from = Math.min(start ?? 0, total)
  const most = Math.min(limit ?? total, test ? TEST_RECORDS : total)
  const to = Math.max(from, Math.min(end ?? total, from + most, total))
  return { from, to, count: to - from }
}
