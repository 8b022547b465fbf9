import { findColumn } from '#contract/csv-header.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importField,
  importFieldLabels,
  importFields,
  requiredImportFields,
} from '#contract/import-fields.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { missingColumns } from '#contract/missing-columns.ts'
import { type Dictionary, suggestColumns } from '#contract/yard-file/suggest-columns.ts'

/** Which column is which field, and what deserves a look. */
export type ColumnChoice = {
  mapping: ImportMapping
  /** Suggested with less than full confidence. */
  unsure: readonly ImportField[]
  /** Columns that the chosen template names and the file lacks. */
  lacking: readonly string[]
}

/** What names and values of the columns suggest; `samples` are the first data rows. */
export function suggestedChoice(
  headers: readonly string[],
  samples: readonly (readonly string[])[] = [],
  dictionary?: Dictionary,
): ColumnChoice {
  const suggested = suggestColumns(headers, samples, dictionary)
  const mapping: ImportMapping = {}
  const unsure: ImportField[] = []
  for (const field of importFields) {
    const found = suggested[field]
    if (!found) continue
    mapping[field] = found.header
    if (!found.sure) unsure.push(field)
  }
  return { mapping, unsure, lacking: [] }
}

/** A template as far as the file has its columns. */
export function choiceOf(template: MappingTemplate, headers: readonly string[]): ColumnChoice {
  const mapping: ImportMapping = {}
  for (const [name, header] of Object.entries(template.mapping)) {
    const field = importField(name)
    if (field) mapping[field] = header
  }
  const lacking = missingColumns(mapping, headers)
  for (const { field } of lacking) delete mapping[field]
  // Under the file's own spelling: the template may have another case or other spaces.
  for (const [field, header] of Object.entries(mapping) as [ImportField, string][]) {
    mapping[field] = headers[findColumn(headers, header)] ?? header
  }
  return { mapping, unsure: [], lacking: lacking.map(({ header }) => header) }
}

/** The template of last time where the file has all its columns; else what the headers suggest. */
export function firstChoice(
  headers: readonly string[],
  remembered: MappingTemplate | undefined,
): ColumnChoice {
  const choice = remembered && choiceOf(remembered, headers)
  return choice && choice.lacking.length === 0 ? choice : suggestedChoice(headers)
}

export function withColumn(choice: ColumnChoice, field: ImportField, header: string | null): ColumnChoice {
  const { [field]: _, ...others } = choice.mapping
  return {
    ...choice,
    mapping: header === null ? others : { ...others, [field]: header },
    unsure: choice.unsure.filter((name) => name !== field),
  }
}

/** The fields that every row needs and that neither a column nor a default gives. */
export function missingFields(mapping: ImportMapping, defaults: ImportDefaults): ImportField[] {
  return requiredImportFields.filter((field) => !mapping[field] && !defaults[field]?.trim())
}

export const labelsOf = (fields: readonly ImportField[]): string =>
  fields.map((field) => importFieldLabels[field]).join(', ')

/** The first two values of a column that are not empty. */
export function samplesOf(samples: readonly string[][], column: number): string[] {
  return samples.flatMap((row) => row[column]?.trim() || []).slice(0, 2)
}
