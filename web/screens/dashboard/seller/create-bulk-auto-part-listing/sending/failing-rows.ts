import type { RowIssue } from '#contract/imports.ts'

/** A row of the file with what is wrong with it. */
export type FailingRow = { row: number; issues: RowIssue[] }

/** All failing rows of a file in its order; what is wrong with them lies outside the script's memory. */
export type FailingRows = {
  /** As Excel numbers them. */
  numbers: Uint32Array
  /** Those from one place in `numbers` to before another. */
  read: (from: number, to: number) => Promise<FailingRow[]>
}

type Chunk = { numbers: Uint32Array; issues: Blob }

/** A blob lies outside the script's memory: a million wrong rows are a file, not a list. */
export function failingRowsCollector() {
  const chunks = new Map<number, Chunk>()
  return {
    /** The failing rows of one chunk, in the order of the file. */
    add(index: number, rows: readonly FailingRow[]): void {
      chunks.set(index, {
        numbers: Uint32Array.from(rows, ({ row }) => row),
        issues: new Blob([JSON.stringify(rows.map(({ issues }) => issues))]),
      })
    },
    rows(): FailingRows {
      const inOrder = [...chunks].toSorted(([one], [other]) => one - other).map(([, chunk]) => chunk)
      return { numbers: joined(inOrder), read: (from, to) => readRows(inOrder, from, to) }
    },
  }
}

function joined(chunks: readonly Chunk[]): Uint32Array {
  const all = new Uint32Array(chunks.reduce((sum, { numbers }) => sum + numbers.length, 0))
  let at = 0
  for (const { numbers } of chunks) {
    all.set(numbers, at)
    at += numbers.length
  }
  return all
}

async function readRows(chunks: readonly Chunk[], from: number, to: number): Promise<FailingRow[]> {
  const found: FailingRow[] = []
  let begin = 0
  for (const { numbers, issues } of chunks) {
    if (begin >= to) break
    const end = begin + numbers.length
    if (end > from) {
      const all = JSON.parse(await issues.text()) as RowIssue[][]
      for (let at = Math.max(from, begin); at < Math.min(to, end); at++) {
        found.push({ row: numbers[at - begin] ?? 0, issues: all[at - begin] ?? [] })
      }
    }
    begin = end
  }
  return found
}

/** As many as a chunk may have, so that few are parsed twice. */
const AT_ONCE = 5_000

/** One after the other; few of them in memory. */
export async function* eachFailingRow({ numbers, read }: FailingRows): AsyncGenerator<FailingRow, undefined> {
  for (let from = 0; from < numbers.length; from += AT_ONCE) yield* await read(from, from + AT_ONCE)
}
