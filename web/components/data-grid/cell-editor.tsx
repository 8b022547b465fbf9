import { type KeyboardEvent, useId, useRef } from 'react'
import classes from './data-grid.module.css'
import type { Editing, Grid } from './grid.ts'
import type { GridColumn } from './grid-column.ts'
import { commitText } from './grid-edits.ts'
import { isSaveKey } from './grid-keys.ts'
import { isOneCell } from './selection.ts'

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
export function CellEditor({ grid, column, editing, onEnd }: CellEditorProps) {
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
