import { Button, Group, Modal, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { MappingTemplate } from '#contract/imports.ts'
import type { SaidReading } from '#contract/yard-file/reading.ts'
import { readFieldsJson } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/fields-json.ts'
import { importSentence } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/import-failures.ts'
import { useSaveTemplate } from './use-templates.ts'

type SaveTemplateProps = {
  mappingJson: string
  /** What was chosen of the file's reading; the next file is read so too. */
  said: SaidReading
  /** Administrators alone make templates for everybody. */
  isAdmin: boolean
  onClose: () => void
  onSaved: (template: MappingTemplate) => void
}

const scopes = [
  { value: 'USER', label: 'Only me (USER)' },
  { value: 'GLOBAL', label: 'Everybody (GLOBAL)' },
]

export function SaveTemplate({ mappingJson, said, isAdmin, onClose, onSaved }: SaveTemplateProps) {
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [scope, setScope] = useState<MappingTemplate['scope']>('USER')
  const [problem, setProblem] = useState<string>()
  const { mutate: save, isPending } = useSaveTemplate(onSaved)
  const { sheet: _, rowOffset: __, ...reading } = said

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    event.stopPropagation()
    const written = readFieldsJson(mappingJson, {
      what: 'mapping',
      invalid: 'Mapping JSON is not valid JSON',
    })
    const missing = missingPart(name, mappingJson) ?? written.problem
    setProblem(missing)
    if (missing !== undefined || written.problem !== undefined) return
    save(
      {
        name: name.trim(),
        scope,
        mapping: written.fields,
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
            Next time a file with these columns needs no matching
            {Object.keys(reading).length > 0 && ', and is read as you said this one is'}.
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
          {isAdmin && (
            <Select
              label="Who may use it"
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

function missingPart(name: string, mappingJson: string): string | undefined {
  if (name.trim() === '') return 'Template name is required'
  return mappingJson.trim() === '' ? 'Mapping JSON is required' : undefined
}
