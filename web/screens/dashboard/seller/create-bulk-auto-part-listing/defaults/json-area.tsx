import { Button, Stack, Textarea } from '@mantine/core'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { FieldsJson } from './fields-json.ts'

type JsonAreaProps = {
  label: string
  description: string
  placeholder: string
  json: FieldsJson
  disabled: boolean
}

/** Collapsed by default: most sellers use the inputs. */
export function JsonArea({ label, description, placeholder, json, disabled }: JsonAreaProps) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  const shown = opened || json.problem !== undefined
  const Chevron = shown ? IconChevronDown : IconChevronRight
  return (
    <Stack gap="xs" align="stretch">
      <div>
        <Button
          variant="subtle"
          color="gray"
          size="compact-md"
          leftSection={<Chevron size={18} aria-hidden />}
          aria-expanded={shown}
          aria-controls={id}
          onClick={() => setOpened(!shown)}
        >
          Advanced: {label}
        </Button>
      </div>
      <div id={id}>
        {shown && (
          <Textarea
            label={label}
            description={description}
            placeholder={placeholder}
            value={json.text}
            onChange={(event) => json.write(event.currentTarget.value)}
            error={json.problem}
            disabled={disabled}
            autosize
            minRows={4}
            maxRows={20}
            spellCheck={false}
            styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          />
        )}
      </div>
    </Stack>
  )
}
