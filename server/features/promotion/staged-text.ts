import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/import-fields.ts'
import {
  checkListing,
  type ListingField,
  type ListingText,
  LONGEST_LOOKUP_NAME,
} from '#contract/listing-rules.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { findProfanity } from '#server/features/listings/profanity.ts'

/** The text of a staged record's target fields; what is absent or empty is left out. */
export type StagedText = Partial<Record<ImportField, string>>

/**
 * Reads a staged record and checks it once more: a person or a script may have changed it since it was imported, and
 * rules and years move on. Answers a sentence for what cannot go live.
 */
export function readStagedText(
  fields: Readonly<Record<string, JsonValue>>,
  year: number,
): StagedText | string {
  const text: StagedText = {}
  const listing: ListingText = {}
  for (const field of importFields) {
    const value = fields[field]
    if (value === undefined || value === null || value === '') continue
    const read = plainText(value)
    if (read === undefined) return `${importFieldLabels[field]} holds what cannot be stored as text`
    if (read === '') continue
    text[field] = read
    const name = listingField(field)
    if (name) listing[name] = read
  }
  return findProblem(text, listing, year) ?? text
}

/** What a listing's rules call the field; the picture's address and the listing's id are no text of a listing. */
function listingField(field: ImportField): ListingField | undefined {
  if (field === 'imageUrl' || field === 'listingid') return undefined
  if (field === 'partcategory') return 'partcategoryId'
  return field === 'partmanu' ? 'partmanuname' : field
}

function plainText(value: JsonValue): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return undefined
  return value.trim()
}

function findProblem(text: StagedText, listing: ListingText, year: number): string | undefined {
  for (const field of requiredImportFields) {
    if (text[field] === undefined) return `${importFieldLabels[field]} is missing`
  }
  if ((text.partcategory?.length ?? 0) > LONGEST_LOOKUP_NAME)
    return `${importFieldLabels.partcategory} has at most ${LONGEST_LOOKUP_NAME} characters`
  const problem = checkListing('ecommerce', listing, { mode: 'edit', year })
  if (problem) return `${Object.values(problem.fields)[0] ?? problem.error}`
  const word = [text.partname, text.partdescription, text.h1]
    .map((said) => findProfanity(said ?? ''))
    .find((found) => found !== undefined)
  return word === undefined ? undefined : `Please remove inappropriate language (${word}).`
}
