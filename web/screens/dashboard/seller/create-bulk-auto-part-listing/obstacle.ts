import type { ImportField } from '#contract/import-fields.ts'
import { type ColumnChoice, labelsOf } from './mapping/column-choice.ts'
import type { OpenMoney } from './mapping/open-money.ts'
import type { ImportFile } from './reading/import-file.ts'
import type { FieldsJson } from './use-fields-json.ts'
import type { WizardTab } from './wizard-tabs.ts'

/** What keeps the rows from being checked, and the tab where it is put right. */
export type Obstacle = { tab: WizardTab; sentence: string }

/** What a run depends on. */
export type RunInput = {
  file: Pick<ImportFile, 'records'> | undefined
  columns: Pick<ColumnChoice, 'mapping'>
  mappingJson: Pick<FieldsJson, 'problem'>
  defaultsJson: Pick<FieldsJson, 'problem'>
  /** Needed fields that have neither column nor default. */
  lacking: readonly ImportField[]
  openMoney: readonly OpenMoney[]
  editsRead: boolean
}

/** The first one, in the order in which they are met; undefined where the way is free. */
export function obstacleOf(input: RunInput): Obstacle | undefined {
  return obstacleOfFile(input) ?? obstacleOfColumns(input) ?? obstacleOfValues(input)
}

function obstacleOfFile({ file }: RunInput): Obstacle | undefined {
  if (file === undefined) return { tab: 'upload', sentence: 'Please choose a CSV or CSV.GZ file' }
  if (file.records > 0) return undefined
  return { tab: 'upload', sentence: 'The file has a header and no rows' }
}

function obstacleOfColumns({ columns, mappingJson, defaultsJson, lacking }: RunInput): Obstacle | undefined {
  if (mappingJson.problem !== undefined) return { tab: 'mapping', sentence: mappingJson.problem }
  if (Object.keys(columns.mapping).length === 0) {
    return { tab: 'mapping', sentence: 'Provide a mapping JSON or select a template' }
  }
  if (defaultsJson.problem !== undefined) return { tab: 'defaults', sentence: defaultsJson.problem }
  if (lacking.length === 0) return undefined
  const what = lacking.length === 1 ? 'its column' : 'their columns'
  return {
    tab: 'mapping',
    sentence: `Every row needs: ${labelsOf(lacking)}. Choose ${what}, or give one value for all rows under Defaults.`,
  }
}

function obstacleOfValues({ openMoney: [question], editsRead }: RunInput): Obstacle | undefined {
  if (question !== undefined) {
    const { value, header } = question
    return { tab: 'mapping', sentence: `Say what “${value}” means in the column “${header}”` }
  }
  if (editsRead) return undefined
  return { tab: 'validate', sentence: 'Your corrections are being read. Try again in a moment.' }
}
