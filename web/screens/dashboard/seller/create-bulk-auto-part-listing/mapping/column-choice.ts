import { fitMapping, shippedTemplateFor } from '#contract/column-mapping/shipped-templates.ts'
import {
  MIN_CERTAINTY,
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
  isFilledByOthers,
  isMapped,
  missingColumns,
  readSplits,
  requiredImportFields,
  splitFields,
  splitsOf,
  vehicleImportFields,
  withSplits,
} from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import type { Category } from '#contract/lookups.ts'
import { decimalMarkOf } from '#contract/yard-file/decimals.ts'
import type { DecimalMark, ReadingOverride } from '#contract/yard-file/reading.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

/** Which column is which field, and which fields need review. */
export type ColumnChoice = {
  mapping: ImportMapping
  /** The confidence and reason of suggested columns. Columns chosen by hand have none. */
  reasons: Partial<Record<ImportField, Reason>>
  /** Fields to review first. The list is fixed, so that rows don't move while the user works on them. */
  first: readonly ImportField[]
  /** Columns that the template has and the file lacks. */
  lacking: readonly string[]
  templateId: string | null
  /** The price's column is that of an earlier mapping and was not chosen for this file, so it is asked about if it is unsure. */
  hasOldPrice?: boolean
  /** The user changed a column by hand. */
  touched: boolean
}
type Reason = Omit<SuggestedColumn, 'header'>

export const noColumns: ColumnChoice = {
  mapping: {},
  reasons: {},
  first: [],
  lacking: [],
  templateId: null,
  touched: false,
}

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

/** The share of values that must be categories before a part name column is used for both. */
const CATEGORIES_FROM = 0.5

/**
 * Many yards have one column for both name and category (“Alternator”). If only one of the two fields has a column and its
 * values are known categories, both use it.
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
    reason: `${Math.round(share * 100)}% of the values are both a category and a part name`,
    sure: given.sure && share >= MIN_CERTAINTY,
  }
  return found.partname ? { partcategory: both } : { partname: both }
}

function fieldsToLookAt(mapping: ImportMapping, reasons: ColumnChoice['reasons']): ImportField[] {
  const lacking = requiredImportFields.filter(
    (field) => !isMapped(mapping, field) && !isFilledByOthers(mapping, field),
  )
  const unsure = importFields.filter((field) => reasons[field]?.sure === false)
  return [...lacking, ...unsure]
}

/** A template, or a mapping without one. */
export type ColumnSource = Pick<MappingTemplate, 'mapping'> & { id: string | null; shipped?: boolean }

/** A template's columns that the file has, or all of them if there is no file yet. */
export function choiceOf(template: ColumnSource, headers: readonly string[] | undefined): ColumnChoice {
  const written = mappingOf(template.mapping)
  if (headers === undefined) return { ...noColumns, mapping: written, templateId: template.id }
  const mapping = { ...fitMapping(headers, written) }
  const lacking = missingColumns(mapping, headers)
  for (const { field } of lacking) delete mapping[field]
  // Use the file's spelling: the template's case and spacing may differ.
  const spelled = (header: string) => headers[findColumn(headers, header)]
  for (const field of importFields) {
    const header = mapping[field]
    if (header !== undefined) mapping[field] = spelled(header) ?? header
  }
  const splits = splitsOf(mapping).map((split) => ({ ...split, from: spelled(split.from) }))
  const found = splits.flatMap(({ from, as }) => (from === undefined ? [] : { from, as }))
  const unsplit = splitsOf(mapping).filter(({ from }) => spelled(from) === undefined)
  const fitted = withSplits(mapping, found)
  return {
    ...noColumns,
    mapping: fitted,
    first: fieldsToLookAt(fitted, {}),
    lacking: [...lacking, ...unsplit.map(({ from }) => ({ header: from }))].map(({ header }) => header),
    templateId: template.id,
    hasOldPrice: template.shipped !== true,
  }
}

