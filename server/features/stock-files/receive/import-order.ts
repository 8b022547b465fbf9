import { createHash } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import type { SentAnswers } from '#contract/column-questions/questions.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importField,
} from '#contract/csv/import-fields.ts'
import { type ImportMode, importModes } from '#contract/imports.ts'
import {
  type ChosenReading,
  type CsvForm,
  chosenReading,
  type ReadingOverride,
  readingOverride,
} from '#contract/yard-file/reading.ts'
import { AppError } from '#server/platform/errors.ts'
import { objectOf, readDefaults } from './mapping.ts'

/** Where the caller wants the staged file. */
export type StagingPlace = {
  /** The folder's name, never an owner; '' for the seller's own. */
  readonly label: string
  readonly hint: string
  /** YYYY-MM-DD; null for the day it is staged. */
  readonly date: string | null
}

const LONGEST = 60

const plainName = (text: string) => slugify(text).slice(0, LONGEST).replace(/-+$/, '')

/** Parses `{sellerSlug, datasetHint, timestamp or date}`, or returns an error message. */
function readStagingPlace(sent: unknown): StagingPlace | string {
  const object = sent === undefined || sent === '' ? {} : objectOf(sent)
  if (!object) return 'Staging JSON is not valid'
  const date = readDate(object.timestamp ?? object.date)
  if (date === undefined) return 'The staging date must be a date like 2026-01-31'
  return {
    label: plainName(textOf(object.sellerSlug)),
    hint: plainName(textOf(object.datasetHint)) || 'ecomm',
    date,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.slice(0, 400) : '')

/** The day of a date or time; null if none was sent, undefined if it is not valid. */
function readDate(sent: unknown): string | null | undefined {
  if (sent === undefined || sent === null || sent === '') return null
  const time = new Date(typeof sent === 'string' || typeof sent === 'number' ? sent : Number.NaN)
  const year = time.getUTCFullYear()
  return year >= 2_000 && year < 2_100 ? time.toISOString().slice(0, 10) : undefined
}

type PlacedImport = { sellerId: string; sellerSlug: string; key: string; today: Date }

/** The staged file's path inside its root: `/{folder}/{date}/{hint}-{short key}.json`. */
export function stagingPath(place: StagingPlace, { sellerId, sellerSlug, key, today }: PlacedImport): string {
  const shortKey = createHash('sha256').update(`${sellerId}${key}`).digest('hex').slice(0, 8)
  const date = place.date ?? today.toISOString().slice(0, 10)
  return `/${place.label || sellerSlug}/${date}/${place.hint}-${shortKey}.json`
}

/** The settings of one call, except for the mapping, which may come from a template. */
export type ImportOrder = {
  /** Undefined if the caller sent none: such a call is never joined with another. */
  readonly key: string | undefined
  readonly dryRun: boolean
  readonly mode: ImportMode
  readonly chunkIndex: number
  readonly chunkCount: number
  readonly defaults: ImportDefaults
  readonly place: StagingPlace
  /** The caller's choices of how to read the file. */
  readonly reading: ReadingOverride
  /** The caller's answers to questions about columns. */
  readonly answers: SentAnswers
  /** Fields whose columns were suggested, and not confirmed by a person. */
  readonly suggested: readonly ImportField[]
  /** A person's choice of the reading, to be remembered. */
  readonly readAs?: ChosenReading | undefined
}

/** What all chunks of an import share. */
export type ImportTerms = Pick<
  ImportOrder,
  'mode' | 'chunkCount' | 'defaults' | 'place' | 'reading' | 'answers' | 'suggested' | 'readAs'
> & {
  readonly mapping: ImportMapping
  /** The template that the mapping is from. */
  readonly templateId?: string | undefined
  /** False for a single part: there is nobody to ask, so what is unsure is an error. */
  readonly asks: boolean
}

/** Maximum chunks of one import: a million rows in chunks of 100 are 10,000. */
const MAX_CHUNKS = 100_000

type Sent = { form: CsvForm; dryRun: string | undefined; headerKey: string | undefined }

/**
 * Parses the fields of a form (numbers and objects are text in it).
 * @throws AppError VALIDATION_FAILED, naming the field
 */
export function readImportOrder({ form, dryRun, headerKey }: Sent): ImportOrder {
  const place = readStagingPlace(form.staging)
  if (typeof place === 'string') throw wrongField('staging', place)
  const order = {
    key: readKey(form.idempotencyKey || headerKey),
    dryRun: readFlag('dryRun', dryRun) || readFlag('dryRun', form.dryRun),
    mode: readMode(form.mode || objectOf(form.staging)?.mode),
    ...readChunk(form),
    defaults: readDefaults(form.defaults),
    place,
    reading: readReading(form.reading),
    answers: readAnswersField(form.answers),
    suggested: readSuggested(form.suggested),
    readAs: readChosen(form.readAs),
  }
  if (order.key === undefined && order.chunkCount > 1 && !order.dryRun) {
    const sentence = 'A file in several chunks needs one idempotencyKey for all of them'
    throw wrongField('idempotencyKey', sentence)
  }
  return order
}

export function wrongField(field: string, sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}

function readKey(sent: string | undefined): string | undefined {
  const key = sent?.trim()
  if (!key) return undefined
  if (key.length <= 200) return key
  throw wrongField('idempotencyKey', 'The idempotencyKey can have at most 200 characters')
}

const YES = new Set(['1', 'true', 'yes', 'on'])
const NO = new Set(['', '0', 'false', 'no', 'off'])

/** Anything else is refused: taken as no, it would import a file that was only meant to be checked. */
function readFlag(field: string, sent: string | undefined): boolean {
  const word = (sent ?? '').trim().toLowerCase()
  if (YES.has(word)) return true
  if (NO.has(word)) return false
  throw wrongField(field, `${field} must be 1 or 0`)
}

function readMode(sent: unknown): ImportMode {
  if (sent === undefined || sent === '') return 'add'
  const mode = importModes.find((name) => name === sent)
  if (mode) return mode
  throw wrongField('mode', `The mode must be ${importModes.join(' or ')}`)
}

function readReading(sent: string | undefined): ReadingOverride {
  if (!sent?.trim()) return {}
  const { data, error } = readingOverride.safeParse(objectOf(sent))
  if (data) return data
  const wrong = error.issues.map(({ path, message }) => (path.length > 0 ? `reading.${message}` : message))
  throw wrongField('reading', wrong.join('; '))
}

function readChosen(sent: string | undefined): ChosenReading | undefined {
  if (!sent?.trim()) return undefined
  const { data } = chosenReading.safeParse(objectOf(sent))
  if (data) return data
  const sentence = 'readAs must be a JSON object such as {"header": ["Part"], "reading": {"headerRow": 2}}'
  throw wrongField('readAs', sentence)
}

/** Which columns the ids name is known with the file's header (`column-questions/questions.ts`). */
function readAnswersField(sent: string | undefined): SentAnswers {
  if (!sent?.trim()) return {}
  const answers = objectOf(sent)
  if (answers) return answers
  throw wrongField('answers', 'answers must be a JSON object such as {"currency:Price": 0.05}')
}

function readSuggested(sent: string | undefined): ImportField[] {
  if (!sent?.trim()) return []
  const names = objectOf(`{"names": ${sent}}`)?.names
  const fields = Array.isArray(names) ? names.map((name) => importField(String(name))) : [undefined]
  if (fields.every((field) => field !== undefined)) return fields
  throw wrongField('suggested', 'suggested must be a JSON list of fields, such as ["partprice"]')
}

function readChunk(form: CsvForm): { chunkIndex: number; chunkCount: number } {
  if (!form.chunkIndex && !form.chunkCount) return { chunkIndex: 0, chunkCount: 1 }
  const chunkCount = readWhole(form.chunkCount)
  if (chunkCount === undefined || chunkCount < 1 || chunkCount > MAX_CHUNKS) {
    throw wrongField('chunkCount', 'chunkCount must be a whole number from 1 to 100,000')
  }
  const chunkIndex = readWhole(form.chunkIndex)
  if (chunkIndex === undefined || chunkIndex >= chunkCount) {
    throw wrongField(
      'chunkIndex',
      `chunkIndex must be a whole number from 0 to ${chunkCount - 1}, one below chunkCount`,
    )
  }
  return { chunkIndex, chunkCount }
}

const readWhole = (sent: string | undefined) =>
  /^\d{1,6}$/.test(sent?.trim() ?? '') ? Number(sent) : undefined

/** Leaves out the date: an upload may run past midnight, and the first chunk's date counts. */
export function termsHash(sent: ImportTerms): Buffer {
  const { mapping, defaults, place, mode, chunkCount, reading, answers } = sent
  const sorted = (object: object) => Object.entries(object).sort(([a], [b]) => (a < b ? -1 : 1))
  const readingTerms = { ...reading, decimals: sorted(reading.decimals ?? {}) }
  const terms = [
    sorted(mapping),
    sorted(defaults),
    place.label,
    place.hint,
    mode,
    chunkCount,
    sorted(readingTerms),
    // Imports that began before there were answers have none.
    ...(Object.keys(answers).length > 0 ? [sorted(answers)] : []),
  ]
  return createHash('sha256').update(JSON.stringify(terms)).digest()
}
