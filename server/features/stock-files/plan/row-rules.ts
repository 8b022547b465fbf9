import {
  type ImportField,
  importFieldLabels,
  importFields,
  requiredImportFields,
  vehicleImportFields,
} from '#contract/csv/import-fields.ts'
import { cleanFields, type ListingField, type ListingKind } from '#contract/listing/listing-fields.ts'
import {
  checkListing,
  fieldLabels,
  type ListingProblem,
  type ListingText,
  LONGEST_LOOKUP_NAME,
} from '#contract/listing/listing-rules.ts'
import { restrictionsOf } from '#contract/listing/restricted-parts.ts'
import { plainDescription } from '#contract/text/description.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import {
  changesRestriction,
  findStandings,
  loadRecalls,
} from '#server/features/market/listings/restricted.ts'
import type { LookupNames } from '#server/features/market/lookups/lookup-names.ts'
import { findProfanity } from '#server/features/market/writing/profanity.ts'
import {
  changesListing,
  editsOfRow,
  type FoundPart,
  isListed,
  type ListedPart,
  newNamesOf,
  type StagedText,
  standardText,
  textOfRow,
} from '#server/features/stock-files/identity/listed-part.ts'
import { LEFT_OUT, openMatchers, RowResolver } from '#server/features/stock-files/match/row-resolver.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * Every rule that decides whether a row may go live. A plan applies them to the rows of its file, and a dry run to the same
 * rows before they are stored, so that the dry run predicts exactly what the import does.
 */

export type RowRules = {
  readonly year: number
  readonly names: LookupNames
  /** Fields that the file's records may have. */
  readonly ofFile: readonly ImportField[]
  /** Rows with an unsure or new name wait for the seller. */
  readonly holds: boolean
  /** If rows don't wait: the text with unknown names replaced by their meaning, if that is certain. */
  readonly withSureNames: SureNames | undefined
  /** What is missing to sell a restricted part; undefined if nothing is. */
  readonly restriction: (text: ListingText, category: string | undefined) => Refusal | undefined
}

type Refusal = {
  readonly problem: string
  readonly field?: string
  readonly changes: false
  /** The seller answered that such rows are left out, so nothing is to be mended. */
  readonly isAnswered?: boolean
}

/** Loads what the rules need to know of the seller. */
export async function openRowRules(
  db: Db,
  { sellerId, ...rules }: Omit<RowRules, 'restriction' | 'withSureNames'> & { readonly sellerId: string },
): Promise<RowRules> {
  const standing = (await findStandings(db, [sellerId])).get(sellerId) ?? { license: false, certified: false }
  const recallOf = await loadRecalls(db)
  const restriction: RowRules['restriction'] = (text, category) => {
    const found = restrictionsOf({ ...text, category }, standing, recallOf(text.partnum))
    const [first] = found
    return first && refused(found.map(({ sentence }) => sentence).join(' '), first.field)
  }
  return { ...rules, restriction, withSureNames: rules.holds ? undefined : await openSureNames(db) }
}

export type SureNames = (text: StagedText, names: LookupNames) => StagedText

/**
 * If nobody is asked about names, as in an administrator's promotion, a new name is created only if no match is
 * certain. The record keeps its original word.
 */
export async function openSureNames(db: Db): Promise<SureNames> {
  const resolver = new RowResolver(await openMatchers(db), { isEdited: true })
  return (text, names) => {
    const { category, manufacturer, model } = newNamesOf(text, names)
    if (category === undefined && manufacturer === undefined && model === undefined) return text
    const changes = resolver.resolve((field) => (field === 'waitsfor' ? undefined : text[field]))
    const meant = SURE_FIELDS.flatMap((field) => (changes?.[field] ? [[field, changes[field]]] : []))
    return { ...text, ...Object.fromEntries(meant) }
  }
}

const SURE_FIELDS = ['partcategory', 'partmanu', 'partmodel', 'parttrim', 'bodystyle'] as const

/**
 * The text of a row that may go live, and whether it waits for the seller's answer about a name first; or why it is left
 * out, with the field if it is one. `changes`: whether a row that names its listing changes it.
 */
export type RowOutcome =
  | { readonly text: StagedText; readonly waits: boolean; readonly changes: boolean }
  | Refusal

const refused = (problem: string, field?: string): Refusal => ({
  problem,
  changes: false,
  ...(field && { field }),
})

/** A row that names no listing, with its names resolved. */
export function outcomeOfNewRow(fields: Fields, rules: RowRules): RowOutcome {
  const leftOut = leftOutByAnswer(fields)
  if (leftOut) return leftOut
  const read = readStagedText(fields, rules.year, rules.names)
  if (typeof read === 'string') return refused(read)
  const text = rules.withSureNames?.(read, rules.names) ?? read
  const { partcategory } = text
  const isKnown = partcategory !== undefined && rules.names.category(partcategory) !== undefined
  if (rules.holds && (fields.waitsfor || !isKnown)) return { text, waits: true, changes: false }
  // Nobody would find a listing without a category.
  if (partcategory === undefined)
    return refused(`${importFieldLabels.partcategory} is missing`, 'partcategory')
  return rules.restriction(text, partcategory) ?? { text, waits: false, changes: false }
}

function leftOutByAnswer({ waitsfor }: Fields): Refusal | undefined {
  if (typeof waitsfor !== 'string' || !waitsfor.startsWith(LEFT_OUT)) return undefined
  const problem = `Parts named “${waitsfor.slice(LEFT_OUT.length)}” are left out, as you answered`
  return { problem, changes: false, isAnswered: true }
}