/** Normalizes field names, and drops unknown fields and splits that are not valid. */
export function mappingOf(written: Readonly<Record<string, unknown>>): ImportMapping {
  const mapping: ImportMapping = {}
  for (const [name, header] of Object.entries(written)) {
    const field = importField(name)
    if (field && typeof header === 'string' && header.trim() !== '') mapping[field] = header
  }
  const splits = readSplits(written.split)
  return typeof splits === 'string' ? mapping : withSplits(mapping, splits)
}

export type FirstChoice = FileColumns & {
  templates: readonly MappingTemplate[]
  /** A mapping written before the file was chosen, or the last template. */
  remembered: ColumnSource | undefined
}

/**
 * A new file's columns: those of last time if the file has them all, else the template of a known export, else the
 * suggestions from its headers and values.
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
    ...(field === 'partprice' && { hasOldPrice: false }),
    touched: true,
  }
}

/** Fields whose columns no person chose for this file. */
export const unconfirmed = ({ mapping, reasons, hasOldPrice }: ColumnChoice): ImportField[] =>
  importFields.filter(
    (field) =>
      reasons[field] !== undefined ||
      (field === 'partprice' && hasOldPrice === true && mapping[field] !== undefined),
  )

/** Applies a restored or typed mapping. */
export function withMapping(choice: ColumnChoice, mapping: ImportMapping): ColumnChoice {
  const changed = importFields.filter((field) => mapping[field] !== choice.mapping[field])
  const next = changed.reduce((now, field) => withColumn(now, field, mapping[field] ?? null), choice)
  const isSame = JSON.stringify(splitsOf(mapping)) === JSON.stringify(splitsOf(choice.mapping))
  return isSame ? next : { ...next, mapping: withSplits(next.mapping, splitsOf(mapping)), touched: true }
}

/** After the template was deleted, its columns count as chosen by hand. */
export const withoutTemplate = (choice: ColumnChoice): ColumnChoice => ({
  ...choice,
  lacking: [],
  templateId: null,
  touched: true,
})

/** `needsVehicle`: false for a file of tires or wheels. */
export function missingFields(
  mapping: ImportMapping,
  defaults: ImportDefaults,
  { needsVehicle = true }: { needsVehicle?: boolean } = {},
): ImportField[] {
  return requiredImportFields.filter(
    (field) =>
      !isMapped(mapping, field) &&
      !isFilledByOthers(mapping, field) &&
      !defaults[field]?.trim() &&
      (needsVehicle || !vehicleImportFields.has(field)),
  )
}

/** Whether all first rows name a part of a universal category. The check of the file then decides row by row. */
export function namesUniversalParts(
  { headers, samples }: Pick<ImportFile, 'headers' | 'samples'>,
  { partname, partcategory }: ImportMapping,
  categories: readonly Category[],
): boolean {
  const words = categories
    .filter(({ universal }) => universal)
    .flatMap(({ name, aliases }) => [name, ...aliases].map((each) => each.toLowerCase()))
  const columns = [partname, partcategory].flatMap((header) => (header ? headers.indexOf(header) : []))
  const rows = samples.map((row) =>
    columns
      .map((at) => row[at] ?? '')
      .join(' ')
      .trim()
      .toLowerCase(),
  )
  const named = rows.filter((text) => text !== '')
  return named.length > 0 && named.every((text) => words.some((word) => text.includes(word)))
}

export const labelsOf = (fields: readonly ImportField[]): string =>
  fields.map((field) => importFieldLabels[field]).join(', ')

/** The first two non-empty values of a column. */
export function samplesOf(samples: readonly (readonly string[])[], column: number): string[] {
  return samples.flatMap((row) => row[column]?.trim() || []).slice(0, 2)
}

/** The label and color of the badge that shows how sure a field's column is, and why. */
export type Confidence = { word: string | undefined; color: string; reason: string | undefined }

