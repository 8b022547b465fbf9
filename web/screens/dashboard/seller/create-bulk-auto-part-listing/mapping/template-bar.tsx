import { Button, Group } from '@mantine/core'
import { useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import { useProductName } from '#web/api/site.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { SearchSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { SaveTemplate } from './save-template.tsx'
import { useDeleteTemplate } from './use-templates.ts'

/** Which columns are which, kept under a name for the next file of the same kind. */
export function TemplateBar({ wizard }: { wizard: Wizard }) {
  const { templates, columns, chooseTemplate, locked } = wizard
  const [saving, setSaving] = useState(false)
  const isAdmin = wizard.user.role === 1
  const chosen = templates.find(({ id }) => id === columns.templateId)
  const standardName = `${useProductName()} Standard CSV v1`
  const standard = templates.find(({ name, scope }) => name === standardName && scope === 'GLOBAL')
  const { mutate: remove, isPending: removing } = useDeleteTemplate(wizard.templateGone)

  async function askToRemove({ id, name }: MappingTemplate): Promise<void> {
    const sure = await askToConfirm({
      title: `Delete the template “${name}”?`,
      text: 'The columns chosen on this page stay as they are, and so do earlier imports.',
      confirm: 'Delete template',
      destroys: true,
    })
    if (sure) remove(id)
  }

  const mayDelete = chosen !== undefined && !chosen.shipped && (chosen.scope === 'USER' || isAdmin)
  return (
    <Group gap="sm" align="flex-end">
      <SearchSelect
        label="Template"
        flex="1 1 14rem"
        maw="26rem"
        data={[
          { group: 'Mine', items: optionsOf(templates, 'USER') },
          { group: 'Global', items: optionsOf(templates, 'GLOBAL') },
        ].filter(({ items }) => items.length > 0)}
        value={chosen?.id ?? null}
        onChange={(id) => chooseTemplate(templates.find((one) => one.id === id))}
        clearable
        clearButtonProps={{ 'aria-label': 'Use no template' }}
        placeholder={templates.length === 0 ? 'None saved yet' : 'None: matched by headers and values'}
        nothingFoundMessage="No such template"
        disabled={locked}
      />
      {standard && standard !== chosen && (
        <Button variant="default" onClick={() => chooseTemplate(standard)} disabled={locked}>
          Use the standard template
        </Button>
      )}
      <Button
        variant="default"
        onClick={() => setSaving(true)}
        disabled={locked || (Object.keys(columns.mapping).length === 0 && wizard.file === undefined)}
      >
        Save as template
      </Button>
      {mayDelete && (
        <Button
          variant="subtle"
          color="bad"
          onClick={() => void askToRemove(chosen)}
          loading={removing}
          disabled={locked}
        >
          Delete template
        </Button>
      )}
      {saving && (
        <SaveTemplate
          mappingJson={wizard.mappingJson.text}
          said={wizard.said}
          isAdmin={isAdmin}
          onClose={() => setSaving(false)}
          onSaved={(template) => {
            setSaving(false)
            wizard.templateSaved(template)
          }}
        />
      )}
    </Group>
  )
}

const optionsOf = (templates: readonly MappingTemplate[], scope: MappingTemplate['scope']) =>
  templates.filter((one) => one.scope === scope).map(({ id, name }) => ({ value: id, label: name }))
