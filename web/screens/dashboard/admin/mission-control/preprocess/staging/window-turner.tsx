import { Alert, Button, Group, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { formatCount } from '#web/components/imports/import-words.ts'
import { type OpenFile, WINDOW_ROWS } from './staged-file.ts'
import type { StagedFileDesk } from './use-staged-file.ts'

type WindowTurnerProps = { open: Extract<OpenFile, { kind: 'window' }>; desk: StagedFileDesk }

/** Walks through a file that is too large to be shown at once. */
export function WindowTurner({ open, desk }: WindowTurnerProps) {
  const { root, path, from, rows, window } = open
  const [wanted, setWanted] = useState('')
  const to = from + window.length
  const goTo = (row: number) => desk.load({ root, path }, Math.max(0, row))
  const jump = (event: FormEvent) => {
    event.preventDefault()
    const row = Number(wanted)
    if (Number.isInteger(row) && row >= 1) goTo(Math.min(row, rows) - 1)
  }
  return (
    <Alert color="sea" variant="light" mb="xs" role="note">
      <Text size="sm" mb="xs">
        This file is larger than 8 MB, so its rows are edited {formatCount(WINDOW_ROWS)} at a time and only
        changed cells are saved.
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={from === 0} onClick={() => goTo(from - WINDOW_ROWS)}>
          Prev
        </Button>
        <Text size="sm" fw={600}>
          Rows {formatCount(Math.min(from + 1, rows))} to {formatCount(to)} of {formatCount(rows)}
        </Text>
        <Button size="xs" variant="default" disabled={to >= rows} onClick={() => goTo(to)}>
          Next
        </Button>
        <form onSubmit={jump}>
          <Group gap="xs" wrap="nowrap">
            <TextInput
              size="xs"
              w="7rem"
              aria-label="Go to row"
              placeholder="Row"
              inputMode="numeric"
              value={wanted}
              onChange={(event) => setWanted(event.currentTarget.value)}
            />
            <Button size="xs" variant="default" type="submit">
              Go
            </Button>
          </Group>
        </form>
      </Group>
    </Alert>
  )
}
