import { isBlank } from '#contract/yard-file/data-rows.ts'
import { ebayFolder } from '#contract/yard-file/ebay-layout.ts'
import type { DataRow } from './table-records.ts'

/** Rows of an eBay file, those of a part's vehicles and variations folded; rows keep their numbers. */
export function ebayRows(header: readonly string[], firstRow: number) {
  let folder = ebayFolder(header, firstRow)

  /** As many rows come back as went in: each gets the number that it had. */
  async function* fold(rows: AsyncGenerator<DataRow[]>): AsyncGenerator<DataRow[]> {
    folder = ebayFolder(header, firstRow)
    const waiting: DataRow[] = []
    const take = (folded: readonly string[][]): DataRow[] =>
      folded.flatMap((cells): DataRow[] => {
        const sent = waiting.shift()
        if (!sent) throw new Error('more rows were folded than there are')
        // What could not be told apart is shown as it is.
        if (sent.problem) return [sent]
        return isBlank(cells) ? [] : [{ row: sent.row, cells }]
      })
    for await (const batch of rows) {
      waiting.push(...batch)
      yield take(folder.push(batch.map(({ cells }) => cells)))
    }
    yield take(folder.finish())
  }
  return { header: folder.header, fold, notes: () => folder.notes() }
}
