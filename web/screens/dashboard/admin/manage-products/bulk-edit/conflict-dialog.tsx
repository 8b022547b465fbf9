import { Button, Group, Modal, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useSheetRow } from '#web/components/data-grid/grid.ts'
import type { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf, type SheetRow } from '#web/components/data-grid/sheet-row.ts'
import classes from './bulk-edit.module.css'
import { labelOf, titleOf } from './bulk-values.ts'

type Choice = 'mine' | 'theirs' | { text: string }

type ConflictDialogProps = {
  sheet: Sheet
  id: string
  onClose: () => void
}

/** Shows base, mine, and theirs for every conflicting cell; nothing is preselected. */
export function ConflictDialog({ sheet, id, onClose }: ConflictDialogProps) {
  const row = useSheetRow(sheet, id)
  const [choices, setChoices] = useState<Record<string, Choice>>({})
  const fields = row ? conflictsOf(row) : []
  const isChosen = fields.every((field) => choices[field] !== undefined)
  const choose = (field: string, choice: Choice) => setChoices({ ...choices, [field]: choice })
  const apply = () => {
    const chosen = fields.flatMap((field) => {
      const choice = choices[field]
      return choice === undefined ? [] : [[field, choice] as const]
    })
    sheet.resolve(id, Object.fromEntries(chosen))
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title="Also changed by someone else" size="lg">
      {row && (
        <Stack>
          <Text>{titleOf(row)}</Text>
          {row.errors.map((sentence) => (
            <Text key={sentence} className="second">
              {sentence}
            </Text>
          ))}
          {fields.map((field) => (
            <FieldConflict
              key={field}
              row={row}
              field={field}
              choice={choices[field]}
              onChoose={(choice) => choose(field, choice)}
            />
          ))}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Decide later
            </Button>
            <Button disabled={!isChosen} onClick={apply}>
              Use these values
            </Button>
          </Group>
        </Stack>
      )}
    </Modal>
  )
}

type FieldConflictProps = {
  row: SheetRow
  field: string
  choice: Choice | undefined
  onChoose: (choice: Choice) => void
}

const shown = (text: string) => (text === '' ? '(empty)' : text)

function FieldConflict({ row, field, choice, onChoose }: FieldConflictProps) {
  const { base = '', mine = '' } = row.pending[field] ?? {}
  const theirs = row.values[field] ?? ''
  const other = typeof choice === 'object' ? choice.text : mine
  const value = typeof choice === 'object' ? 'edit' : (choice ?? null)
  return (
    <Radio.Group
      label={labelOf(field)}
      description={`It was ${shown(base)} when you started.`}
      value={value}
      onChange={(name) => onChoose(name === 'edit' ? { text: other } : (name as 'mine' | 'theirs'))}
    >
      <Stack gap="xs" mt="xs">
        <Radio value="mine" label={`Keep mine: ${shown(mine)}`} className={classes.choice} />
        <Radio value="theirs" label={`Take theirs: ${shown(theirs)}`} className={classes.choice} />
        <Group gap="sm" wrap="nowrap" align="center">
          <Radio value="edit" label="Edit:" />
          <TextInput
            aria-label={`Another ${labelOf(field)}`}
            flex={1}
            value={other}
            onChange={(event) => onChoose({ text: event.currentTarget.value })}
          />
        </Group>
      </Stack>
    </Radio.Group>
  )
}
