import type { ImportField } from '#contract/import-fields.ts'
import type { Fields } from '#server/features/staging/staged-fields.ts'

/** The text of a staged record's target fields. */
export type StagedText = Partial<Record<ImportField, string>>

/** The text of a row in the fields that its file has; what is empty in the row is ''. */
export function textOfRow(fields: Fields, ofFile: readonly ImportField[]): StagedText {
  const text: StagedText = {}
  for (const field of ofFile) {
    const value = fields[field]
    text[field] = value === undefined || value === null ? '' : String(value).trim()
  }
  return text
}
