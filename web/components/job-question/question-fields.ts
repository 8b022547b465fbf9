import type { JobQuestion } from '#contract/admin/automation.ts'

/** A field of the form that a question's schema describes. */
export type QuestionField = {
  name: string
  label: string
  help?: string
  required: boolean
} & (
  | { kind: 'boolean'; preset: boolean }
  | { kind: 'choice'; options: readonly string[]; preset: string }
  | { kind: 'number'; whole: boolean; least?: number; most?: number; preset: string }
  | { kind: 'text'; longest?: number; preset: string }
)

export type QuestionValues = Readonly<Record<string, string | boolean>>

type Schema = Readonly<Record<string, unknown>>

/** Returns the form for a schema, or undefined if it is not a flat object: then the answer is one line of text. */
export function questionFields(schema: JobQuestion['schema']): QuestionField[] | undefined {
  if (schema?.type !== 'object' || !isSchema(schema.properties)) return undefined
  const required = Array.isArray(schema.required) ? schema.required : []
  const fields = Object.entries(schema.properties).map(([name, property]) =>
    isSchema(property) ? fieldOf(name, property, required.includes(name)) : undefined,
  )
  return fields.length > 0 && fields.every((field) => field !== undefined) ? fields : undefined
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

function fieldOf(name: string, schema: Schema, mayBeRequired: boolean): QuestionField | undefined {
  const base = {
    name,
    label: typeof schema.title === 'string' ? schema.title : labelOf(name),
    ...(typeof schema.description === 'string' && { help: schema.description }),
    // A field with a preset is never missing.
    required: mayBeRequired && schema.default === undefined,
  }
  const preset = schema.default === undefined ? '' : String(schema.default)
  if (Array.isArray(schema.enum) && schema.enum.every((option) => typeof option === 'string')) {
    return { ...base, kind: 'choice', options: schema.enum, preset }
  }
  switch (schema.type) {
    case 'boolean':
      return { ...base, kind: 'boolean', preset: schema.default === true }
    case 'integer':
    case 'number':
      return { ...base, kind: 'number', whole: schema.type === 'integer', ...boundsOf(schema), preset }
    case 'string':
      return {
        ...base,
        kind: 'text',
        ...(typeof schema.maxLength === 'number' && { longest: schema.maxLength }),
        preset,
      }
    default:
      return undefined
  }
}

/** An integer schema includes the limits of a safe integer; those mean nothing to the user. */
function boundsOf({ minimum, maximum }: Schema): { least?: number; most?: number } {
  const isBound = (value: unknown): value is number =>
    typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER
  return { ...(isBound(minimum) && { least: minimum }), ...(isBound(maximum) && { most: maximum }) }
}

/** `keepOldNames` → "Keep old names" */
function labelOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/[_-]+/g, ' ')
    .toLowerCase()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const presetsOf = (fields: readonly QuestionField[]): QuestionValues =>
  Object.fromEntries(fields.map(({ name, preset }) => [name, preset]))

type Answer = { text: string } | { problems: Readonly<Record<string, string>> }

/** Returns the answer as the JSON that the script gets, or the problems by field. */
export function answerOf(fields: readonly QuestionField[], values: QuestionValues): Answer {
  const problems: Record<string, string> = {}
  const answer: Record<string, string | number | boolean> = {}
  for (const field of fields) {
    const value = values[field.name] ?? field.preset
    if (typeof value === 'boolean') {
      answer[field.name] = value
      continue
    }
    const given = value.trim()
    const problem = problemOf(field, given)
    if (problem !== undefined) problems[field.name] = problem
    else if (given !== '') answer[field.name] = field.kind === 'number' ? Number(given) : given
  }
  return Object.keys(problems).length > 0 ? { problems } : { text: JSON.stringify(answer) }
}

function problemOf(field: QuestionField, given: string): string | undefined {
  if (given === '') {
    if (!field.required) return undefined
    return field.kind === 'choice' ? 'Choose one of these' : 'Fill this in'
  }
  if (field.kind !== 'number') return undefined
  const number = Number(given)
  const { label, whole, least, most } = field
  if (!Number.isFinite(number)) return `${label} must be a number`
  if (whole && !Number.isInteger(number)) return `${label} must be a whole number`
  if (least !== undefined && number < least) return `${label} must be at least ${least}`
  if (most !== undefined && number > most) return `${label} can be at most ${most}`
  return undefined
}
