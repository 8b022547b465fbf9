import { type RefObject, useEffect, useEffectEvent, useState } from 'react'

/** The rows to render for the scroll position; changes only when another row comes near. */
export function useRowWindow(
  scroller: RefObject<HTMLElement | null>,
  rows: number,
  open: readonly number[],
  heights: RowHeights,
): RowWindow {
  const [view, setView] = useState({ top: 0, height: 800 })
  const window = rowWindow(view, rows, open, heights)

  const measure = useEffectEvent((element: HTMLElement) => {
    const next = { top: element.scrollTop, height: element.clientHeight }
    const { first, last } = rowWindow(next, rows, open, heights)
    if (first !== window.first || last !== window.last) setView(next)
  })

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    let frame = 0
    // At most once per frame, however many scroll events there are.
    const schedule = () => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(() => measure(element))
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

/** All rows have the same height; an open one has a panel below it, also of a fixed height. */

type RowHeights = { row: number; panel: number }

/** A row's top; for the row count, the end of the last row. `open` lists the open rows, ascending. */
export function rowTop(row: number, open: readonly number[], heights: RowHeights): number {
  return row * heights.row + countBelow(open, row) * heights.panel
}

function countBelow(open: readonly number[], row: number): number {
  const first = open.findIndex((place) => place >= row)
  return first === -1 ? open.length : first
}

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
  /** The largest window at this height: rows that scroll in reuse the elements of those that scroll out. */
  size: number
}

// Extra rows at both edges so that a wheel step shows no gap; the window moves by this many rows.
const BEYOND = 6

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
