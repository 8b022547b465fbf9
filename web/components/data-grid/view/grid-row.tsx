// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the only tab stop and names its active cell
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned individually, which table rows cannot be
import { IconAlertTriangleFilled, IconArrowsExchange } from '@tabler/icons-react'
import { type KeyboardEvent, memo, useId, useMemo, useRef } from 'react'
import { type GridColumn, isEditable } from '#web/components/data-grid/columns.ts'
import {
  type Editing,
  type Grid,
  type RowMarks,
  readMarks,
  useRowMarks,
  useSheetRow,
} from '#web/components/data-grid/grid.ts'
import { commitText } from '#web/components/data-grid/grid-edits.ts'
import { arrows, isSaveKey } from '#web/components/data-grid/grid-keys.ts'
import { isOneCell } from '#web/components/data-grid/selection.ts'
import { conflictsOf, problemOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import classes from './data-grid.module.css'

type CellEditorProps = { grid: Grid; column: GridColumn; editing: Editing }

function exitFor(
  { key, ctrlKey, metaKey, shiftKey }: KeyboardEvent,
  mode: Editing['mode'],
): 'cancel' | 'everywhere' | ((grid: Grid) => void) | undefined {
  if (key === 'Escape') return 'cancel'
  if (key === 'Enter' && (ctrlKey || metaKey)) return 'everywhere'
  if (key === 'Enter') return (grid) => grid.move({ rows: shiftKey ? -1 : 1, columns: 0 })
  if (key === 'Tab') return (grid) => void grid.tab(shiftKey)
  const step = mode === 'type' ? arrows[key] : undefined
  return step && ((grid) => grid.move(step))
}

/** The input in a cell. It is uncontrolled: nothing rerenders while the user types. */
function CellEditor({ grid, column, editing }: CellEditorProps) {
  const ended = useRef(false)
  const choices = useId()
  const end = (text: string, everywhere = false) => {
    ended.current = true
    commitText(grid, text, everywhere)
    grid.focus()
  }
  const cancel = () => {
    ended.current = true
    grid.stopEditing()
    grid.focus()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const text = event.currentTarget.value
    // The grid or the page saves, including this text.
    if (isSaveKey(event)) return end(text)
    event.stopPropagation()
    const exit = exitFor(event, editing.mode)
    if (exit === undefined) return
    event.preventDefault()
    if (exit === 'cancel') return cancel()
    // Writing to several cells keeps them selected.
    const stays = exit === 'everywhere' || !isOneCell(grid.range())
    end(text, exit === 'everywhere')
    if (!stays) exit(grid)
  }
  return (
    <>
      <input
        className={classes.editor}
        // biome-ignore lint/a11y/noAutofocus: the user opened this field by a key or a click
        autoFocus
        aria-label={column.label}
        defaultValue={editing.text}
        inputMode={column.decimals === undefined ? undefined : 'decimal'}
        list={column.choices ? choices : undefined}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => editing.mode === 'edit' && event.currentTarget.select()}
        onKeyDown={press}
        onBlur={(event) => {
          if (ended.current) return
          ended.current = true
          commitText(grid, event.currentTarget.value)
        }}
      />
      {column.choices && (
        <datalist id={choices}>
          {column.choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
    </>
  )
}

type RowProps = {
  grid: Grid
  id: string
  index: number
  top: number
  columns: readonly GridColumn[]
  cellId: (row: string, column: string) => string
}

/** Rerenders only if the row itself or its selection changes. */
export const GridRow = memo(function GridRow(props: RowProps) {
  const { grid, id, index, top, columns } = props
  const row = useSheetRow(grid.sheet, id)
  const marked = useRowMarks(grid, index)
  const marks = useMemo(() => readMarks(marked), [marked])
  if (!row) return null
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      data-row={index}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      {columns.map((column, place) => (
        <GridCell key={column.key} {...props} row={row} column={column} place={place} marks={marks} />
      ))}
    </div>
  )
})

type CellProps = RowProps & { row: SheetRow; column: GridColumn; place: number; marks: RowMarks }

function GridCell(props: CellProps) {
  const { grid, id, row, column, place, marks, cellId } = props
  const ownId = cellId(id, column.key)
  const state = cellLook(row, column)
  const isWrong = state.problem !== undefined || state.conflict
  const editing = marks.editing === place ? grid.state().editing : undefined
  return (
    <div
      role="gridcell"
      id={ownId}
      aria-colindex={place + 1}
      data-column={place}
      className={classes.cell}
      aria-readonly={!isEditable(column)}
      aria-invalid={isWrong || undefined}
      aria-describedby={isWrong ? `${ownId}-problem` : undefined}
      data-changed={mark(state.changed)}
      data-conflict={mark(state.conflict)}
      data-locked={mark(!isEditable(column))}
      data-number={mark(column.decimals !== undefined)}
      data-frozen={mark(column.frozen === true)}
      title={state.problem}
      {...selectionLook(marks, place)}
    >
      {editing ? <CellEditor grid={grid} column={column} editing={editing} /> : contentOf(grid, column, row)}
      {isWrong && <Mark id={`${ownId}-problem`} conflict={state.conflict} problem={state.problem} />}
      {marks.handle === place && !editing && <span className={classes.handle} data-fill-handle aria-hidden />}
    </div>
  )
}

const mark = (is: boolean) => is || undefined

function cellLook(row: SheetRow, { field }: GridColumn) {
  if (field === undefined) return { changed: false, conflict: false, problem: undefined }
  const changed = row.pending[field] !== undefined
  // Only a changed cell can be in conflict.
  return { changed, conflict: changed && conflictsOf(row).includes(field), problem: problemOf(row, field) }
}

function selectionLook({ from, to, active, filling }: RowMarks, place: number) {
  const isInside = place >= from && place <= to
  return {
    'aria-selected': isInside && !filling,
    'data-active': mark(active === place),
    'data-selected': mark(isInside && !filling),
    'data-filling': mark(isInside && filling),
  }
}

function contentOf(grid: Grid, column: GridColumn, row: SheetRow) {
  if (column.field === undefined) return column.draw?.(row, grid)
  return <span className={classes.text}>{textOf(row, column.field)}</span>
}

/** An icon and a hidden sentence: color alone is not accessible. */
function Mark({ id, conflict, problem }: { id: string; conflict: boolean; problem: string | undefined }) {
  const Icon = conflict ? IconArrowsExchange : IconAlertTriangleFilled
  return (
    <>
      <Icon size={14} className={classes.sign} aria-hidden />
      <span id={id} hidden>
        {conflict ? 'Someone else changed this cell too. Open the row’s errors to choose.' : problem}
      </span>
    </>
  )
}
