import type { User } from '#contract/accounts.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { readMemory, remember } from './import-memory.ts'
import {
  choiceOf,
  missingFields,
  suggestedChoice,
  withMapping,
  withoutTemplate,
} from './mapping/column-choice.ts'
import { openMoney } from './mapping/open-money.ts'
import { useColumns } from './mapping/use-columns.ts'
import { useProposers } from './mapping/use-proposers.ts'
import { useFieldsJson } from './use-fields-json.ts'
import { usePreparation } from './use-preparation.ts'
import { useWizardFile } from './use-wizard-file.ts'
import { useKeptEdits } from './validate/use-kept-edits.ts'

const mappingWords = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const
const defaultsWords = { what: 'defaults', invalid: 'Defaults JSON is not valid' } as const

/** All that a run depends on: the file, its columns, values and corrections. `onChange`: what was found is about others. */
export function useRunInput(user: User, onChange: () => void) {
  const proposers = useProposers()
  const templates = proposers?.templates ?? []
  const opened = useWizardFile(templates)
  const chosen = useColumns(opened.file, proposers)
  const { columns } = chosen
  const prepared = usePreparation(user)
  // Nobody sees a file before its columns are proposed.
  const file = chosen.proposed ? opened.file : undefined
  const { edits, setEdits, isRead: editsRead } = useKeptEdits(file)
  const changing =
    <A>(change: (next: A) => void) =>
    (next: A): void => {
      change(next)
      onChange()
    }
  const setColumns = changing(chosen.setColumns)
  const setDefaults = changing(prepared.setDefaults)

  return {
    file,
    opened,
    prepared,
    templates,
    chooseTemplate(template: MappingTemplate | undefined): void {
      remember({ mappingId: template?.id ?? null })
      const proposal = file && suggestedChoice({ ...file, dictionary: proposers?.dictionary })
      setColumns(template ? choiceOf(template, file?.headers) : (proposal ?? columns))
      if (template?.reading && file) void opened.readAs(template.reading)
    },
    templateSaved({ id }: MappingTemplate): void {
      remember({ mappingId: id })
      chosen.setColumns({ ...columns, templateId: id })
    },
    templateGone(id: string): void {
      if (readMemory().mappingId === id) remember({ mappingId: null })
      if (columns.templateId === id) chosen.setColumns(withoutTemplate(columns))
    },
    columns,
    setColumns,
    mappingJson: useFieldsJson(
      columns.mapping,
      (mapping) => setColumns(withMapping(columns, mapping)),
      mappingWords,
    ),
    defaults: prepared.defaults,
    setDefaults,
    defaultsJson: useFieldsJson(prepared.defaults, setDefaults, defaultsWords),
    readAs: changing(opened.readAs),
    edits,
    setEdits,
    editsRead,
    lacking: missingFields(columns.mapping, prepared.defaults),
    openMoney: file ? openMoney(file, columns.mapping) : [],
    unsaved: columns.touched || prepared.defaultsTouched || edits.size > 0,
  }
}

export type ChosenInput = ReturnType<typeof useRunInput>
