import type { Fields } from './staged-fields.ts'
import { isStorable } from './stored-value.ts'

/** The rows of a text that somebody edited, ready to be compared with those of the version before. */
export type EditedRows = {
  /** Names of all their fields. */
  readonly columns: readonly string[]
  readonly count: number
  /** The same text for a record of the version before and a row of the text that say the same. */
  keyOf(before: Fields): string
  keyAt(place: number): string
  /** The fields of a row, where it comes from a record with what was there before. */
  fieldsAt(place: number, before: Fields | undefined): Fields
}

// What is edited as one text is at most 8 MB; beyond these it is no table of parts.
export const MOST_EDITED_ROWS = 100_000
export const MOST_COLUMNS = 500
const LONGEST_NAME = 200

export const tooManyRows = `A file that is saved as a whole has at most ${MOST_EDITED_ROWS} rows.`
export const tooManyColumns = `A file has at most ${MOST_COLUMNS} different fields.`

/** What is wrong with the name of a field, as the rest of a sentence. */
export function nameProblem(name: string): string | undefined {
  if (name.trim() === '') return 'has no name'
  if (name.length > LONGEST_NAME) return `has a name of more than ${LONGEST_NAME} signs`
  return isStorable(name) ? undefined : 'has a sign in its name that cannot be stored'
}
