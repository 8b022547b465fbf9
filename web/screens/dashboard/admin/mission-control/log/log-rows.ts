import type { JobLine } from '#web/components/job-stream/feed-log.ts'

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
export type LogRows = { starts: readonly number[]; total: number }

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
