import { largeWorkbook } from './workbook-zip.ts'

/*
 * Cells of a sheet that are merged down several rows, such as one vehicle next to its parts: Excel stores their value
 * only in the first row, but it applies to the rows below as well.
 */

/** A value that rows share, in one column; both rows count from 1 and are included, the column counts from 0. */
export type MergedCells = { readonly column: number; readonly top: number; readonly bottom: number }

const MERGED = /<(?:\w+:)?mergeCell\b[^>]*?\bref="([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})"/g
// An element has about fifty characters, and may be split across two pieces.
const LONGEST_ELEMENT = 300
// A sheet with more merged cells than this is not a parts list.
const MAX_MERGED = 200_000

/** Reads the cells that a sheet merges down, in row order. They are listed after the rows, so pass the whole sheet. */
export async function readMergedCells(texts: AsyncIterable<string>): Promise<MergedCells[]> {
  const merged: MergedCells[] = []
  let rest = ''
  for await (const piece of texts) {
    const text = rest + piece
    // Most pieces have none, and searching a word is ten times as fast as a pattern.
    const { found, end } = text.includes('mergeCell') ? mergedIn(text) : { found: [], end: 0 }
    merged.push(...found)
    if (merged.length > MAX_MERGED) throw tooMany()
    rest = text.slice(Math.max(end, text.length - LONGEST_ELEMENT))
  }
  return merged.sort((one, other) => one.top - other.top)
}

/** `end`: after the last of them. */
function mergedIn(text: string): { found: MergedCells[]; end: number } {
  const elements = [...text.matchAll(MERGED)]
  const last = elements.at(-1)
  const found = elements.map(([, letters = '', top, bottom]) => ({
    column: columnOf(letters),
    top: Number(top),
    bottom: Number(bottom),
  }))
  return {
    found: found.filter(({ top, bottom }) => bottom > top),
    end: last ? last.index + last[0].length : 0,
  }
}

const columnOf = (letters: string) =>
  [...letters].reduce((column, letter) => 26 * column + letter.charCodeAt(0) - 64, 0) - 1

const tooMany = () =>
  largeWorkbook(
    'The sheet has more than 200,000 merged cells. Choose “Unmerge cells” for the whole sheet, save it and upload it again.',
  )

/** Repeats merged values in the rows below them. Blank rows stay blank, and a row keeps its own values. */
export async function* filledDown(
  batches: AsyncIterable<string[][]>,
  merged: readonly MergedCells[],
): AsyncGenerator<string[][]> {
  let row = 0
  let next = 0
  let open: (MergedCells & { value: string })[] = []
  const pass = (cells: string[]) => {
    row += 1
    open = open.filter(({ bottom }) => bottom >= row)
    if (cells.length > 0) for (const { column, value } of open) fill(cells, column, value)
    for (let found = merged[next]; found?.top === row; found = merged[next]) {
      open.push({ ...found, value: cells[found.column] ?? '' })
      next += 1
    }
  }
  for await (const batch of batches) {
    batch.forEach(pass)
    yield batch
  }
}

function fill(cells: string[], column: number, value: string): void {
  if (value === '' || (cells[column] ?? '') !== '') return
  while (cells.length < column) cells.push('')
  cells[column] = value
}
