/** A line beyond this is none any more but a program gone wild: it is cut into several (D10). */
export const LONGEST_LINE = 65_536

/** A line as the lines that are stored and shown of it. No piece ends within a sign: halves of one are none. */
export function linePieces(line: string): string[] {
  const pieces: string[] = []
  let from = 0
  while (line.length - from > LONGEST_LINE) {
    const to = from + LONGEST_LINE - (isFirstHalf(line.charCodeAt(from + LONGEST_LINE - 1)) ? 1 : 0)
    pieces.push(line.slice(from, to))
    from = to
  }
  pieces.push(line.slice(from))
  return pieces
}

const isFirstHalf = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
