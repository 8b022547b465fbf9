import { Button, Group, Popover, Stack, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useGridState, useSheetView } from '#web/components/data-grid/use-grid.ts'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import type { StagedSheet } from './staged-sheet.ts'

type GridShapeProps = { staged: StagedSheet; isPart: boolean }

/** Adds and deletes rows and columns; undo takes each of these steps back. */
export function GridShape({ staged, isPart }: GridShapeProps) {
  const { grid, sheet } = staged
  const { ids } = useSheetView(sheet)
  useGridState(grid)
  const { top, bottom, left, right } = grid.range()
  const isEmpty = ids.length === 0
  const hasColumns = grid.columns.length > 0
  const act = (step: () => void) => () => {
    step()
    grid.focus()
  }
  return (
    <Group gap="xs" role="toolbar" aria-label="Rows and columns" mb="xs">
      <Button size="xs" variant="default" onClick={act(() => staged.addRow())}>
        Add Row
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={isEmpty}
        title={isEmpty ? undefined : `Deletes ${rowsInWords(bottom - top + 1)}: those that are selected`}
        onClick={act(() => grid.say(`${rowsInWords(staged.deleteRows())} deleted`))}
      >
        Delete Row
      </Button>
      <AddColumn staged={staged} />
      <Button
        size="xs"
        variant="default"
        disabled={!hasColumns || isPart}
        title={
          isPart
            ? 'Not all rows of this file are here. Clear the cells of the column instead.'
            : `Deletes the selected ${right > left ? 'columns' : 'column'}`
        }
        onClick={act(() => staged.deleteColumns(staged.selectedColumns()))}
      >
        Delete Column
      </Button>
    </Group>
  )
}

function AddColumn({ staged }: { staged: StagedSheet }) {
  const [opened, setOpened] = useState(false)
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<string>()
  const add = (event: FormEvent) => {
    event.preventDefault()
    event.stopPropagation()
    const wanted = name.trim()
    const wrong = columnProblem(wanted, staged.names())
    setProblem(wrong)
    if (wrong !== undefined) return
    staged.addColumn(wanted)
    setName('')
    setOpened(false)
  }
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button size="xs" variant="default" onClick={() => setOpened(!opened)}>
          Add Column
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        <form onSubmit={add}>
          <Stack gap="xs">
            <TextInput
              label="Name of the column"
              value={name}
              error={problem}
              maxLength={200}
              autoComplete="off"
              data-autofocus
              onChange={(event) => setName(event.currentTarget.value)}
            />
            <Button type="submit" size="xs">
              Add
            </Button>
          </Stack>
        </form>
      </Popover.Dropdown>
    </Popover>
  )
}

function columnProblem(name: string, names: readonly string[]): string | undefined {
  if (name === '') return 'Type a name, such as partgrade'
  return names.includes(name) ? 'There is such a column already' : undefined
}
