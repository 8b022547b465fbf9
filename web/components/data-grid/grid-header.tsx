// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the one tab stop and names its active cell
// biome-ignore-all lint/a11y/useSemanticElements: rows are placed by themselves, as those of a table cannot be
import type { PointerEvent } from 'react'
import { resizeColumn, widthOf } from './column-layout.ts'
import classes from './data-grid.module.css'
import type { ColumnControls } from './use-column-layout.ts'

/** The names of the columns, which stay on top; their edges can be dragged. */
export function GridHeader({ controls }: { controls: ColumnControls }) {
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {controls.shown.map((column, place) => (
          <div
            key={column.key}
            role="columnheader"
            aria-colindex={place + 1}
            className={classes.headCell}
            data-number={column.decimals !== undefined || undefined}
            data-frozen={column.frozen || undefined}
          >
            <span className={classes.text}>{column.label}</span>
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
