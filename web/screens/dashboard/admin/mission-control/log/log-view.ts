import { type RefObject, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { rowWindow } from '#web/components/data-grid/view/row-window.ts'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'

/** Row height in pixels, the same as in the style sheet. */
export const ROW = 20
const PADDING = 12

export type LogView = ReturnType<typeof useLogView>

/** A line and the offset of the view's top edge from it. */
type ScrollAnchor = { id: number; offset: number }

/**
 * The visible part of a log. It follows the end until the user scrolls up; then the top line stays in place, whatever is
 * added, removed, filtered out, or rewrapped.
 */
export function useLogView(lines: readonly JobLine[]) {
  const scroller = useRef<HTMLDivElement>(null)
  const { ruler, height } = useSpace(scroller)
  const [top, setTop] = useState(0)
  const [following, setFollowing] = useState(true)
  // A restarted log follows its end again.
  if (lines.length === 0 && !following) setFollowing(true)
  const hold = useRef<ScrollAnchor>(undefined)
  // Distinguishes the user's scrolling from our own.
  const lastTop = useRef(0)
  const rows = useMemo(() => layRows(lines, ruler), [lines, ruler])
  // While following, the end's position is known before the browser has scrolled there.
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

  const holdTopLine = ({ scrollTop }: HTMLElement) => {
    const line = lineAt(rows, Math.floor(scrollTop / ROW))
    hold.current = { id: lines[line]?.id ?? 0, offset: scrollTop - topOf(line) }
    lastTop.current = scrollTop
    setTop(scrollTop)
  }

  // Before the browser paints, so that nothing jumps.
  // biome-ignore lint/correctness/useExhaustiveDependencies: these move the lines under the view
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
    /** Scrolls a line to the upper third and stops following. */
    show: (line: number) => {
      const element = scroller.current
      if (!element) return
      setFollowing(false)
      element.scrollTop = Math.max(0, topOf(line) - Math.floor(height / 3))
      holdTopLine(element)
    },
    onScroll: () => {
      const element = scroller.current
      // The browser itself scrolls a view whose height changes.
      if (!element || element.scrollTop === lastTop.current || element.clientHeight !== height) return
      const down = element.scrollTop > lastTop.current
      const atEnd = element.scrollHeight - element.scrollTop - element.clientHeight < ROW
      setFollowing(down && atEnd)
      holdTopLine(element)
    },
  }
}

function useSpace(scroller: RefObject<HTMLElement | null>): { ruler: Ruler; height: number } {
  const [space, setSpace] = useState({ ruler: unmeasured, height: 400 })
  useLayoutEffect(() => {
    const element = scroller.current
    if (!element) return
    const font = measureFont(element)
    const measure = () => {
      // "23:14:02" and the gap after it are nine characters wide.
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

const unmeasured: Ruler = { room: 80, widest: 1, widthOf: () => 1 }

/**
 * Measures text. All rows have the same height, so that the visible ones are known without layout: we wrap long lines,
 * not the browser.
 */
export type Ruler = {
  room: number
  widthOf: (character: string) => number
  /** At least as wide as any plain character; in a monospaced font, all of them. */
  widest: number
}

/** The first row of each line, and the number of rows. */
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

/** Splits a line into one piece per row. An empty line has one. */
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

/** True for most lines: no need to measure their characters one by one. */
const fitsSurely = (text: string, { room, widest }: Ruler): boolean =>
  text.length * widest <= room && !/[\t\n\u1100-\uffff]/.test(text)

/** The end of a row: as much as fits, up to the last space if that is in its second half. */
function endOfRow(text: string, from: number, { room, widthOf }: Ruler): number {
  let used = 0
  let at = from
  let gap = from
  let usedAtGap = 0
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0)
    if (character === '\n') return at
    used += widthOf(character)
    if (used > room) break
    at += character.length
    if (character === ' ') {
      gap = at
      usedAtGap = used
    }
  }
  if (at === text.length) return at
  // A row has at least one character, however narrow it is.
  return usedAtGap > room / 2 ? gap : Math.max(at, from + 1)
}

// The same as in the style sheet.
const TAB = 4

function measureFont(element: HTMLElement): Omit<Ruler, 'room'> {
  const { fontSize, fontFamily } = getComputedStyle(element)
  const context = document.createElement('canvas').getContext('2d')
  if (context) context.font = `${fontSize} ${fontFamily}`
  const measure = (character: string) => context?.measureText(character).width ?? Number.parseFloat(fontSize)
  const widths = new Map<string, number>()
  const widthOf = (character: string): number => {
    const known = widths.get(character)
    if (known !== undefined) return known
    const width = character === '\t' ? TAB * measure(' ') : measure(character)
    widths.set(character, width)
    return width
  }
  const widest = Math.max(...['M', 'W', '@', '0'].map(widthOf))
  return { widthOf, widest }
}
