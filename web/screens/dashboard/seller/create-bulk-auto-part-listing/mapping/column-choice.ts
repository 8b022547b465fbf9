import { fitMapping, shippedTemplateFor } from '#contract/column-mapping/shipped-templates.ts'
import {
  SURE_FROM,
  type SuggestedColumn,
  type SuggestedColumns,
  suggestColumns,
} from '#contract/column-mapping/suggest-columns.ts'
import type { Dictionary } from '#contract/column-mapping/value-shapes.ts'
import { findColumn } from '#contract/csv/csv-header.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importField,
  importFieldLabels,
  importFields,
  missingColumns,
  requiredImportFields,
} from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import type { FileRead } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/upload/use-import-file.ts'

/** Which column is which field, and what deserves a look. */
export type ColumnChoice = {
  mapping: ImportMapping
  /** How sure a proposed column is, and why; a column that somebody chose needs no reason. */
  reasons: Partial<Record<ImportField, Reason>>
  /** The fields to look at first. They stay so when they were looked at: no row moves away under somebody's hands. */
  first: readonly ImportField[]
  /** Columns that the chosen template names and the file lacks. */
  lacking: readonly string[]
  /** The template it began with. */
  templateId: string | null
  /** Somebody chose a column by hand. */
  touched: boolean
}
export type Reason = Omit<SuggestedColumn, 'header'>

export const noColumns: ColumnChoice = {
  mapping: {},
  reasons: {},
  first: [],
  lacking: [],
  templateId: null,
  touched: false,
}

/** What a file says of its columns. */
export type FileColumns = {
  headers: readonly string[]
  samples: readonly (readonly string[])[]
  dictionary?: Dictionary | undefined
}

export function suggestedChoice({ headers, samples, dictionary }: FileColumns): ColumnChoice {
  const found = suggestColumns(headers, samples, dictionary)
  const mapping: ImportMapping = {}
  const reasons: ColumnChoice['reasons'] = {}
  const suggested = { ...found, ...sharedColumn({ headers, samples, dictionary }, found) }
  for (const field of importFields) {
    const column = suggested[field]
    if (column === undefined) continue
    const { header, ...reason } = column
    mapping[field] = header
    reasons[field] = reason
  }
  return { ...noColumns, mapping, reasons, first: fieldsToLookAt(mapping, reasons) }
}

/** Of a column that names parts, so many values have to be categories before it gives those as well. */
const CATEGORIES_FROM = 0.5

/**
 * Many yards have one column for what a part is: “Alternator” is its name and its category. Where only one of the two has a
 * column, and the values are known categories, both take it.
 */
function sharedColumn(
  { headers, samples, dictionary }: FileColumns,
  found: SuggestedColumns,
): SuggestedColumns {
  const given = found.partname ?? found.partcategory
  if (!given || !dictionary || (found.partname && found.partcategory)) return {}
  const column = headers.indexOf(given.header)
  const values = samples.flatMap((row) => row[column]?.trim().toLowerCase() || [])
  const known = values.filter((value) => dictionary.categories.has(value)).length
  const share = known / Math.max(values.length, 1)
  if (share < CATEGORIES_FROM) return {}
  const both = {
    header: given.header,
    confidence: Math.min(given.confidence, share),
    reason: `${Math.round(share * 100)} % of the values name a category, and a part as well`,
    sure: given.sure && share >= SURE_FROM,
  }
  return found.partname ? { partcategory: both } : { partname: both }
}

function fieldsToLookAt(mapping: ImportMapping, reasons: ColumnChoice['reasons']): ImportField[] {
  const lacking = requiredImportFields.filter((field) => mapping[field] === undefined)
  const unsure = importFields.filter((field) => reasons[field]?.sure === false)
  return [...lacking, ...unsure]
}

/** What columns are taken from: a template, or a mapping that is none. */
export type ColumnSource = Pick<MappingTemplate, 'mapping'> & { id: string | null }

/** A template as far as the file has its columns; without a file, as it stands. */
export function choiceOf(template: ColumnSource, headers: readonly string[] | undefined): ColumnChoice {
  const written = mappingOf(template.mapping)
  if (headers === undefined) return { ...noColumns, mapping: written, templateId: template.id }
  const mapping = { ...fitMapping(headers, written) }
  const lacking = missingColumns(mapping, headers)
  for (const { field } of lacking) delete mapping[field]
  // Under the file's own spelling: the template may have another case or other spaces.
  for (const [field, header] of Object.entries(mapping) as [ImportField, string][]) {
    mapping[field] = headers[findColumn(headers, header)] ?? header
  }
  return {
    ...noColumns,
    mapping,
    first: fieldsToLookAt(mapping, {}),
    lacking: lacking.map(({ header }) => header),
    templateId: template.id,
  }
}

