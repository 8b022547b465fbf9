import { standardColumns } from '#contract/column-mapping/shipped-templates.ts'
import { csvLine, withoutFormulaGuard } from '#contract/csv/csv-cell.ts'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import type { ApiClient } from './api-client.ts'

/* A seller's export as spreadsheets read and write it. */

export type ExportedRow = Record<string, string>

export const standardMapping: ImportMapping = Object.fromEntries(
  standardColumns.map((field) => [field, field]),
)

export async function exportParts(
  api: Pick<ApiClient, 'get'>,
): Promise<{ text: string; rows: ExportedRow[] }> {
  const { status, bytes } = await api.get('/seller/parts.csv')
  if (status !== 200) throw new Error(`The export answered ${status}`)
  const text = bytes.toString()
  const [head = [], ...rows] = readCsv(text)
  return {
    text,
    rows: rows.map((cells) =>
      Object.fromEntries(head.map((name, at) => [name, withoutFormulaGuard(cells[at] ?? '')])),
    ),
  }
}

/** Rows as our own files have them. */
export const standardCsv = (rows: readonly ExportedRow[]): string =>
  [standardColumns, ...rows.map((row) => standardColumns.map((field) => row[field] ?? ''))]
    .map((cells) => csvLine(cells))
    .join('')

/** RFC 4180, as a spreadsheet reads it. */
export function readCsv(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/g)) {
    rows.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end !== ',') rows.push([])
  }
  return rows.filter((cells) => cells.length > 1)
}
