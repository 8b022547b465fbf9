// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the one tab stop and names its active cell
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by themselves, as those of a table cannot be
import { IconAlertTriangleFilled, IconArrowsExchange } from '@tabler/icons-react'
import { type KeyboardEvent, memo, type ReactNode, useId, useMemo, useRef } from 'react'
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
import { isSaveKey } from '#web/components/data-grid/grid-keys.ts'
import { isOneCell } from '#web/components/data-grid/selection.ts'
import { conflictsOf, problemOf, type SheetRow, textOf } from '#web/components/data-grid/sheet-row.ts'
import classes from './data-grid.module.css'

type CellEditorProps = {
  grid: Grid
  column: GridColumn
  editing: Editing
  /** Gives the focus back to the grid. */
  onEnd: () => void
}

const moves: Record<string, { rows: number; columns: number }> = {
  ArrowUp: { rows: -1, columns: 0 },
  ArrowDown: { rows: 1, columns: 0 },
  ArrowLeft: { rows: 0, columns: -1 },
  ArrowRight: { rows: 0, columns: 1 },
}

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>
const hasControl = ({ ctrlKey, metaKey }: Press) => ctrlKey || metaKey

/** How a key ends the writing; undefined where it belongs to the text. */
function wayOut(
  press: Press,
  mode: Editing['mode'],
): 'cancel' | 'everywhere' | ((grid: Grid) => void) | undefined {
  const { key, shiftKey } = press
  if (key === 'Escape') return 'cancel'
  if (key === 'Enter' && hasControl(press)) return 'everywhere'
  if (key === 'Enter') return (grid) => grid.move({ rows: shiftKey ? -1 : 1, columns: 0 })
  if (key === 'Tab') return (grid) => void grid.tab(shiftKey)
  const step = mode === 'type' ? moves[key] : undefined
  return step && ((grid) => grid.move(step))
}

/** The field in a cell. Letters stay in it: no other part of the page is drawn while one types. */
function CellEditor({ grid, column, editing, onEnd }: CellEditorProps) {
  const ended = useRef(false)
  const choices = useId()
  const end = (text: string, everywhere = false) => {
    ended.current = true
    commitText(grid, text, everywhere)
    onEnd()
  }
  const cancel = () => {
    ended.current = true
    grid.stopEditing()
    onEnd()
  }
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    const text = event.currentTarget.value
    // The grid or the page saves, with what is written here.
    if (isSaveKey(event)) return end(text)
    event.stopPropagation()
    const way = wayOut(event, editing.mode)
    if (way === undefined) return
    event.preventDefault()
    if (way === 'cancel') return cancel()
    // What goes to several cells leaves them selected.
    const stays = way === 'everywhere' || !isOneCell(grid.range())
    end(text, way === 'everywhere')
    if (!stays) way(grid)
  }
  return (
    <>
      <input
        className={classes.editor}
        // The person asked for this field by a key or a click.
        // biome-ignore lint/a11y/noAutofocus: the cell that is being written has the focus
        autoFocus
        aria-label={column.label}
        defaultValue={editing.text}
        inputMode={column.decimals === undefined ? undefined : 'decimal'}
        list={column.choices ? choices : undefined}
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => {
          const { currentTarget } = event
          if (editing.mode === 'edit') currentTarget.select()
        }}
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

export type RowProps = {
  grid: Grid
  id: string
  index: number
  top: number
  columns: readonly GridColumn[]
  cellId: (row: string, column: string) => string
  onEditEnd: () => void
}

/** One row. It is drawn again when it changes itself, or when the selection comes or goes. */
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
  const { grid, id, row, column, place, marks, cellId, onEditEnd } = props
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
      {editing ? (
        <CellEditor grid={grid} column={column} editing={editing} onEnd={onEditEnd} />
      ) : (
        <CellContent grid={grid} column={column} row={row} />
      )}
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

type ContentProps = { grid: Grid; column: GridColumn; row: SheetRow }

function CellContent({ grid, column, row }: ContentProps): ReactNode {
  if (column.field === undefined) return column.draw?.(row, grid)
  return <span className={classes.text}>{textOf(row, column.field)}</span>
}

/** Never by colour alone: a sign, and the sentence for who does not see it. */
function Mark({ id, conflict, problem }: { id: string; conflict: boolean; problem: string | undefined }) {
  const Sign = conflict ? IconArrowsExchange : IconAlertTriangleFilled
  return (
    <>
      <Sign size={14} className={classes.sign} aria-hidden />
      <span id={id} hidden>
        {conflict ? 'Somebody else changed this cell too. Open the row’s errors to choose.' : problem}
      </span>
    </>
  )
}
