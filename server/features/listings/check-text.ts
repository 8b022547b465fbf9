import {
  checkListing,
  type ListingField,
  type ListingKind,
  type ListingText,
} from '#contract/listing-rules.ts'
import { pictureMissing } from '#contract/picture-rules.ts'
import { AppError } from '#server/platform/errors.ts'
import { findProfanity } from './profanity.ts'

type Check = { mode: 'create' | 'edit'; now: Date; pictureMissing?: boolean }

export type TextProblem = { error: string; fields: Record<string, string> }

/**
 * Every rule of a listing's text, on every way in (form, API, import).
 * @throws AppError VALIDATION_FAILED with the spec's sentence and one for each field
 */
export function checkText(kind: ListingKind, text: ListingText, check: Check): void {
  const problem = findTextProblem(kind, text, check)
  if (problem) throw new AppError('VALIDATION_FAILED', problem.error, { fields: problem.fields })
}

/** The same for many listings at once, where what is wrong with one is no reason to stop. */
export function findTextProblem(kind: ListingKind, text: ListingText, check: Check): TextProblem | undefined {
  const problem = checkListing(kind, text, { mode: check.mode, year: check.now.getUTCFullYear() })
  const fields: Record<string, string> = { ...problem?.fields }
  let error = problem?.error
  // A text that is too long is refused for that; nobody's time is spent on its words.
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
  for (const field of ['partname', 'partdescription', 'h1'] as const) {
    const word = findProfanity(text[field] ?? '')
    if (word !== undefined) return { field, word }
  }
  return undefined
}
