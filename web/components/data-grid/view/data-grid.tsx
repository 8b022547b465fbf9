// biome-ignore-all lint/a11y/useFocusableInteractive: the grid is the only tab stop and names its active cell
// biome-ignore-all lint/a11y/useSemanticElements: rows are positioned individually, which table rows cannot be
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import {
  type ColumnControls,
  type GridColumn,
  resizeColumn,
  widthOf,
} from '#web/components/data-grid/columns.ts'
import { type Grid, useGridState, useSheetView } from '#web/components/data-grid/grid.ts'
import { commandFor, type GridActions, isSaveKey, runCommand } from '#web/components/data-grid/grid-keys.ts'
import type { RowOrder } from '#web/components/data-grid/row-order.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import classes from './data-grid.module.css'
import { gridClipboard, gridPointer, HEADER, ROW, scrollFor } from './grid-pointer.ts'
import { GridRow } from './grid-row.tsx'
import { type RowWindow, rowTop, useRowWindow } from './row-window.ts'

type DataGridProps = {
  grid: Grid
  controls: ColumnControls
  label: string
  actions: GridActions
  /** Opens below a row, `panelHeight` pixels high. */
  panel?: (id: string) => ReactNode
  panelHeight?: number
  busy?: boolean
  onTooLong?: (sentence: string) => void
  empty: ReactNode
}

/** A spreadsheet view of a sheet. Only visible rows are rendered, and the grid is one tab stop. */
export function DataGrid({
  grid,
  controls,
  label,
  actions,
  panel = () => null,
  panelHeight = 0,
  busy = false,
  onTooLong = notifyProblem,
  empty,
}: DataGridProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ids } = useSheetView(grid.sheet)
  const { selection, editing, open } = useGridState(grid)
  const columns = controls.shown
  const heights = useMemo(() => ({ row: ROW, panel: panelHeight }), [panelHeight])
  const opened = useMemo(
    () => (open.size === 0 ? [] : ids.flatMap((id, place) => (open.has(id) ? place : []))),
    [ids, open],
  )
  const window = useRowWindow(scroller, ids.length, opened, heights)
  const cellId = useCellId()
  useLayoutEffect(() => {
    grid.focus = () => scroller.current?.focus({ preventScroll: true })
  }, [grid])
  const topOf = useCallback((row: number) => rowTop(row, opened, heights), [opened, heights])
  useHeadInSight(grid, scroller, controls, topOf)

  const active = selection.anchor
  const drawn = placesIn(window, active.row, ids.length)
  const press = useKeys(grid, controls, actions)
  const activeId = cellId(ids[active.row] ?? '', columns[active.column]?.key ?? '')
  const hint = `${activeId}-hint`
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={label}
        aria-describedby={hint}
        aria-rowcount={ids.length + 1}
        aria-colcount={columns.length}
        aria-multiselectable
        aria-busy={busy}
        aria-activedescendant={ids.length > 0 ? activeId : undefined}
        className={classes.grid}
        style={trackStyle(controls)}
        onKeyDown={press}
        {...gridPointer(grid)}
        {...gridClipboard(grid, onTooLong)}
      >
        <GridHeader grid={grid} controls={controls} />
        <div role="rowgroup" className={classes.body} style={{ height: topOf(ids.length) }}>
          {drawn.flatMap((place) => {
            const id = ids[place] as string
            const top = topOf(place)
            const row = { grid, id, index: place, top, columns, cellId }
            const key = rowKey(place, window, editing?.row === place ? id : undefined)
            return [
              <GridRow key={key} {...row} />,
              open.has(id) && (
                <PanelRow key={`${id}-panel`} top={top + ROW} height={panelHeight} columns={columns.length}>
                  {panel(id)}
                </PanelRow>
              ),
            ]
          })}
        </div>
        {ids.length === 0 && <div className={classes.empty}>{empty}</div>}
      </div>
      <span id={hint} hidden>
        Press ? for keyboard shortcuts. Press Escape, then Tab, to leave the grid.
      </span>
    </>
  )
}

type PanelProps = { top: number; height: number; columns: number; children: ReactNode }

function PanelRow({ top, height, columns, children }: PanelProps) {
  return (
    <div role="row" className={classes.panelRow} style={{ transform: `translateY(${top}px)`, height }}>
      <div role="gridcell" aria-colindex={1} aria-colspan={columns} className={classes.panel}>
        {children}
      </div>
    </div>
  )
}

function useCellId() {
  const own = useId()
  return useCallback((row: string, column: string) => `${own}${row}-${column}`, [own])
}

function trackStyle({ shown, layout }: ColumnControls): CSSProperties {
  const widths = shown.map((column) => widthOf(column, layout))
  // Without a growing column, the last one takes the remaining width.
  const growing = shown.findIndex(({ grows }) => grows)
  const flexible = growing === -1 ? widths.length - 1 : growing
  const tracks = widths.map((width, place) => (place === flexible ? `minmax(${width}px, 1fr)` : `${width}px`))
  const full = widths.reduce((sum, width) => sum + width, 0)
  return { '--tracks': tracks.join(' '), '--full': `${full}px` } as CSSProperties
}

/** The visible rows, plus the active one wherever it is: screen readers need it. */
function placesIn({ first, last }: { first: number; last: number }, active: number, rows: number): number[] {
  const places = Array.from({ length: Math.max(0, last - first + 1) }, (_, place) => first + place)
  if (active < rows && active < first) places.unshift(active)
  if (active < rows && active > last) places.push(active)
  return places
}

