import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import { useProductName } from '#web/api/site.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { SearchSelect } from '#web/components/listing-lookups/lookup-selects.tsx'
import type { FieldsJson } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/import-failures.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import { useDeleteTemplate, useSaveTemplate } from './use-columns.ts'

/** Saved column mappings for files of the same kind. */
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
      text: 'The columns on this page and earlier imports won’t change.',
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
          wizard={wizard}
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

type SaveTemplateProps = {
  wizard: Wizard
  onClose: () => void
  onSaved: (template: MappingTemplate) => void
}

const scopes = [
  { value: 'USER', label: 'Only me (USER)' },
  { value: 'GLOBAL', label: 'Everyone (GLOBAL)' },
]

function SaveTemplate({
  wizard: { user, mappingJson, columns, overrides },
  onClose,
  onSaved,
}: SaveTemplateProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [scope, setScope] = useState<MappingTemplate['scope']>('USER')
  const [problem, setProblem] = useState<string>()
  const { mutate: save, isPending } = useSaveTemplate(onSaved)
  const { sheet: _, sheets: __, ruler: ___, attributes: ____, rowOffset: _____, ...reading } = overrides

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    event.stopPropagation()
    const missing = missingPart(name, mappingJson)
    setProblem(missing)
    if (missing !== undefined) return
    save(
      {
        name: name.trim(),
        scope,
        mapping: columns.mapping,
        description: description.trim() || null,
        reading: Object.keys(reading).length > 0 ? reading : null,
      },
      {
        onError: (error) => setProblem(`Save failed: ${importSentence(error, 'no answer from the server')}`),
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title="Save as template">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text className="second">
            Files with these columns will be matched automatically
            {Object.keys(reading).length > 0 && ' and read with the same settings'}.
          </Text>
          <TextInput
            label="Template name"
            required
            value={name}
            maxLength={120}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
            data-autofocus
          />
          <Textarea
            label="Description"
            value={description}
            maxLength={2_000}
            onChange={(event) => setDescription(event.currentTarget.value)}
            autosize
            minRows={2}
          />
          {/* Only administrators can create global templates. */}
          {user.role === 1 && (
            <Select
              label="Who can use it"
              data={scopes}
              value={scope}
              onChange={(value) => setScope(value === 'GLOBAL' ? 'GLOBAL' : 'USER')}
              allowDeselect={false}
            />
          )}
          <Group gap="sm" justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isPending}>
              Save template
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}

function missingPart(name: string, { text, problem }: FieldsJson): string | undefined {
  if (name.trim() === '') return 'Template name is required'
  return text.trim() === '' ? 'Mapping JSON is required' : problem
}
