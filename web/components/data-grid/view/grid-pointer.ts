import type { ClipboardEvent, MouseEvent, PointerEvent } from 'react'
import type { Grid } from '#web/components/data-grid/grid.ts'
import { copyCells, cutCells, fillTo, pasteText } from '#web/components/data-grid/grid-edits.ts'

const isControl = (element: Element) => element.closest('button, input, textarea, select, a, label') !== null

/** Selecting and dragging the fill handle with a mouse or pen. Touch scrolls and taps cells. */
export function gridPointer(grid: Grid) {
  const follow = (scroller: HTMLElement, move: (row: number, column: number) => void, end: () => void) => {
    let last: globalThis.PointerEvent | undefined
    let frame = 0
    // Keeps scrolling while the pointer rests beyond the edge.
    const step = () => {
      frame = requestAnimationFrame(step)
      if (!last) return
      const box = scroller.getBoundingClientRect()
      const above = last.clientY < box.top + 40
      if (above || last.clientY > box.bottom - 12) scroller.scrollTop += above ? -16 : 16
      const x = Math.min(Math.max(last.clientX, box.left + 4), box.right - 20)
      const y = Math.min(Math.max(last.clientY, box.top + 44), box.bottom - 16)
      const cell = cellAtElement(document.elementFromPoint(x, y))
      if (cell) move(cell.row, cell.column)
    }
    const track = (event: globalThis.PointerEvent) => {
      last = event
    }
    const stop = () => {
      cancelAnimationFrame(frame)
      window.removeEventListener('pointermove', track)
      window.removeEventListener('pointerup', stop)
      window.removeEventListener('pointercancel', stop)
      end()
    }
    frame = requestAnimationFrame(step)
    window.addEventListener('pointermove', track)
    window.addEventListener('pointerup', stop)
    window.addEventListener('pointercancel', stop)
  }

  const dragHandle = (scroller: HTMLElement) => {
    let target = grid.range().bottom
    const move = (row: number) => {
      if (row === target) return
      target = row
      grid.dragFill(row)
    }
    follow(scroller, move, () => fillTo(grid, target))
  }

  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      const element = event.target as Element
      const cell = cellAtElement(element)
      if (event.button !== 0 || !cell || isControl(element)) return
      // Prevent text selection and focus the grid, which handles the clipboard.
      if (event.pointerType !== 'touch') event.preventDefault()
      grid.focus()
      if (element.closest('[data-fill-handle]')) return dragHandle(event.currentTarget)
      grid.selectCell(cell, event.shiftKey)
      if (event.pointerType === 'touch') return
      let seen = `${cell.row},${cell.column}`
      const move = (row: number, column: number) => {
        if (seen === `${row},${column}`) return
        seen = `${row},${column}`
        grid.selectCell({ row, column }, true)
      }
      follow(event.currentTarget, move, () => undefined)
    },
    onDoubleClick(event: MouseEvent<HTMLElement>) {
      const element = event.target as Element
      if (cellAtElement(element) && !isControl(element)) grid.startEditing()
    },
  }
}

/** Fields in the grid handle the clipboard themselves. */
const isOfGrid = (event: ClipboardEvent<HTMLElement>) => event.target === event.currentTarget

export function gridClipboard(grid: Grid, onTooLong: (sentence: string) => void) {
  const put = (event: ClipboardEvent<HTMLElement>, text: () => string) => {
    if (!isOfGrid(event)) return
    event.preventDefault()
    event.clipboardData.setData('text/plain', text())
  }
  return {
    onCopy: (event: ClipboardEvent<HTMLElement>) => put(event, () => copyCells(grid)),
    onCut: (event: ClipboardEvent<HTMLElement>) => put(event, () => cutCells(grid)),
    onPaste(event: ClipboardEvent<HTMLElement>) {
      if (!isOfGrid(event)) return
      event.preventDefault()
      const leftOut = pasteText(grid, event.clipboardData.getData('text/plain'))
      if (leftOut !== undefined) onTooLong(leftOut)
    },
  }
}

/** Sizes in pixels; they match the grid's styles. */
export const ROW = 36
export const HEADER = 36

function cellAtElement(element: Element | null): { row: number; column: number } | undefined {
  const cell = element?.closest<HTMLElement>('[data-column]')
  const row = cell?.closest<HTMLElement>('[data-row]')
  if (!cell || !row) return undefined
  return { row: Number(row.dataset.row), column: Number(cell.dataset.column) }
}

type Span = { from: number; to: number }

/** The scroll position nearest to the current one at which a span is visible. */
export function scrollFor(span: Span, scroll: number, size: number): number {
  if (span.from < scroll) return span.from
  if (span.to > scroll + size) return span.to - size
  return scroll
}
