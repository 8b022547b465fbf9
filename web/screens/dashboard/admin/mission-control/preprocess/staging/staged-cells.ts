import { findJsonError } from '#contract/text/json-error.ts'

export type Fields = Readonly<Record<string, unknown>>
export type StagedTable = { columns: readonly string[]; rows: readonly Fields[] }

/** A value as cell text, by the same rules as the server's CSV view: lists and objects as JSON, null as ''. */
export function cellText(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Own fields only: “constructor” is not a field unless the row has it. */
export const fieldOf = (fields: Fields, name: string): unknown =>
  Object.hasOwn(fields, name) ? fields[name] : undefined

/** Parses a cell: the previous value if the text is unchanged, otherwise a value of the same type if possible. */
export function cellValue(text: string, before: unknown): unknown {
  if (cellText(before) === text) return before
  if (text === '') return undefined
  if (typeof before === 'string') return text
  if (typeof before === 'number' && String(Number(text)) === text) return Number(text)
  if (typeof before === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return /^[[{]/.test(text) ? nestedValue(text) : text
}

function nestedValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Fields keep their order; new ones follow. */
export function fieldsFrom(cells: ReadonlyMap<string, string>, before: Fields): Fields {
  const names = new Set([...Object.keys(before).filter((name) => cells.has(name)), ...cells.keys()])
  const entries = [...names].flatMap((name) => {
    const value = cellValue(cells.get(name) ?? '', fieldOf(before, name))
    return value === undefined ? [] : [[name, value] as const]
  })
  return Object.fromEntries(entries)
}

/** Parses JSON as a table, or returns why it is not one (spec, section 5: only an array of objects is). */
export function readTable(text: string): StagedTable | string {
  const parsed = parse(text)
  if (typeof parsed === 'string') return parsed
  const { value } = parsed
  if (!Array.isArray(value)) {
    return `CSV needs a list of objects, but this text is ${kindOf(value)}. Put the rows in [ … ].`
  }
  const wrong = value.findIndex((row) => kindOf(row) !== 'an object')
  if (wrong !== -1) {
    return `CSV needs a list of objects, but item ${wrong + 1} is ${kindOf(value[wrong])}.`
  }
  const rows = value as Fields[]
  return { columns: [...new Set(rows.flatMap((row) => Object.keys(row)))], rows }
}

function parse(text: string): { value: unknown } | string {
  try {
    return { value: JSON.parse(text) }
  } catch {
    const error = findJsonError(text)
    if (!error) return 'The text is not valid JSON.'
    return `Line ${error.line} is not valid JSON: ${error.expected} expected at column ${error.column}.`
  }
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

/** A file's text, formatted as the server writes it. */
export const jsonOf = (rows: readonly Fields[]): string => JSON.stringify(rows, null, 2)
