import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { rowWindow } from '#web/components/data-grid/row-window.ts'
import type { JobLine } from '#web/components/job-stream/job-log.ts'
import { type LogRows, layRows, lineAt } from './log-rows.ts'

/** Of a row, in pixels; the style sheet says the same. */
export const ROW = 20
/** "23:14:02 " */
export const TIME_COLUMNS = 9
const PADDING = 12

export type LogView = {
  scroller: RefObject<HTMLDivElement | null>
  columns: number
  rows: LogRows
  /** The rows to draw. */
  first: number
  last: number
  size: number
  /** The end stays in sight as lines come. */
  following: boolean
  follow: () => void
  /** Brings a line to the upper third, and stays there. */
  show: (place: number) => void
  onScroll: () => void
}

/** A line, and how far above its beginning the view's edge stands. */
type Hold = { id: number; offset: number }

/**
 * What of a log is in sight. It follows the end until somebody scrolls up; then the line at the upper edge stays where it
 * is, whatever comes, goes at the other end, is filtered out or is broken anew.
 */
export function useLogView(lines: readonly JobLine[]): LogView {
  const scroller = useRef<HTMLDivElement>(null)
  const { columns, height } = useSpace(scroller)
  const [top, setTop] = useState(0)
  const [following, setFollowing] = useState(true)
  const hold = useRef<Hold>(undefined)
  // To tell what a person does from what we do ourselves.
  const lastTop = useRef(0)
  const rows = useMemo(() => layRows(lines, columns), [lines, columns])
  // While it follows, where the end is is known before the browser has scrolled there.
  const shownTop = following ? Math.max(0, rows.total * ROW - height) : top
  const window = rowWindow({ top: shownTop, height }, rows.total, [], { row: ROW, panel: 0 })

  const topOf = (line: number) => (rows.starts[line] ?? 0) * ROW

  const place = useEffectEvent((element: HTMLElement) => {
    const { id, offset } = hold.current ?? { id: 0, offset: 0 }
    const held = following ? -1 : lines.findIndex((line) => line.id === id)
    if (following) element.scrollTop = element.scrollHeight
    else element.scrollTop = held === -1 ? 0 : topOf(held) + offset
    lastTop.current = element.scrollTop
    setTop(element.scrollTop)
  })

  const standAt = ({ scrollTop }: HTMLElement) => {
    const line = lineAt(rows, Math.floor(scrollTop / ROW))
    hold.current = { id: lines[line]?.id ?? 0, offset: scrollTop - topOf(line) }
    lastTop.current = scrollTop
    setTop(scrollTop)
  }

  // Before the browser draws, so that nothing jumps.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these are what moves the lines under the view
  useLayoutEffect(() => {
    if (scroller.current) place(scroller.current)
  }, [lines, columns, height, following])

  return {
    scroller,
    columns,
    rows,
    ...window,
    following,
    follow: () => setFollowing(true),
    show: (line) => {
      const element = scroller.current
      if (!element) return
      setFollowing(false)
      element.scrollTop = Math.max(0, topOf(line) - Math.floor(height / 3))
      standAt(element)
    },
    onScroll: () => {
      const element = scroller.current
      if (!element || element.scrollTop === lastTop.current) return
      const down = element.scrollTop > lastTop.current
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW
      setFollowing(down && atEnd)
      standAt(element)
    },
  }
}

/** How many signs a row holds, and how high the view is. */
function useSpace(scroller: RefObject<HTMLElement | null>): { columns: number; height: number } {
  const [space, setSpace] = useState({ columns: 80, height: 400 })
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => {
      const width = element.clientWidth - 2 * PADDING
      const columns = Math.max(10, Math.floor(width / widthOfLetter(element)) - TIME_COLUMNS)
      const height = element.clientHeight
      setSpace((now) => (now.columns === columns && now.height === height ? now : { columns, height }))
    }
    measure()
    const resizes = new ResizeObserver(measure)
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [scroller])
  return space
}

function widthOfLetter(element: HTMLElement): number {
  const context = document.createElement('canvas').getContext('2d')
  const { fontSize, fontFamily } = getComputedStyle(element)
  if (!context) return Number.parseFloat(fontSize) * 0.62
  context.font = `${fontSize} ${fontFamily}`
  return context.measureText('0'.repeat(100)).width / 100
}
