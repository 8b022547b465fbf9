import type { JobLine } from '#web/components/job-stream/job-log.ts'

/*
 * A log is drawn in rows of one height, so that it is known without measuring which of them are in sight: a long line is
 * broken here, by the number of characters that a row holds, and not by the browser. Letters have one width.
 */

/** Where each line begins, counted in rows; with how many rows there are at the end. */
export type LogRows = { starts: readonly number[]; total: number }

export function layRows(lines: readonly JobLine[], columns: number): LogRows {
  let total = 0
  const starts = lines.map(({ text }) => {
    const start = total
    total += isPlain(text) ? Math.max(1, Math.ceil(text.length / columns)) : breakLine(text, columns).length
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

/** The pieces of a line that stand in a row each: beginnings and ends. An empty line has one. */
export function breakLine(text: string, columns: number): [from: number, to: number][] {
  if (isPlain(text)) {
    const rows = Math.max(1, Math.ceil(text.length / columns))
    return Array.from({ length: rows }, (_, row) => [
      row * columns,
      Math.min(text.length, (row + 1) * columns),
    ])
  }
  const pieces: [number, number][] = []
  let from = 0
  let at = 0
  let used = 0
  for (const sign of text) {
    const width = widthOf(sign)
    if (sign === '\n' || (used + width > columns && used > 0)) {
      pieces.push([from, at])
      from = sign === '\n' ? at + 1 : at
      used = 0
    }
    if (sign !== '\n') used += width
    at += sign.length
  }
  return [...pieces, [from, text.length]]
}

/** Every sign has one width. */
const isPlain = (text: string): boolean => !/[\t\n\u1100-\uffff]/.test(text)

/** A tab is at most four wide (the style sheet says so); signs of China, Japan and Korea and pictures are twice as wide. */
function widthOf(sign: string): number {
  if (sign === '\t') return 4
  return (sign.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
}
