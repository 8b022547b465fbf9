import { headerWarnings } from '#contract/csv/csv-header.ts'
import type { ColumnSplit, ImportField } from '#contract/csv/import-fields.ts'
import type { FieldsJson } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import {
  type ColumnChoice,
  labelsOf,
  type UnclearMoney,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/column-choice.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import type { RunState } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run.ts'

/** The wizard's tabs, named as in the spec. The key is in the URL. */
export const wizardTabs = [
  { tab: 'guide', label: 'Guide' },
  { tab: 'mapping', label: 'Template / Mapping' },
  { tab: 'defaults', label: 'Defaults' },
  { tab: 'upload', label: 'Upload' },
  { tab: 'validate', label: 'Validate (Dry-run)' },
  { tab: 'run', label: 'Run Import' },
  { tab: 'results', label: 'Results' },
] as const

export type WizardTab = (typeof wizardTabs)[number]['tab']

export const wizardTab = (name: string | null): WizardTab =>
  wizardTabs.find(({ tab }) => tab === name)?.tab ?? 'guide'

/** Why the rows cannot be checked, and the tab where the user can fix it. */
type Obstacle = { tab: WizardTab; sentence: string }

/** What a run depends on. */
export type ObstacleInput = {
  file: Pick<ImportFile, 'records'> | undefined
  columns: Pick<ColumnChoice, 'mapping'>
  mappingJson: Pick<FieldsJson, 'problem'>
  defaultsJson: Pick<FieldsJson, 'problem'>
  lacking: readonly ImportField[]
  unclearMoney: readonly UnclearMoney[]
  editsRead: boolean
  splits?: readonly OfferedSplit[]
}

type OfferedSplit = { isOn: boolean; split: ColumnSplit }

/** What decides whether a tab needs the user. */
export type TabInput = ObstacleInput & {
  file: Pick<ImportFile, 'records' | 'headers' | 'notes'> | undefined
  columns: Pick<ColumnChoice, 'mapping' | 'first' | 'lacking'>
  splits: readonly (OfferedSplit & { clear: number; of: number })[]
  /** A file with the same columns was imported before. */
  isKnown?: boolean
}

/** Nothing needs review before the file is imported: every column is certain, and nothing is unclear. */
export function isReady(input: TabInput): boolean {
  const { file, columns, splits, isKnown = false } = input
  return (
    file !== undefined &&
    obstacleOf({ ...input, editsRead: true }) === undefined &&
    columns.lacking.length === 0 &&
    (isKnown
      ? splits.every(({ isOn }) => isOn)
      : columns.first.length === 0 &&
        splits.length === 0 &&
        file.notes.length === 0 &&
        headerWarnings(file.headers).length === 0)
  )
}

/** The tabs where nothing is left to do. */
export function tabsDone(input: TabInput, state: RunState): ReadonlySet<WizardTab> {
  const isSent = state.step === 'sent'
  const checkedErrors = state.step === 'checked' ? state.result.errors : undefined
  const { file, columns, splits } = input
  if (file === undefined) return new Set(isSent ? (['results'] as const) : [])
  const obstacle = obstacleOf({ ...input, editsRead: true })?.tab
  const isMatched = obstacle !== 'mapping' && columns.lacking.length === 0 && splits.every(({ isOn }) => isOn)
  const isChecked = checkedErrors === 0 || isSent || isReady(input)
  const done: [WizardTab, boolean][] = [
    ['guide', true],
    ['mapping', isMatched],
    ['defaults', isMatched && obstacle !== 'defaults'],
    ['upload', obstacle !== 'upload'],
    // A file that needs no review may be imported without a dry run, unless one has found errors.
    ['validate', isChecked && (checkedErrors ?? 0) === 0],
    ['run', isSent],
    ['results', isSent],
  ]
  return new Set(done.flatMap(([tab, isDone]) => (isDone ? [tab] : [])))
}

const ofCar: readonly ImportField[] = ['partmanu', 'partmodel', 'partyear']

/** The missing fields, as a question to the yard. */
function lackingWords(lacking: readonly ImportField[], splits: readonly OfferedSplit[] = []): string {
  const others = lacking.filter((field) => !ofCar.includes(field))
  const same = 'If it is the same for every part, enter it under Defaults.'
  if (lacking.length - others.length > 1) {
    const more = others.length > 0 ? ` We also need: ${labelsOf(others)}.` : ''
    const offer = splits.find(({ isOn, split }) => !isOn && split.as !== 'years')
    if (offer) return `We can’t find the car. Is it in “${offer.split.from}”? Then separate it below.${more}`
    return `We can’t find the car. Which column says which car the part is from?${more}`
  }
  return lacking.length === 1
    ? `We can’t find the ${labelsOf(lacking).toLowerCase()}. Which column has it? ${same}`
    : `We can’t find these: ${labelsOf(lacking)}. Which columns have them? ${same}`
}

/** The first obstacle in tab order, or undefined if there is none. */
export function obstacleOf(input: ObstacleInput): Obstacle | undefined {
  const { file, columns, mappingJson, defaultsJson, lacking, unclearMoney, editsRead } = input
  if (file === undefined) return { tab: 'upload', sentence: 'Please choose a CSV or CSV.GZ file' }
  if (file.records === 0) return { tab: 'upload', sentence: 'The file has a header but no rows' }
  if (mappingJson.problem !== undefined) return { tab: 'mapping', sentence: mappingJson.problem }
  if (Object.keys(columns.mapping).length === 0) {
    return { tab: 'mapping', sentence: 'Provide a mapping JSON or select a template' }
  }
  if (defaultsJson.problem !== undefined) return { tab: 'defaults', sentence: defaultsJson.problem }
  if (lacking.length > 0) {
    return { tab: 'mapping', sentence: lackingWords(lacking, input.splits) }
  }
  const [question] = unclearMoney
  if (question !== undefined) {
    const { value, header } = question
    return { tab: 'mapping', sentence: `Choose what “${value}” means in the column “${header}”` }
  }
  if (editsRead) return undefined
  return { tab: 'validate', sentence: 'Your corrections are still loading. Try again in a moment.' }
}
