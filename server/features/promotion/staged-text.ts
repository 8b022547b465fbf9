import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/import-fields.ts'
import {
  checkListing,
  fieldLabels,
  type ListingField,
  type ListingKind,
  type ListingProblem,
  type ListingText,
  LONGEST_LOOKUP_NAME,
} from '#contract/listing-rules.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { findProfanity } from '#server/features/listings/profanity.ts'
import type { Fields } from '#server/features/staging/staged-fields.ts'
import { type ListedPart, newsOfRow } from './listed-part.ts'
import { type StagedText, textOfRow } from './row-text.ts'

/**
 * Reads a staged record and checks it once more: a person or a script may have changed it since it was imported, and
 * rules and years move on. What is absent or empty is left out. Answers a sentence for what cannot go live.
 */
export function readStagedText(fields: Fields, year: number): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const missing = requiredImportFields.find((field) => text[field] === undefined)
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(text, { kind: 'ecommerce', year }) ?? text
}

/**
 * As `readStagedText`, of a row that names its listing: only what the listing does not say itself is checked, as an edit
 * of it. What is empty in the row is ''.
 */
export function readStagedNews(
  fields: Fields,
  part: ListedPart,
  { ofFile, year }: { ofFile: readonly ImportField[]; year: number },
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const news = newsOfRow(textOfRow(text, ofFile), part)
  const missing = requiredImportFields.find((field) => news[field] === '')
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(news, { kind: part.listing.kind as ListingKind, year }) ?? news
}

const known: ReadonlySet<string> = new Set(importFields)

/** Whether a record is as the importer wrote it: its fields alone, and texts that need nothing done to them. */
function isPlain(fields: Fields): fields is StagedText {
  return Object.keys(fields).every((field) => {
    const value = fields[field]
    return typeof value === 'string' && value !== '' && known.has(field) && plainText(value) === value
  })
}

function readTexts(fields: Fields): StagedText | string {
  // Nearly every row; a copy of it would be most of what this costs.
  if (isPlain(fields)) return fields
  const text: StagedText = {}
  for (const field of importFields) {
    const value = fields[field]
    if (value === undefined || value === null || value === '') continue
    const read = plainText(value)
    if (read === undefined) return `${importFieldLabels[field]} holds what cannot be stored as text`
    if (read !== '') text[field] = read
  }
  return text
}

/** In the words of a listing's rules, which pass over what they do not know: the picture's address, the listing's id. */
function listingText(text: StagedText): ListingText {
  const listing: ListingText = { ...text }
  if (text.partcategory !== undefined) listing.partcategoryId = text.partcategory
  if (text.partmanu !== undefined) listing.partmanuname = text.partmanu
  return listing
}

function plainText(value: JsonValue): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string' || !value.isWellFormed() || value.includes('\0')) return undefined
  return value.trim()
}

function findProblem(
  text: StagedText,
  { kind, year }: { kind: ListingKind; year: number },
): string | undefined {
  if ((text.partcategory?.length ?? 0) > LONGEST_LOOKUP_NAME)
    return `${importFieldLabels.partcategory} has at most ${LONGEST_LOOKUP_NAME} characters`
  const problem = checkListing(kind, listingText(text), { mode: 'edit', year })
  if (problem) return inWords(problem, text)
  const word = [text.partname, text.partdescription, text.h1]
    .map((said) => findProfanity(said ?? ''))
    .find((found) => found !== undefined)
  return word === undefined ? undefined : `Please remove inappropriate language (${word}).`
}

// Enough to find it in the file.
const MOST_QUOTED = 40

/** The first problem, with its field and what stands there, where the sentence has not named them. */
function inWords({ error, fields }: ListingProblem, text: ListingText): string {
  const [first] = Object.entries(fields) as [ListingField, string][]
  if (!first) return error
  const [field, sentence] = first
  const label = fieldLabels[field]
  if (sentence.startsWith(label)) return sentence
  return `${label} “${(text[field] ?? '').slice(0, MOST_QUOTED)}”: ${sentence}`
}
