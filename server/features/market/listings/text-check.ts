import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import { checkListing, type ListingText, pictureMissing } from '#contract/listing/listing-rules.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import { AppError } from '#server/platform/errors.ts'

type Check = {
  mode: 'create' | 'edit'
  now: Date
  pictureMissing?: boolean
  /** What the listing has so far (`storedTerms`). */
  stored?: ListingText
  /** Whether its category needs no vehicle. */
  universal?: boolean | undefined
}

export type TextProblem = { error: string; fields: Record<string, string> }

/**
 * Applies every rule for a listing's text, for the form, the API and imports.
 * @throws AppError VALIDATION_FAILED with the spec's sentence and one for each field
 */
export function checkText(kind: ListingKind, text: ListingText, check: Check): void {
  const problem = findTextProblem(kind, text, check)
  if (problem) throw new AppError('VALIDATION_FAILED', problem.error, { fields: problem.fields })
}

/** The same for bulk work: returns the problem instead of throwing. */
export function findTextProblem(kind: ListingKind, text: ListingText, check: Check): TextProblem | undefined {
  const { mode, stored, universal } = check
  const problem = checkListing(kind, text, { mode, year: check.now.getUTCFullYear(), stored, universal })
  const fields: Record<string, string> = { ...problem?.fields }
  let error = problem?.error
  // Text that is too long is rejected for that alone, without the cost of the word check.
  const profane = fields.partname || fields.partdescription ? undefined : findProfaneField(text)
  if (profane) {
    const sentence = `Please remove inappropriate language (${profane.word}).`
    fields[profane.field] = sentence
    error ??= sentence
  }
  if (check.pictureMissing) {
    fields.image = pictureMissing
    error = error === undefined ? fields.image : error
  }
  return error === undefined ? undefined : { error, fields }
}

function findProfaneField(text: ListingText): { field: ListingField; word: string } | undefined {
  for (const field of cleanFields) {
    const word = findProfanity(text[field] ?? '')
    if (word !== undefined) return { field, word }
  }
  return undefined
}