export function confidenceOf(
  { mapping, reasons, templateId, first }: ColumnChoice,
  field: ImportField,
): Confidence {
  const reason = reasons[field]
  if (reason !== undefined) {
    return reason.sure
      ? { word: 'Sure', color: 'good', reason: reason.reason }
      : { word: 'Please check', color: 'warning', reason: reason.reason }
  }
  if (mapping[field] === undefined && isMapped(mapping, field)) {
    return { word: 'Split', color: 'sea', reason: `Split from “${splitSource(mapping, field)}”` }
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

/** The column that a field is split from. */
const splitSource = (mapping: ImportMapping, field: ImportField): string | undefined =>
  splitsOf(mapping).find(({ as }) => splitFields[as].includes(field))?.from

/** `superseded`: a newer read started, or the user left the page. */
export type FileRead = ImportFile | 'unreadable' | 'superseded'

/** Reads a file with the template's settings, or with detected ones if its columns don't match the template. */
export async function readByTemplate(
  template: MappingTemplate | undefined,
  read: (how: ReadingOverride) => Promise<FileRead>,
): Promise<FileRead> {
  if (!template?.reading) return await read({})
  const found = await read(template.reading)
  // A newer read is running and must not be aborted.
  if (found === 'superseded') return found
  const fits = found !== 'unreadable' && choiceOf(template, found.headers).lacking.length === 0
  return fits ? found : await read({})
}

export const moneyFields = ['partprice', 'partshipping'] as const satisfies readonly ImportField[]
export type MoneyField = (typeof moneyFields)[number]

/** A price column whose decimal mark is unclear, with an ambiguous value as an example. */
export type UnclearMoney = { field: MoneyField; header: string; value: string }

type MoneySamples = Pick<ImportFile, 'reading'> & {
  [Part in 'undecided' | 'headers']: readonly string[]
} & { samples: readonly (readonly string[])[] }

/** The price columns whose decimal mark the user has to choose. */
export function unclearMoney(file: MoneySamples, mapping: ImportMapping): UnclearMoney[] {
  return moneyFields.flatMap((field) => {
    const header = mapping[field]
    const isOpen =
      header !== undefined && file.undecided.includes(header) && file.reading.decimals[field] === undefined
    return isOpen ? [{ field, header, value: exampleValue(file, header) }] : []
  })
}

/** An ambiguous value from the first rows, or a made-up one if the ambiguous rows come later. */
function exampleValue({ headers, samples }: MoneySamples, header: string): string {
  const column = headers.indexOf(header)
  const values = samples.map((row) => row[column]?.trim() ?? '')
  const marked = values.filter((value) => decimalMarkOf(value) !== undefined)
  return values.find((value) => decimalMarkOf(value) === 'open') ?? marked[0] ?? '1,299'
}

/** A value in dollars with the given decimal mark: "$1,299.00". */
export function dollarsIn(value: string, mark: DecimalMark): string {
  const amount = amountIn(value, mark)
  if (amount === undefined) return 'not an amount'
  return amount.toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    minimumFractionDigits: 2,
    maximumFractionDigits: 3,
  })
}

/** The amount in a value with the given decimal mark, whatever currency is around it. */
export function amountIn(value: string, mark: DecimalMark): number | undefined {
  const digits = /\d[\d.,' \u00a0\u2009\u202f’]*/.exec(value)?.[0] ?? ''
  const [cents, groups] = mark === 'point' ? ['.', ','] : [',', '.']
  // Thousands separators come before the decimal mark, which occurs once; otherwise this is not an amount.
  const isOrdered = !digits.includes(cents) || digits.lastIndexOf(groups) < digits.indexOf(cents)
  const [whole = '', ...rest] = digits.split(cents).map((part) => part.replaceAll(/\D/g, ''))
  if (digits === '' || !isOrdered || rest.length > 1) return undefined
  return Number([whole, ...rest].join('.'))
}
