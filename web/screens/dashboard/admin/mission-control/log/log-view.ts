import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { rowWindow } from '#web/components/data-grid/view/row-window.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'

/** Of a row, in pixels; the style sheet says the same. */
export const ROW = 20
const PADDING = 12

export type LogView = {
  scroller: RefObject<HTMLDivElement | null>
  ruler: Ruler
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
  const { ruler, height } = useSpace(scroller)
  const [top, setTop] = useState(0)
  const [following, setFollowing] = useState(true)
  // A log that begins anew is read from its end again.
  if (lines.length === 0 && !following) setFollowing(true)
  const hold = useRef<Hold>(undefined)
  // To tell what a person does from what we do ourselves.
  const lastTop = useRef(0)
  const rows = useMemo(() => layRows(lines, ruler), [lines, ruler])
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
  }, [lines, ruler, height, following])

  return {
    scroller,
    ruler,
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
      // A view whose height changes is scrolled by the browser.
      if (!element || element.scrollTop === lastTop.current || element.clientHeight !== height) return
      const down = element.scrollTop > lastTop.current
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW
      setFollowing(down && atEnd)
      standAt(element)
    },
  }
}

/** What goes into a row, and how high the view is. */
function useSpace(scroller: RefObject<HTMLElement | null>): { ruler: Ruler; height: number } {
  const [space, setSpace] = useState({ ruler: unmeasured, height: 400 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const font = measureFont(element)
    const measure = () => {
      // "23:14:02" and the gap behind it take nine figures.
      const room = Math.max(80, element.clientWidth - 2 * PADDING - 9 * font.widthOf('0'))
      const height = element.clientHeight
      setSpace((now) => {
        if (now.ruler.room === room && now.height === height) return now
        return { ruler: now.ruler.room === room ? now.ruler : { ...font, room }, height }
      })
    }
    measure()
    const resizes = new ResizeObserver(measure)
    resizes.observe(element)
    return () => resizes.disconnect()
  }, [scroller])
  return space
}

/** For the moment before the first look at the page. */
const unmeasured: Ruler = { room: 80, widest: 1, widthOf: () => 1 }

/*
 * A log is drawn in rows of one height, so that it is known without measuring which of them are in sight: a long line is
 * broken here and not by the browser.
 */

/** How wide signs are, and how much goes into a row. */
export type Ruler = {
  room: number
  widthOf: (sign: string) => number
  /** At least as wide as any plain sign; with a font of one width they all are. */
  widest: number
}

/** Where each line begins, counted in rows; with how many rows there are at the end. */
type LogRows = { starts: readonly number[]; total: number }

export function layRows(lines: readonly JobLine[], ruler: Ruler): LogRows {
  let total = 0
  const starts = lines.map(({ text }) => {
    const start = total
    total += fitsSurely(text, ruler) ? 1 : breakLine(text, ruler).length
    return start
  })
  return { starts, total }
}

/** The line that a row belongs to. */
export function lineAt({ starts }: LogRows, row: number): number {
  let from = 0
  let to = Math.max(0, starts.length - 1)
  while (from < to) {
    const middle = Math.ceil((from + to) / 2)
    if ((starts[middle] ?? 0) <= row) from = middle
    else to = middle - 1
  }
  return from
}

type Piece = [from: number, to: number]

/** The pieces of a line that stand in a row each: beginnings and ends. An empty line has one. */
export function breakLine(text: string, ruler: Ruler): Piece[] {
  if (fitsSurely(text, ruler)) return [[0, text.length]]
  const pieces: Piece[] = []
  let from = 0
  while (from <= text.length) {
    const to = endOfRow(text, from, ruler)
    pieces.push([from, to])
    if (to === text.length) break
    from = text[to] === '\n' ? to + 1 : to
  }
  return pieces
}

/** Most lines: no need to look at their signs one by one. */
const fitsSurely = (text: string, { room, widest }: Ruler): boolean =>
  text.length * widest <= room && !/[\t\n\u1100-\uffff]/.test(text)

/** As much as the row holds, up to the last gap between words if that is in its second half. */
function endOfRow(text: string, from: number, { room, widthOf }: Ruler): number {
  let used = 0
  let at = from
  let gap = from
  let usedAtGap = 0
  while (at < text.length) {
    const sign = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (sign === '\n') return at
    used += widthOf(sign)
    if (used > room) break
    at += sign.length
    if (sign === ' ') {
      gap = at
      usedAtGap = used
    }
  }
  if (at === text.length) return at
  // A row holds at least one sign, however narrow it is.
  return usedAtGap > room / 2 ? gap : Math.max(at, from + 1)
}

// The style sheet says so, too.
const TAB = 4

/** Measures the signs of a font, each once. */
function measureFont(element: HTMLElement): Omit<Ruler, 'room'> {
  const { fontSize, fontFamily } = getComputedStyle(element)
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `${fontSize} ${fontFamily}`
  const measure = (sign: string) => context?.measureText(sign).width ?? Number.parseFloat(fontSize)
  const widths = new Map<string, number>()
  const widthOf = (sign: string): number => {
    const known = widths.get(sign)
    if (known !== undefined) return known
    const width = sign === '\t' ? TAB * measure(' ') : measure(sign)
    widths.set(sign, width)
    return width
  }
  const widest = Math.max(...['M', 'W', '@', '0'].map(widthOf))
  return { widthOf, widest }
}
