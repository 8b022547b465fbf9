import { findColumn, headerProblem, nameColumns } from '#contract/csv-header.ts'
import {
  type ImportField,
  type ImportMapping,
  importFieldLabels,
  importFields,
} from '#contract/import-fields.ts'
import { refuseFile } from './file-refusal.ts'

const MOST_SHOWN = 12

/**
 * The names of a file's columns, all different, from its first record.
 * @throws AppError VALIDATION_FAILED where it cannot be a header
 */
export function readHeader(cells: readonly string[]): string[] {
  const problem = headerProblem(cells)
  if (problem !== undefined) throw refuseFile(problem)
  return nameColumns(cells)
}

/** Whether a record is the header again, as every chunk of a file may begin with it. */
function repeatsHeader(cells: readonly string[], header: readonly string[]): boolean {
  if (cells.length !== header.length) return false
  return nameColumns(cells).every((name, at) => name === header[at])
}

/** Whether a record names columns, and others than these or in another order: no row of a part says so often "Price". */
export function isOtherHeader(cells: readonly string[], header: readonly string[]): boolean {
  const names = cells.map((cell) => cell.trim()).filter((name) => name !== '')
  // A record may have millions of cells.
  const columns = new Set(header)
  const known = names.filter((name) => columns.has(name))
  return known.length > 1 && 2 * known.length >= names.length && !repeatsHeader(cells, header)
}

/**
 * Where each mapped field stands in the file.
 * @throws AppError VALIDATION_FAILED, listing the columns that the mapping names and the file lacks
 */
export function resolveColumns(header: readonly string[], mapping: ImportMapping): Map<ImportField, number> {
  const columns = new Map<ImportField, number>()
  const missing: string[] = []
  for (const field of importFields) {
    const name = mapping[field]
    if (name === undefined) continue
    const at = findColumn(header, name)
    if (at === -1) missing.push(`“${name}” (${importFieldLabels[field]})`)
    else columns.set(field, at)
  }
  if (missing.length === 0) return columns
  const shown = header.slice(0, MOST_SHOWN).map((name) => `“${name.slice(0, 60)}”`)
  const more = header.length > MOST_SHOWN ? ', …' : ''
  throw refuseFile(
    `The mapping names ${missing.length === 1 ? 'a column' : 'columns'} that the file does not have: ${missing.join(', ')}. The file’s columns are ${shown.join(', ')}${more}.`,
  )
}