/** A mapping as somebody wrote it, under our names for the fields; what is no field is left out. */
export function mappingOf(written: Readonly<Record<string, unknown>>): ImportMapping {
  const mapping: ImportMapping = {}
  for (const [name, header] of Object.entries(written)) {
    const field = importField(name)
    if (field && typeof header === 'string' && header.trim() !== '') mapping[field] = header
  }
  return mapping
}

export type FirstChoice = FileColumns & {
  templates: readonly MappingTemplate[]
  /** What was written before the file was chosen, or the template of the last one. */
  remembered: ColumnSource | undefined
}

/**
 * What a file begins with: the columns of last time where the file has them all, the template of a known export, or else what
 * its headers and values suggest.
 */
export function firstChoice({ templates, remembered, ...file }: FirstChoice): ColumnChoice {
  const known = shippedTemplateFor(file.headers)
  const isShipped = templates.some(({ id, shipped }) => shipped && id === remembered?.id)
  const sources = [isShipped ? undefined : remembered, templates.find(({ id }) => id === known)]
  for (const source of sources) {
    const choice = source && choiceOf(source, file.headers)
    if (choice && choice.lacking.length === 0 && Object.keys(choice.mapping).length > 0) return choice
  }
  return suggestedChoice(file)
}

export function withColumn(choice: ColumnChoice, field: ImportField, header: string | null): ColumnChoice {
  const { [field]: _, ...others } = choice.mapping
  const { [field]: __, ...reasons } = choice.reasons
  return {
    ...choice,
    mapping: header === null ? others : { ...others, [field]: header },
    reasons,
    touched: true,
  }
}

/** The same choice with the columns that were kept from before, or written as JSON. */
export function withMapping(choice: ColumnChoice, mapping: ImportMapping): ColumnChoice {
  const changed = importFields.filter((field) => mapping[field] !== choice.mapping[field])
  return changed.reduce((next, field) => withColumn(next, field, mapping[field] ?? null), choice)
}

/** Its template was deleted: the columns stay, as chosen by hand. */
export const withoutTemplate = (choice: ColumnChoice): ColumnChoice => ({
  ...choice,
  lacking: [],
  templateId: null,
  touched: true,
})

/** The fields that every row needs and that neither a column nor a default gives. */
export function missingFields(mapping: ImportMapping, defaults: ImportDefaults): ImportField[] {
  return requiredImportFields.filter((field) => !mapping[field] && !defaults[field]?.trim())
}

export const labelsOf = (fields: readonly ImportField[]): string =>
  fields.map((field) => importFieldLabels[field]).join(', ')

/** The first two values of a column that are not empty. */
export function samplesOf(samples: readonly (readonly string[])[], column: number): string[] {
  return samples.flatMap((row) => row[column]?.trim() || []).slice(0, 2)
}

/** How sure a field's column is, in a word and the colour of its pill, and why. */
export type Confidence = { word: string | undefined; color: string; reason: string | undefined }

const LIKELY_FROM = 0.5

export function confidenceOf(
  { mapping, reasons, templateId, first }: ColumnChoice,
  field: ImportField,
): Confidence {
  const reason = reasons[field]
  if (reason !== undefined) {
    if (reason.sure) return { word: 'Sure', color: 'good', reason: reason.reason }
    const word = reason.confidence >= LIKELY_FROM ? 'Likely' : 'A guess'
    return { word: `${word}, please check`, color: 'warning', reason: reason.reason }
  }
  if (mapping[field] === undefined) {
    return first.includes(field)
      ? { word: 'No column', color: 'bad', reason: undefined }
      : { word: undefined, color: 'gray', reason: undefined }
  }
  return templateId === null
    ? { word: 'Your choice', color: 'gray', reason: undefined }
    : { word: 'Template', color: 'sea', reason: undefined }
}

export const nothingSaid: SaidReading = {}

/** Reads a file as those of the template are; where it is no such file, as its own bytes tell. */
export async function readByTemplate(
  template: MappingTemplate | undefined,
  read: (how: SaidReading) => Promise<FileRead>,
): Promise<FileRead> {
  if (!template?.reading) return await read(nothingSaid)
  const found = await read(template.reading)
  // Another reading is under way, which this file must not end.
  if (found === 'superseded') return found
  const fits = found !== 'unreadable' && choiceOf(template, found.headers).lacking.length === 0
  return fits ? found : await read(nothingSaid)
}
