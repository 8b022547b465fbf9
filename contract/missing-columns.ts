import { findColumn } from './csv-header.ts'
import { type ImportField, type ImportMapping, importFields } from './import-fields.ts'

/** The fields of a mapping whose column the file does not have, with that column's name. */
export function missingColumns(
  mapping: ImportMapping,
  headers: readonly string[],
): { field: ImportField; header: string }[] {
  return importFields.flatMap((field) => {
    const header = mapping[field]
    return header === undefined || findColumn(headers, header) !== -1 ? [] : [{ field, header }]
  })
}
