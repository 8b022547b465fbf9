import {
  Alert,
  Button,
  Group,
  Popover,
  SegmentedControl,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import { type FormEvent, lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { useColumnLayout } from '#web/components/data-grid/columns.ts'
import { useGridState, useSheetView } from '#web/components/data-grid/grid.ts'
import { GridDesk, LiveWords } from '#web/components/data-grid/view/grid-desk.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { type OpenFile, WINDOW_ROWS } from './staged-file.ts'
import type { StagedSheet } from './staged-sheet.ts'
import classes from './staging.module.css'
import { type StagedFileDesk, useIsChanged } from './use-staged-file.ts'

// The editor's code is larger than the rest of the screen.
const JsonEditor = lazy(async () => ({ default: (await import('./json-editor.tsx')).JsonEditor }))

type EditorPanelProps = { desk: StagedFileDesk; onVersions: () => void }

/** The open file, as text or as a grid. */
export function EditorPanel({ desk, onVersions }: EditorPanelProps) {
  const { open, draft, setDraft, switchTo, shownAs, isLocked } = desk
  const changed = useIsChanged(draft)
  const onSave = () => void desk.save()
  return (
    <section aria-label="Editor">
      <Group justify="space-between" gap="xs" mb="xs">
        <Group gap="sm">
          <SegmentedControl
            aria-label="Edit as"
            size="xs"
            data={[
              { value: 'json', label: 'JSON', disabled: open.kind === 'window' },
              { value: 'csv', label: 'CSV' },
            ]}
            value={draft.mode}
            onChange={(mode) => switchTo(mode === 'csv' ? 'csv' : 'json')}
          />
          <Text size="sm" className="second" role="status">
            {open.version === undefined
              ? 'New file: nothing loaded'
              : `Version ${open.version} · ${rowsInWords(open.rows)}`}
            {changed && <strong className={classes.unsaved}> · Unsaved changes</strong>}
          </Text>
        </Group>
        <Button size="xs" variant="default" disabled={open.version === undefined} onClick={onVersions}>
          Versions
        </Button>
      </Group>
      {open.kind === 'window' && <WindowTurner open={open} desk={desk} />}
      <div className={classes.editor} inert={isLocked}>
        {draft.mode === 'json' ? (
          <Suspense fallback={<Skeleton height="clamp(22rem, calc(100dvh - 14rem), 46rem)" radius="lg" />}>
            <JsonEditor
              key={shownAs}
              text={draft.text}
              onSave={onSave}
              onEdit={() => setDraft((now) => (now.isChanged ? now : { ...now, isChanged: true }))}
            />
          </Suspense>
        ) : (
          <CsvEditor key={shownAs} staged={draft.sheet} isPart={open.kind === 'window'} onSave={onSave} />
        )}
      </div>
    </section>
  )
}

type CsvEditorProps = {
  staged: StagedSheet
  /** Only some rows of a large file are loaded. */
  isPart: boolean
  onSave: () => void
}

/** The rows as a spreadsheet. */
function CsvEditor({ staged, isPart, onSave }: CsvEditorProps) {
  const { grid, sheet } = staged
  const columns = useSyncExternalStore(sheet.subscribe, staged.columns)
  const controls = useColumnLayout(columns, 'stagingColumns', grid)
  return (
    <>
      <GridShape staged={staged} isPart={isPart} />
      {columns.length === 0 && (
        <Text className="second" mb="xs">
          No columns. Use “Add Column” to create the first one.
        </Text>
      )}
      <GridDesk
        grid={grid}
        controls={controls}
        label="Staged file as CSV"
        views={{ of: 'staging' }}
        onSave={onSave}
        onTooLong={(sentence) => notifyProblem(sentence.replace('load more rows', 'add rows'))}
        empty={<Text className="second">No rows. Use “Add Row” to create the first one.</Text>}
      />
      <LiveWords grid={grid} />
    </>
  )
}

type GridShapeProps = { staged: StagedSheet; isPart: boolean }

/** Adds and deletes rows and columns; each can be undone. */
function GridShape({ staged, isPart }: GridShapeProps) {
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
        title={isEmpty ? undefined : `Deletes the selection: ${rowsInWords(bottom - top + 1)}`}
        onClick={act(() => grid.announce(`${rowsInWords(staged.deleteRows())} deleted`))}
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
            ? 'Only some rows are loaded. Clear the column’s cells instead.'
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
              label="Column name"
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
  if (name === '') return 'Enter a name, such as partgrade'
  return names.includes(name) ? 'This column already exists' : undefined
}

type WindowTurnerProps = { open: Extract<OpenFile, { kind: 'window' }>; desk: StagedFileDesk }

/** Pages through a file that is too large to load at once. */
function WindowTurner({ open, desk }: WindowTurnerProps) {
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
        This file is larger than 8 MB: you edit {formatCount(WINDOW_ROWS)} rows at a time, and only changed
        cells are saved.
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
