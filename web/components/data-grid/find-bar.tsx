import { Button, Checkbox, CloseButton, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { MatchArrows } from '#web/components/match-arrows.tsx'
import type { Grid } from './grid.ts'
import { findNext, replaceAll } from './grid-edits.ts'
import classes from './grid-toolbar.module.css'
import { isOneCell } from './selection.ts'
import { useGridState } from './use-grid.ts'

type FindBarProps = {
  grid: Grid
  onClose: () => void
  /** How many cells a replacement changed. */
  onReplaced: (cells: number) => void
}

/** Find and replace, in the selection or in all loaded rows. */
export function FindBar({ grid, onClose, onReplaced }: FindBarProps) {
  useGridState(grid)
  const [search, setSearch] = useState({ find: '', matchCase: false, wholeCell: false })
  const [replacement, setReplacement] = useState('')
  const place = isOneCell(grid.range()) ? 'all loaded rows' : 'selection'
  return (
    <section
      className={classes.find}
      aria-label="Find and replace"
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <TextInput
        label="Find"
        data-autofocus
        ref={focusOnce}
        value={search.find}
        onChange={(event) => setSearch({ ...search, find: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Enter' && findNext(grid, search, event.shiftKey)}
      />
      <Group gap={4} align="flex-end">
        <MatchArrows size={36} onFind={(backwards) => findNext(grid, search, backwards)} />
      </Group>
      <TextInput
        label="Replace with"
        value={replacement}
        onChange={(event) => setReplacement(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={search.find === ''}
        onClick={() => onReplaced(replaceAll(grid, search, replacement))}
      >
        Replace in {place}
      </Button>
      <Group gap="md" mih={36}>
        <Checkbox
          label="Match case"
          checked={search.matchCase}
          onChange={(event) => setSearch({ ...search, matchCase: event.currentTarget.checked })}
        />
        <Checkbox
          label="Whole cell"
          checked={search.wholeCell}
          onChange={(event) => setSearch({ ...search, wholeCell: event.currentTarget.checked })}
        />
      </Group>
      <CloseButton aria-label="Close find and replace" ml="auto" onClick={onClose} />
    </section>
  )
}

const focusOnce = (field: HTMLInputElement | null) => field?.focus()
