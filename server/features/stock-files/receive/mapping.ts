import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importField,
  importFieldLabels,
  importFields,
  readSplits,
  withSplits,
} from '#contract/csv/import-fields.ts'
import { AppError } from '#server/platform/errors.ts'
import { refuseUnreadableText } from '#server/platform/http/readable-text.ts'

/**
 * An object sent as JSON text or as itself; undefined if it is neither.
 * @throws AppError MALFORMED for text that cannot be stored, which may be hidden in JSON escapes
 */
export function objectOf(sent: unknown): Record<string, unknown> | undefined {
  const value = typeof sent === 'string' ? parsed(sent) : sent
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  refuseUnreadableText(value)
  return value as Record<string, unknown>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

// Far longer than headers of real files.
const LONGEST_HEADER = 500
// The length of a listing's longest field, its description.
const LONGEST_DEFAULT = 10_000

/**
 * Target field → column, from JSON text or an object, and the columns to split. Fields may have their alternative names;
 * blank entries are ignored.
 * @throws AppError VALIDATION_FAILED
 */
export function readMapping(sent: unknown): ImportMapping {
  const terms = {
    name: 'mapping',
    invalid: 'Mapping JSON is not valid JSON',
    longest: LONGEST_HEADER,
  } as const
  const { split, ...fields } = objectOf(sent) ?? {}
  const splits = readSplits(split)
  if (typeof splits === 'string')
    throw new AppError('VALIDATION_FAILED', splits, { fields: { mapping: splits } })
  return withSplits(readFields(split === undefined ? sent : fields, terms), splits)
}

/**
 * Target field → value for rows that have none.
 * @throws AppError VALIDATION_FAILED
 */
export function readDefaults(sent: unknown): ImportDefaults {
  if (sent === undefined || sent === '') return {}
  return readFields(sent, {
    name: 'defaults',
    invalid: 'Defaults JSON is not valid',
    longest: LONGEST_DEFAULT,
  })
}

type FieldTerms = { name: 'mapping' | 'defaults'; invalid: string; longest: number }

function readFields(
  sent: unknown,
  { name, invalid, longest }: FieldTerms,
): Partial<Record<ImportField, string>> {
  const object = objectOf(sent)
  const refuse = (sentence: string) =>
    new AppError('VALIDATION_FAILED', sentence, { fields: { [name]: sentence } })
  if (!object) throw refuse(invalid)
  const unknown = Object.keys(object).filter((key) => importField(key) === undefined)
  if (unknown.length > 0) {
    throw refuse(
      `The ${name} names fields that do not exist: ${shown(unknown)}. There are ${importFields.join(', ')}.`,
    )
  }
  const read: Partial<Record<ImportField, string>> = {}
  for (const [key, value] of Object.entries(object)) {
    const field = importField(key)
    const text = plainText(value)
    if (!field || text === '') continue
    const label = importFieldLabels[field]
    if (text === undefined) throw refuse(`The ${name} of ${label} must be text`)
    if (text.length > longest) throw refuse(`The ${name} of ${label} is longer than ${longest} characters`)
    if (read[field] !== undefined) throw refuse(`The ${name} names ${label} twice`)
    read[field] = text
  }
  return read
}

/** The trimmed text, or undefined for lists and objects. */
function plainText(value: unknown): string | undefined {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

const MAX_SHOWN = 5

function shown(names: readonly string[]): string {
  const some = names.slice(0, MAX_SHOWN).map((name) => `“${name.slice(0, 60)}”`)
  return `${some.join(', ')}${names.length > MAX_SHOWN ? ', …' : ''}`
}
