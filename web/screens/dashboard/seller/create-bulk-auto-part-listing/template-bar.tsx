import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { useSession } from '#web/api/session.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { SearchSelect } from '#web/components/listing-lookups/search-select.tsx'
import { type ColumnChoice, choiceOf, suggestedChoice } from './column-choice.ts'
import { readMemory, remember } from './import-memory.ts'
import { SaveTemplate } from './save-template.tsx'
import { allTemplates, useDeleteTemplate, useTemplates } from './use-templates.ts'

type TemplateBarProps = {
  headers: readonly string[]
  mapping: ImportMapping
  onChoose: (choice: ColumnChoice) => void
}

/** Which columns are which, kept under a name for the next file of the same kind. */
export function TemplateBar({ headers, mapping, onChoose }: TemplateBarProps) {
  const { data: templates } = useTemplates()
  const all = allTemplates(templates)
  const [chosenId, setChosenId] = useState(() => readMemory().mappingId)
  const [saving, setSaving] = useState(false)
  const isAdmin = useSession().user?.role === 1
  const chosen = all.find(({ id }) => id === chosenId)

  function choose(template: MappingTemplate | undefined): void {
    setChosenId(template?.id ?? null)
    remember({ mappingId: template?.id ?? null })
  }
  function apply(id: string | null): void {
    const template = all.find((one) => one.id === id)
    choose(template)
    onChoose(template ? choiceOf(template, headers) : suggestedChoice(headers))
  }
  const { mutate: remove, isPending: removing } = useDeleteTemplate(() => choose(undefined))
  async function askToRemove({ id, name }: MappingTemplate): Promise<void> {
    const sure = await askToConfirm({
      title: `Delete the template “${name}”?`,
      text: 'The columns chosen on this page stay as they are, and so do earlier imports.',
      confirm: 'Delete template',
      destroys: true,
    })
    if (sure) remove(id)
  }

  const mayDelete = chosen !== undefined && (chosen.scope === 'USER' || isAdmin)
  return (
    <Group gap="sm" align="flex-end">
      <SearchSelect
        label="Template"
        flex="1 1 14rem"
        maw="26rem"
        data={[
          { group: 'Yours', items: optionsOf(templates?.mine) },
          { group: 'For everybody', items: optionsOf(templates?.global) },
        ].filter(({ items }) => items.length > 0)}
        value={chosen?.id ?? null}
        onChange={apply}
        clearable
        clearButtonProps={{ 'aria-label': 'Use no template' }}
        placeholder={all.length === 0 ? 'None saved yet' : 'Matched by the headers'}
        nothingFoundMessage="No such template"
      />
      <Button variant="default" onClick={() => setSaving(true)} disabled={Object.keys(mapping).length === 0}>
        Save as template
      </Button>
      {mayDelete && (
        <Button variant="subtle" color="bad" onClick={() => void askToRemove(chosen)} loading={removing}>
          Delete template
        </Button>
      )}
      {saving && (
        <SaveTemplate
          mapping={mapping}
          isAdmin={isAdmin}
          onClose={() => setSaving(false)}
          onSaved={(template) => {
            setSaving(false)
            choose(template)
          }}
        />
      )}
    </Group>
  )
}

const optionsOf = (templates: readonly MappingTemplate[] = []) =>
  templates.map(({ id, name }) => ({ value: id, label: name }))
