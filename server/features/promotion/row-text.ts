import type { ImportField } from '#contract/import-fields.ts'
import type { Fields } from '#server/features/staging/staged-fields.ts'

/** The text of a staged record's target fields. */
export type StagedText = Partial<Record<ImportField, string>>

// What scripts and people write, and what a part is found by: a yard's file without them does not take them away.
const lasting: ReadonlySet<ImportField> = new Set(['partdescription', 'h1', 'stocknum'])

/**
 * The text of a row in the fields that its file has. What is empty in the row is '', and empties its listing's field; but
 * an empty description, heading or stock number says nothing.
 */
export function textOfRow(fields: Fields, ofFile: readonly ImportField[]): StagedText {
  const text: StagedText = {}
  for (const field of ofFile) {
    const value = fields[field]
    const said = value === undefined || value === null ? '' : String(value).trim()
    if (said !== '' || !lasting.has(field)) text[field] = said
  }
  return text
}
