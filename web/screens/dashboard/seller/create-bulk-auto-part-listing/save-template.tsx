import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import type { ImportMapping } from '#contract/import-fields.ts'
import type { MappingTemplate } from '#contract/mapping-templates.ts'
import { useProductName } from '#web/api/use-site.ts'
import { importSentence } from './import-failures.ts'
import { useSaveTemplate } from './use-templates.ts'

type SaveTemplateProps = {
  mapping: ImportMapping
  /** Administrators alone make templates for everybody. */
  isAdmin: boolean
  onClose: () => void
  onSaved: (template: MappingTemplate) => void
}

const scopes = [
  { value: 'USER', label: 'For me' },
  { value: 'GLOBAL', label: 'For everybody' },
]

export function SaveTemplate({ mapping, isAdmin, onClose, onSaved }: SaveTemplateProps) {
  const product = useProductName()
  const [name, setName] = useState(`${product} Standard CSV v1`)
  const [scope, setScope] = useState<MappingTemplate['scope']>('USER')
  const [problem, setProblem] = useState<string>()
  const { mutate: save, isPending } = useSaveTemplate(onSaved)

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    event.stopPropagation()
    const named = name.trim() !== ''
    setProblem(named ? undefined : 'Template name is required')
    if (!named) return
    save(
      { name: name.trim(), scope, mapping },
      {
        onError: (error) => setProblem(`Save failed: ${importSentence(error, 'no answer from the server')}`),
      },
    )
  }
  return (
    <Modal opened onClose={onClose} title="Save as template">
      <form onSubmit={submit} noValidate>
        <Stack gap="md">
          <Text className="second">Next time a file with these columns needs no matching.</Text>
          <TextInput
            label="Template name"
            required
            value={name}
            maxLength={120}
            onChange={(event) => setName(event.currentTarget.value)}
            error={problem}
            data-autofocus
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
