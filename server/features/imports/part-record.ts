import { type ImportMapping, importField } from '#contract/import-fields.ts'
import type { CsvForm } from '#contract/imports.ts'
import { wrongField } from './import-order.ts'

/** One part as a file of one row: its own names are the columns. */
export type PartRecord = {
  readonly header: readonly string[]
  readonly cells: readonly string[]
  readonly mapping: ImportMapping
}

/** Fields of the call that are no fields of the part, as a form of the CSV call has them. */
const ABOUT_THE_CALL = ['staging', 'mode', 'dryRun', 'idempotencyKey', 'defaults', 'adminPreview'] as const
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
 * Reads a part as programs send them: numbers and booleans as themselves, what a field is called in any of its ways.
 * Fields that are not known here are kept as columns that nothing is made of.
 * @throws AppError VALIDATION_FAILED
 */
function readPartRecord(sent: Record<string, unknown>): PartRecord {
  const header: string[] = []
  const cells: string[] = []
  const mapping: ImportMapping = {}
  for (const [name, value] of Object.entries(sent)) {
    if (isAboutTheCall(name)) continue
    const field = importField(name)
    if (field && mapping[field] !== undefined) throw wrongField(name, `The part names ${field} twice`)
    if (field) mapping[field] = name
    header.push(name)
    cells.push(textOf(name, value))
  }
  if (Object.keys(mapping).length === 0) {
    throw wrongField('partname', 'Send the fields of a part, such as partname and partprice')
  }
  if (header.length > MOST_FIELDS) throw wrongField('body', `A part has at most ${MOST_FIELDS} fields`)
  return { header, cells, mapping }
}

function textOf(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  throw wrongField(name, `${name} must be text or a number`)
}
