import { createReadStream, openAsBlob } from 'node:fs'
import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import { type ImportField, type ImportMapping, importFields } from '#contract/csv/import-fields.ts'
import { sampledDecimals } from '#contract/yard-file/decimals.ts'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { compileRowCheck, type RowFields } from '#server/features/stock-files/read/check-row.ts'
import { openTable, type TableSource } from '#server/features/stock-files/table/open-table.ts'
import { yardMapping } from '#tests/support/yard-file.ts'

/* A file as an import reads it, on the server: every row, and every check of it. */

const SAMPLE_ROWS = 200

export const openFile = (path: string): Promise<TableSource> =>
  openTable({ open: () => createReadStream(path), blob: () => openAsBlob(path) })

type OnRow = (row: number, fields: RowFields) => void

/** A file in standard form, whose columns are known. */
export async function readYardFile(path: string): Promise<number> {
  const source = await openFile(path)
  return checkRows(source, { mapping: yardMapping })
}

/** A file of which nothing is known: how it is written and what its columns are is detected first. */
export async function readMessy(path: string, known: Dictionary, onRow?: OnRow): Promise<number> {
  const source = await openFile(path)
  const { header } = source
  const sample = await sampleRows(source)
  const mapping = suggestMapping(header, sample, known)
  return checkRows(source, { mapping, decimals: sampledDecimals({ header, rows: sample }, mapping) }, onRow)
}

type RowCheck = Parameters<typeof compileRowCheck>[0]

async function checkRows(
  { header, batches }: TableSource,
  how: Pick<RowCheck, 'mapping' | 'decimals'>,
  onRow?: OnRow,
): Promise<number> {
  const check = compileRowCheck({ header, defaults: {}, year: new Date().getUTCFullYear(), ...how })
  let rows = 0
  for await (const batch of batches) {
    for (const { cells, row, problem } of batch) {
      const checked = check(cells, problem)
      if ('issues' in checked) throw new Error(`Row ${row}: ${checked.issues[0]?.message}`)
      onRow?.(row, checked.fields)
      rows += 1
    }
  }
  return rows
}

export function knownNames(): Dictionary {
  const vehicles = readVehicles()
  const lower = (names: string[]) => new Set(names.map((name) => name.toLowerCase()))
  return {
    manufacturers: lower(vehicles.map(({ manufacturer }) => manufacturer)),
    models: lower(vehicles.map(({ model }) => model)),
    categories: lower(readPartTypes().map(({ name }) => name)),
  }
}

export async function sampleRows({ batches }: TableSource): Promise<string[][]> {
  const rows: string[][] = []
  for await (const batch of batches) {
    for (const { cells } of batch) rows.push([...cells])
    if (rows.length >= SAMPLE_ROWS) break
  }
  return rows.slice(0, SAMPLE_ROWS)
}

export function suggestMapping(
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
