import { suggestColumns } from '#contract/column-mapping/suggest-columns.ts'
import type { CsvForm } from '#contract/csv-form.ts'
import { type ImportMapping, importField, importFields } from '#contract/import-fields.ts'
import { wrongField } from './import-order.ts'

/** One part as a file of one row: its own names are the columns. */
export type PartRecord = {
  readonly header: readonly string[]
  readonly cells: readonly string[]
  /** What its names say by themselves. */
  readonly mapping: ImportMapping
}

/** Fields of the call that are no fields of the part, as a form of the CSV call has them. */
const ABOUT_THE_CALL = [
  'staging',
  'mode',
  'dryRun',
  'idempotencyKey',
  'defaults',
  'adminPreview',
  'mapping',
  'mappingId',
] as const
const isAboutTheCall = (name: string) => (ABOUT_THE_CALL as readonly string[]).includes(name)

const MOST_FIELDS = 200

/** Tells what the body of a single import says of the part from what it says of the call. */
export function readPartCall(sent: Record<string, unknown>): { part: PartRecord; form: CsvForm } {
  const form: CsvForm = {}
  for (const name of ABOUT_THE_CALL) {
    const value = sent[name]
    if (value !== undefined && value !== null) form[name] = asText(value)
  }
  return { part: readPartRecord(sent), form }
}

const asText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Reads a part as programs send them: numbers and booleans as themselves. Fields that are not known here are kept as columns
 * that nothing is made of.
 * @throws AppError VALIDATION_FAILED
 */
function readPartRecord(sent: Record<string, unknown>): PartRecord {
  const entries = Object.entries(sent).filter(([name]) => !isAboutTheCall(name))
  if (entries.length > MOST_FIELDS) throw wrongField('body', `A part has at most ${MOST_FIELDS} fields`)
  const header = entries.map(([name]) => name)
  const cells = entries.map(([name, value]) => textOf(name, value))
  return { header, cells, mapping: mappingByNames(header) }
}

/** Under their own names; for fields that are not there so, under any other name that they are known by. */
function mappingByNames(header: readonly string[]): ImportMapping {
  const mapping: ImportMapping = {}
  for (const name of header) {
    const field = importField(name)
    if (field === undefined) continue
    if (mapping[field] !== undefined) throw wrongField(name, `The part names ${field} twice`)
    mapping[field] = name
  }
  const others = suggestColumns(
    header.filter((name) => importField(name) === undefined),
    [],
  )
  for (const field of importFields) {
    const other = others[field]
    if (other?.sure) mapping[field] ??= other.header
  }
  return mapping
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrongField(name, `${name} must be text or a number`)
}
