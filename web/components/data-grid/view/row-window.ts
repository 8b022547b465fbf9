import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** The rows to draw of what is scrolled into sight; changes only when another row comes near. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  open: readonly number[],
  heights: RowHeights,
): RowWindow {
  const [view, setView] = useState({ top: 0, height: 800 })
  const window = rowWindow(view, rows, open, heights)

  const look = useEffectEvent((element: HTMLElement) => {
    const next = { top: element.scrollTop, height: element.clientHeight }
    const { first, last } = rowWindow(next, rows, open, heights)
    if (first !== window.first || last !== window.last) setView(next)
  })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let frame = 0
    // One look a frame, however many events the wheel sends.
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => look(element))
    }
    const resizes = new ResizeObserver(schedule)
    resizes.observe(element)
    element.addEventListener('scroll', schedule, { passive: true })
    return () => {
      cancelAnimationFrame(frame)
      resizes.disconnect()
      element.removeEventListener('scroll', schedule)
    }
  }, [scroller])
  return window
}

/** Which rows stand in sight: pure. Rows have one height; an opened one has a panel of one height below it. */

type RowHeights = { row: number; panel: number }

/** Where a row begins, and with the row count where the last one ends. `open` are the opened rows, ascending. */
export function rowTop(row: number, open: readonly number[], heights: RowHeights): number {
  return row * heights.row + countBelow(open, row) * heights.panel
}

function countBelow(open: readonly number[], row: number): number {
  const first = open.findIndex((place) => place >= row)
  return first === -1 ? open.length : first
}

/** The row that holds a point of the list. */
export function rowAt(y: number, rows: number, open: readonly number[], heights: RowHeights): number {
  let from = 0
  let to = Math.max(0, rows - 1)
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if (rowTop(middle, open, heights) <= y) from = middle
    else to = middle - 1
  }
  return from
}

export type RowWindow = {
  first: number
  last: number
  /** As many as it ever has at this height, so that a row that comes can take the place of one that goes. */
  size: number
}

// Rows beyond the edges, so that a wheel's step shows no gap; the window moves by as many at once.
const BEYOND = 6

/** The rows to draw for what is scrolled into sight. */
export function rowWindow(
  view: { top: number; height: number },
  rows: number,
  open: readonly number[],
  heights: RowHeights,
): RowWindow {
  const inSight = rowAt(view.top, rows, open, heights)
  const first = Math.max(0, (Math.floor(inSight / BEYOND) - 1) * BEYOND)
  const size = (Math.ceil(view.height / heights.row / BEYOND) + 3) * BEYOND
  return { first, last: Math.min(rows, first + size) - 1, size }
}