/**
 * A row that scrolls into view reuses the elements of one that left: creating elements is most of the cost of scrolling.
 * The edited row keeps its own, with the text in them.
 */
function rowKey(place: number, { first, last, size }: RowWindow, edited: string | undefined): string {
  // Not just the id: it could be a number and collide with a place.
  if (edited !== undefined) return `edited ${edited}`
  return place < first || place > last ? 'away' : String(place % size)
}

/** After Escape outside a cell's field, the next Tab leaves the grid. */
function useKeys(grid: Grid, controls: ColumnControls, actions: GridActions) {
  const leaving = useRef(false)
  return (event: KeyboardEvent<HTMLDivElement>) => {
    // Keys in a field belong to the field, except the one that saves.
    const isOurs = event.target === event.currentTarget || isSaveKey(event)
    if (!isOurs || event.nativeEvent.isComposing) return
    const command = commandFor(event)
    const leaves = leaving.current && command?.name === 'tab'
    if (event.key !== 'Shift') leaving.current = command?.name === 'leave'
    if (!command || leaves) return
    if (!runCommand(grid, command, actions, controls)) return
    // The page handles some of these keys too, while the focus is elsewhere.
    event.preventDefault()
    event.stopPropagation()
  }
}

/** Scrolls as little as needed to show the moving end of the selection. */
function useHeadInSight(
  grid: Grid,
  scroller: RefObject<HTMLDivElement | null>,
  { shown, layout }: ColumnControls,
  topOf: (row: number) => number,
): void {
  const { head } = useGridState(grid).selection
  const seen = useRef(head)
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    grid.pageRows = Math.max(1, Math.floor((element.clientHeight - HEADER) / ROW) - 1)
    if (seen.current === head) return
    seen.current = head
    const top = topOf(head.row)
    const rows = { from: top, to: top + ROW }
    const y = scrollFor(rows, element.scrollTop, element.clientHeight - HEADER)
    const x = columnScroll(element, head.column, { shown, layout })
    if (y !== element.scrollTop || x !== element.scrollLeft) element.scrollTo(x, y)
  }, [grid, head, scroller, shown, layout, topOf])
}

/** Accounts for a frozen column, which covers what scrolls under it. */
function columnScroll(
  { scrollLeft, clientWidth }: HTMLElement,
  place: number,
  { shown, layout }: Pick<ColumnControls, 'shown' | 'layout'>,
): number {
  const column = shown[place]
  if (!column || column.frozen) return scrollLeft
  const from = shown.slice(0, place).reduce((sum, one) => sum + widthOf(one, layout), 0)
  const frozenAt = shown.findIndex(({ frozen }) => frozen)
  const frozen = shown[frozenAt]
  const covered = frozen && place > frozenAt ? widthOf(frozen, layout) : 0
  const columns = { from: from - covered, to: from + widthOf(column, layout) - covered }
  return scrollFor(columns, scrollLeft, clientWidth - covered)
}

type HeaderProps = { grid: Grid; controls: ColumnControls }

function GridHeader({ grid, controls }: HeaderProps) {
  const { order } = useSheetView(grid.sheet)
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {controls.shown.map((column, place) => (
          <div
            key={column.key}
            role="columnheader"
            aria-colindex={place + 1}
            aria-sort={column.field === undefined ? undefined : directionOf(order, column.field)}
            className={classes.headCell}
            data-number={column.decimals !== undefined || undefined}
            data-frozen={column.frozen || undefined}
          >
            <ColumnName grid={grid} column={column} />
            <span
              aria-hidden
              className={classes.edge}
              onPointerDown={(event) =>
                followEdge(event, widthOf(column, controls.layout), (width) =>
                  controls.change((layout) => resizeColumn(layout, column.key, width)),
                )
              }
              onDoubleClick={() =>
                controls.change((layout) => resizeColumn(layout, column.key, column.width))
              }
            />
          </div>
        ))}
      </div>
    </div>
  )
}

function directionOf(order: RowOrder | undefined, field: string) {
  if (order?.field !== field) return 'none'
  return order.descending ? 'descending' : 'ascending'
}

const directionIcons = { ascending: IconArrowUp, descending: IconArrowDown, none: undefined }

/** Sorts at a click. The keyboard has a shortcut for it, as the grid is a single tab stop. */
function ColumnName({ grid, column }: { grid: Grid; column: GridColumn }) {
  const { order } = useSheetView(grid.sheet)
  if (column.field === undefined) return <span className={classes.text}>{column.label}</span>
  const Icon = directionIcons[directionOf(order, column.field)]
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.sort}
      title={`Sort by ${column.label}`}
      onClick={() => {
        grid.sortBy(column)
        grid.focus()
      }}
    >
      <span className={classes.text}>{column.label}</span>
      {Icon && <Icon size={14} aria-hidden />}
    </button>
  )
}

function followEdge(event: PointerEvent<HTMLElement>, width: number, resize: (width: number) => void): void {
  event.preventDefault()
  event.stopPropagation()
  const edge = event.currentTarget
  const from = event.clientX
  const move = (moved: globalThis.PointerEvent) => resize(width + moved.clientX - from)
  edge.setPointerCapture(event.pointerId)
  edge.addEventListener('pointermove', move)
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), {
    once: true,
  })
}
