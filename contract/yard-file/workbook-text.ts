/** As much of a cell is kept; the check of rows says of more that it is too long. */
const LONGEST_TEXT = 100_001

/** What Excel writes for characters that XML cannot hold: "_x000D_" is a carriage return, "_x005F_" an underscore. */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

/** A cell's text as it is kept. */
export function cellText(written: string): string {
  const text = unescaped(written)
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text
}

/** Joins the runs of a rich text, without the readings that stand beside Japanese ones. */
type TextRuns = {
  open(name: string): void
  close(name: string): void
  text(text: string): void
  /** The text so far, after which the next one begins. */
  take(): string
}

export function textRuns(): TextRuns {
  let joined = ''
  let isText = false
  let isReading = false
  return {
    open: (name) => {
      if (name === 't') isText = true
      else if (name === 'rPh') isReading = true
    },
    close: (name) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
    },
    text: (text) => {
      if (isText && !isReading && joined.length < LONGEST_TEXT) joined += text
    },
    take: () => {
      const taken = cellText(joined)
      joined = ''
      return taken
    },
  }
}
