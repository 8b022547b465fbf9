import { Button, Checkbox, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { replacer, type Search } from '#web/components/data-grid/cell-writes.ts'
import type { FieldWrite } from '#web/components/data-grid/sheet.ts'
import { textOf } from '#web/components/data-grid/sheet-row.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyDone, notifyInfo } from '#web/components/toasts.tsx'
import { cellField, type FixingSheet } from './fixing-sheet.ts'
import classes from './validate.module.css'

type ReplaceDialogProps = {
  fixing: FixingSheet
  at: number
  onClose: () => void
}

const MAX_VALUES = 8

/** Replaces a wrong value in all rows of a column, as one undoable step. */
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
    const { changed, undoReplace } = fixing.replace(writes)
    fixing.grid.announce(`Replaced in ${rowsInWords(changed)}`)
    notifyDone(`Replaced in ${rowsInWords(changed)}`, {
      about: 'rows',
      action: { label: 'Undo', run: () => undoReplace() || notifyChangedSince() },
    })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={`Replace in “${header}”`}>
      {values.length === 0 ? (
        <Text>No rows have errors in this column anymore.</Text>
      ) : (
        <form onSubmit={replace} noValidate>
          <Stack gap="md">
            <div>
              <Text size="sm" fw={600} mb={6}>
                Wrong values
              </Text>
              <div className={classes.values}>
                {values.slice(0, MAX_VALUES).map(({ text, count }) => (
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

const notifyChangedSince = () =>
  notifyInfo('Rows have changed since then. Use “Undo” above the rows to go back step by step.', {
    about: 'rows',
  })

const shortened = (text: string) => (text.length > 24 ? `${text.slice(0, 23)}…` : text)

export type WrongValue = { text: string; count: number }

/** A column's values that still have errors, most frequent first. */
export function wrongValues(fixing: FixingSheet, at: number): WrongValue[] {
  const counts = new Map<string, number>()
  for (const row of fixing.rows()) {
    const field = cellField(at)
    if (row.broken[field] === undefined) continue
    const text = textOf(row, field)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .toSorted((one, other) => other.count - one.count)
}

/** The edits that replace a value in a column's wrong cells. An empty search matches empty cells. */
export function replacements(
  fixing: FixingSheet,
  at: number,
  search: Search,
  replacement: string,
): FieldWrite[] {
  const field = cellField(at)
  const replace =
    search.find === ''
      ? (text: string) => (text.trim() === '' ? replacement : undefined)
      : replacer(search, replacement)
  return fixing.rows().flatMap((row): FieldWrite[] => {
    if (row.broken[field] === undefined) return []
    const before = textOf(row, field)
    const text = replace(before)
    return text === undefined || text === before ? [] : [{ id: row.id, field, text }]
  })
}
