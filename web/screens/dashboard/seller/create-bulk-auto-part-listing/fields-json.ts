import { type ImportField, importField, importFieldLabels, importFields } from '#contract/import-fields.ts'

/** Fields and their texts, as a mapping and a set of defaults have them. */
export type FieldTexts = Partial<Record<ImportField, string>>

/** What somebody wrote as JSON: the fields, or why they are none. */
export type WrittenFields = { fields: FieldTexts; problem?: undefined } | { problem: string }

/** `invalid` is said of what is no JSON object; `what` names it in other sentences. */
export type FieldsWords = { what: 'mapping' | 'defaults'; invalid: string }

/** Reads them as the server would; nothing written is an empty object. */
export function readFieldsJson(text: string, { what, invalid }: FieldsWords): WrittenFields {
  if (text.trim() === '') return { fields: {} }
  const written = objectOf(text)
  if (written === undefined) return { problem: invalid }
  const fields: FieldTexts = {}
  for (const [name, value] of Object.entries(written)) {
    const field = importField(name)
    if (field === undefined)
      return { problem: `The ${what} names a field that does not exist: “${name.slice(0, 60)}”` }
    const plain = plainText(value)
    if (plain === undefined) return { problem: `The ${what} of ${importFieldLabels[field]} must be text` }
    if (plain === '') continue
    if (fields[field] !== undefined) return { problem: `The ${what} names ${importFieldLabels[field]} twice` }
    fields[field] = plain
  }
  return { fields }
}

function objectOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function plainText(value: unknown): string | undefined {
  if (value === null) return ''
  if (typeof value === 'string') return value.trim()
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

/** In the order of the fields, so that equal ones have equal texts; without empty ones. */
export function fieldsJson(fields: FieldTexts): string {
  const given = importFields.filter((field) => fields[field]?.trim())
  if (given.length === 0) return ''
  return JSON.stringify(Object.fromEntries(given.map((field) => [field, fields[field]])), null, 2)
}
