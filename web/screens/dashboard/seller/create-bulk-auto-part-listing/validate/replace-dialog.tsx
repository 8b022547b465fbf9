import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyDone, notifyInfo } from '#web/components/toasts.tsx'
import type { FixingSheet } from './fixing-sheet.ts'
import classes from './validate.module.css'
import { replacements, wrongValues } from './wrong-values.ts'

type ReplaceDialogProps = {
  fixing: FixingSheet
  /** The place of the column in the file. */
  at: number
  onClose: () => void
}

const MOST_VALUES = 8

/** The same mistake in a column, put right in all rows that have it; one undo takes it back. */
export function ReplaceDialog({ fixing, at, onClose }: ReplaceDialogProps) {
  const header = fixing.headers[at] ?? ''
  const [values] = useState(() => wrongValues(fixing, at))
  const [find, setFind] = useState(values[0]?.text ?? '')
  const [wholeCell, setWholeCell] = useState(true)
  const [replacement, setReplacement] = useState('')
  const writes = replacements(fixing, at, { find, matchCase: false, wholeCell }, replacement)

  function replace(event: FormEvent): void {
    event.preventDefault()
    event.stopPropagation()
    const { changed, takeBack } = fixing.replace(writes)
    fixing.grid.say(`Replaced in ${rowsInWords(changed)}`)
    notifyDone(`Replaced in ${rowsInWords(changed)}`, {
      about: 'rows',
      action: { label: 'Undo', run: () => takeBack() || tellLater() },
    })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Replace in “${header}”`}>
      {values.length === 0 ? (
        <Text>No row that is open here has an error in this column any more.</Text>
      ) : (
        <form onSubmit={replace} noValidate>
          <Stack gap="md">
            <div>
              <Text size="sm" fw={600} mb={6}>
                Wrong values
              </Text>
              <div className={classes.values}>
                {values.slice(0, MOST_VALUES).map(({ text, count }) => (
                  <Button
                    key={text}
                    size="xs"
                    variant={text === find ? 'light' : 'default'}
                    color="sea"
                    aria-pressed={text === find}
                    onClick={() => setFind(text)}
                  >
                    {text === '' ? 'empty' : `“${shortened(text)}”`} · {rowsInWords(count)}
                  </Button>
                ))}
              </div>
            </div>
            <TextInput
              label="Find"
              placeholder="empty cells"
              value={find}
              onChange={(event) => setFind(event.currentTarget.value)}
            />
            <Checkbox
              label="Whole cell"
              checked={wholeCell}
              onChange={(event) => setWholeCell(event.currentTarget.checked)}
            />
            <TextInput
              label="Replace with"
              value={replacement}
              onChange={(event) => setReplacement(event.currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end" gap="sm">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button type="submit" disabled={writes.length === 0}>
                Replace in {rowsInWords(writes.length)}
              </Button>
            </Group>
          </Stack>
        </form>
      )}
    </Modal>
  )
}

const tellLater = () =>
  notifyInfo('Rows were changed since then. “Undo” above the rows takes back one step after another.', {
    about: 'rows',
  })

const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text)