/** A row that names its listing, with its names resolved. The text is what differs from the listing. */
export function outcomeOfNamedRow(
  fields: Fields,
  part: FoundPart | undefined,
  { year, names, ofFile, holds, restriction, withSureNames }: RowRules,
): RowOutcome {
  if (!part || !isListed(part)) return refused('its listing no longer exists')
  const leftOut = leftOutByAnswer(fields)
  if (leftOut) return leftOut
  const read = readStagedEdits(fields, part, { ofFile, year, names })
  if (typeof read === 'string') return refused(read)
  const text = withSureNames?.(read, names) ?? read
  const changes = changesListing(part, text, names)
  const changesNames = NAMED_FIELDS.some((field) => text[field] !== undefined)
  if (holds && changesNames && fields.waitsfor) return { text, waits: true, changes }
  // As in the forms: an old listing's price can still be corrected.
  const isRestricting = changesRestriction(listingText(text))
  const edited = isRestricting ? { ...standardText(part), ...text } : undefined
  return (edited && restriction(edited, edited.partcategory)) ?? { text, waits: false, changes }
}

const NAMED_FIELDS = ['partcategory', 'partmanu', 'partmodel'] as const

/**
 * Reads and rechecks a staged record: a user or a script may have changed it since the import, and rules and years change.
 * Empty fields are left out. Returns an error message if it cannot go live.
 */
export function readStagedText(
  fields: Fields,
  year: number,
  names?: Pick<LookupNames, 'category'>,
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const needsVehicle = !isUniversal(text.partcategory, names) && !waitsForCategory(fields)
  const missing = requiredImportFields.find(
    (field) => text[field] === undefined && (needsVehicle || !vehicleImportFields.has(field)),
  )
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(text, { kind: 'ecommerce', year }) ?? text
}

const isUniversal = (
  category: string | null | undefined,
  names: Pick<LookupNames, 'category'> | undefined,
): boolean => Boolean(category && names?.category(category)?.universal)

/** Until the seller explains it, the part may be one without a vehicle, so the reader accepted it. */
const waitsForCategory = ({ waitsfor }: Fields): boolean =>
  typeof waitsfor === 'string' && waitsfor.includes('category')

/**
 * Like `readStagedText`, for a row that names its listing: only what differs from the listing is checked, as an edit of
 * it. Fields that are empty in the row are ''.
 */
function readStagedEdits(
  fields: Fields,
  part: ListedPart,
  { ofFile, year, names }: Pick<RowRules, 'ofFile' | 'year' | 'names'>,
): StagedText | string {
  const text = readTexts(fields)
  if (typeof text === 'string') return text
  const edits = editsOfRow(textOfRow(text, ofFile), part)
  const needsVehicle = !isUniversal(edits.partcategory ?? part.categoryName, names)
  // A tire without a vehicle that becomes an alternator needs one.
  const checked = edits.partcategory === undefined ? edits : { ...standardText(part), ...edits }
  const missing = [...requiredImportFields, 'partcategory' as const].find(
    (field) => checked[field] === '' && (needsVehicle || !vehicleImportFields.has(field)),
  )
  if (missing) return `${importFieldLabels[missing]} is missing`
  return findProblem(edits, { kind: part.listing.kind as ListingKind, year }) ?? edits
}

const known: ReadonlySet<string> = new Set(importFields)

/** Whether a record is as the importer wrote it: only known fields, with non-empty, trimmed text. */
function isPlain(fields: Fields): fields is StagedText {
  return Object.keys(fields).every((field) => {
    const value = fields[field]
    if (typeof value !== 'string' || value === '' || !known.has(field) || plainText(value) !== value)
      return false
    return field !== 'partdescription' || plainDescription(value) === value
  })
}

function readTexts(fields: Fields): StagedText | string {
  // True for nearly every row; copying would be most of the cost.
  if (isPlain(fields)) return fields
  const text: StagedText = {}
  for (const field of importFields) {
    const value = fields[field]
    if (value === undefined || value === null || value === '') continue
    const read = plainText(value)
    if (read === undefined)
      return `${importFieldLabels[field]} contains a value that cannot be stored as text`
    const words = field === 'partdescription' ? plainDescription(read) : read
    if (words !== '') text[field] = words
  }
  return text
}

/** Under the names of the listing rules, which ignore fields they do not know, such as imageUrl and listingid. */
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
    return `${importFieldLabels.partcategory} can have at most ${LONGEST_LOOKUP_NAME} characters`
  const listing = listingText(text)
  const problem = checkListing(kind, listing, { mode: 'edit', year, fromFile: true })
  if (problem) return problemMessage(problem, text)
  const word = cleanFields
    .map((field) => findProfanity(listing[field] ?? ''))
    .find((found) => found !== undefined)
  return word === undefined ? undefined : `Please remove inappropriate language (${word}).`
}

// Enough to find it in the file.
const MAX_QUOTED = 40

/** The first problem, with its field and value unless the message names them. */
function problemMessage({ error, fields }: ListingProblem, text: ListingText): string {
  const [first] = Object.entries(fields) as [ListingField, string][]
  if (!first) return error
  const [field, message] = first
  const label = fieldLabels[field]
  if (message.startsWith(label)) return message
  return `${label} “${(text[field] ?? '').slice(0, MAX_QUOTED)}”: ${message}`
}
