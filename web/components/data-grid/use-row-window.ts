import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { type RowHeights, type RowWindow, rowWindow } from './row-window.ts'

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
