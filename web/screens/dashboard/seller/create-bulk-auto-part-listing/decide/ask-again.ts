import {
  type ColumnAssumption,
  type ColumnQuestion,
  MAX_VALUES_SHOWN,
} from '#contract/column-questions/questions.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { RATE } from './answers.ts'

const kinds = ['price', 'currency', 'units', 'state'] as const satisfies ColumnQuestion['kind'][]

type File = Pick<ImportFile, 'headers' | 'samples' | 'decimals'>

/** The question behind a remembered answer, so that the seller can change it; undefined if the file has no such column. */
export function askAgain({ id, sentence }: ColumnAssumption, file: File): ColumnQuestion | undefined {
  const kind = kinds.find((one) => id.startsWith(`${one}:`))
  const named = id.slice(id.indexOf(':') + 1)
  // In a column with several currencies, the id has one of them after the column's name.
  const column = [named, named.replace(/ \(\S+\)$/, '')].find((header) => file.headers.includes(header))
  if (kind === undefined || column === undefined) return undefined
  const question = { id, kind, column, values: [], several: kind === 'state', takesRate: kind === 'currency' }
  return { ...question, sentence: `${sentence}. What is right?`, choices: choicesOf(question, file) }
}

function choicesOf(
  { kind, column }: Pick<ColumnQuestion, 'kind' | 'column'>,
  file: File,
): ColumnQuestion['choices'] {
  switch (kind) {
    case 'price':
      return [
        ...Object.keys(file.decimals).map((header) => ({ id: header, label: header })),
        { id: 'none', label: 'None of them' },
      ]
    case 'currency':
      return [
        { id: RATE, label: 'Enter a rate' },
        { id: 'leave-out', label: 'Leave these parts out' },
      ]
    case 'units':
      return [
        { id: 'miles', label: 'Miles' },
        { id: 'kilometers', label: 'Kilometers' },
        { id: 'thousands', label: 'Thousands of miles' },
        { id: 'leave-out', label: 'Leave the mileage empty' },
      ]
    case 'state':
      return valuesOf(file, column).map((value) => ({ id: value, label: value }))
  }
}

/** The different values of a column in the first rows. */
function valuesOf({ headers, samples }: File, column: string): string[] {
  const at = headers.indexOf(column)
  return [...new Set(samples.map((row) => row[at]?.trim() ?? ''))].slice(0, MAX_VALUES_SHOWN)
}
