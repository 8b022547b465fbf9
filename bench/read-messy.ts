import { createReadStream, openAsBlob } from 'node:fs'
import { basename } from 'node:path'
import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import { type ImportField, type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import { sampledDecimals } from '#contract/yard-file/decimals.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { compileRowCheck, type RowFields } from '#server/features/stock-files/read/check-row.ts'
import { openTable, type TableSource } from '#server/features/stock-files/read/open-table.ts'
import { readImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/read-import-file.ts'

export const openFile = (path: string): Promise<TableSource> =>
  openTable({ open: () => createReadStream(path), blob: () => openAsBlob(path) })

const SAMPLE_ROWS = 200

export function knownNames(): Dictionary {
  const vehicles = readVehicles()
  const lower = (names: string[]) => new Set(names.map((name) => name.toLowerCase()))
  return {
    manufacturers: lower(vehicles.map(({ manufacturer }) => manufacturer)),
    models: lower(vehicles.map(({ model }) => model)),
    categories: lower(readPartTypes().map(({ name }) => name)),
  }
}

export async function sampleRows(source: TableSource): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of source.batches) {
    for (const { cells } of batch) rows.push([...cells])
    if (rows.length >= SAMPLE_ROWS) break
  }
  return rows.slice(0, SAMPLE_ROWS)
}

export function mappingOf(
  header: readonly string[],
  rows: readonly string[][],
  known: Dictionary,
): ImportMapping {
  const suggested = suggestColumns(header, rows, known)
  const columns = importFields.flatMap((field): [ImportField, string][] => {
    const column = suggested[field]
    return column ? [[field, column.header]] : []
  })
  return Object.fromEntries(columns)
}

export type Checked = (row: number, fields: RowFields) => void

/** A file of which nothing is known: how it is read, what its columns are, and every check of its rows. */
export async function readMessy(path: string, known: Dictionary, onRow?: Checked): Promise<number> {
  const source = await openFile(path)
  const { header } = source
  const sample = await sampleRows(source)
  const mapping = mappingOf(header, sample, known)
  const decimals = sampledDecimals({ header, rows: sample }, mapping)
  const year = new Date().getUTCFullYear()
  const check = compileRowCheck({ header, mapping, defaults: {}, year, decimals })
  let rows = 0
  for await (const batch of source.batches) {
    for (const { cells, row, problem } of batch) {
      const checked = check(cells, problem)
      if ('issues' in checked) throw new Error(`Row ${row}: ${checked.issues[0]?.message}`)
      onRow?.(row, checked.fields)
      rows += 1
    }
  }
  return rows
}

/** What the browser does with a file that is dropped: all of it is read once. */
export async function readAsBrowser(path: string): Promise<number> {
  const file = new File([await openAsBlob(path)], basename(path))
  const { records } = await readImportFile(file, {})
  return records
}
