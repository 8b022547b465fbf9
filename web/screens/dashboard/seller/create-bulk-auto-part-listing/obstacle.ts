import { labelsOf } from './column-choice.ts'
import type { Wizard } from './wizard.ts'
import type { WizardTab } from './wizard-tabs.ts'

/** What keeps the rows from being checked, and the tab where it is put right. */
export type Obstacle = { tab: WizardTab; sentence: string }

export type Considered = Pick<
  Wizard,
  'file' | 'columns' | 'mappingJson' | 'defaultsJson' | 'lacking' | 'openMoney' | 'editsRead'
>

/** The first one, in the order in which they are met; undefined where the way is free. */
export function obstacleOf(wizard: Considered): Obstacle | undefined {
  const { file, columns, mappingJson, defaultsJson, lacking, openMoney, editsRead } = wizard
  if (file === undefined) return { tab: 'upload', sentence: 'Please choose a CSV or CSV.GZ file' }
  if (file.records === 0) return { tab: 'upload', sentence: 'The file has a header and no rows' }
  if (mappingJson.problem !== undefined) return { tab: 'mapping', sentence: mappingJson.problem }
  if (Object.keys(columns.mapping).length === 0) {
    return { tab: 'mapping', sentence: 'Provide a mapping JSON or select a template' }
  }
  if (defaultsJson.problem !== undefined) return { tab: 'defaults', sentence: defaultsJson.problem }
  if (lacking.length > 0) {
    const sentence = `Every row needs: ${labelsOf(lacking)}. Choose ${lacking.length === 1 ? 'its column' : 'their columns'}, or give one value for all rows under Defaults.`
    return { tab: 'mapping', sentence }
  }
  const [question] = openMoney
  if (question !== undefined) {
    const sentence = `Say what “${question.value}” means in the column “${question.header}”`
    return { tab: 'mapping', sentence }
  }
  if (!editsRead) return { tab: 'validate', sentence: 'Your corrections are being read. Try again in a moment.' }
  return undefined
}
