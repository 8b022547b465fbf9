import { SaxesParser } from 'saxes'
import { damagedWorkbook, WorkbookProblem } from './workbook-problem.ts'

/** What happens while XML is read; names come without their prefix. */
type XmlHandlers = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

type XmlReader = { write(text: string): void; close(): void }

// The longest that a cell can be is 32,767 characters; the parser holds a tag or a text until it ends.
const LONGEST_TOKEN = 8 * 1024 * 1024

// A cell's text lies seven elements deep; each that is open is held.
const DEEPEST = 200

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML as it comes. Entities of one's own are not known and document types are refused, so nothing multiplies.
 * @throws WorkbookProblem for what is no XML
 */
export function xmlReader({ open, close, text }: XmlHandlers): XmlReader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let sinceToken = 0
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceToken = 0
    depth += 1
    if (depth > DEEPEST) throw damagedWorkbook('its elements lie too deep')
    open(local(name), attributes)
  })
  parser.on('closetag', ({ name }) => {
    sinceToken = 0
    depth -= 1
    close?.(local(name))
  })
  if (text) {
    parser.on('text', text)
    parser.on('cdata', text)
  }
  parser.on('doctype', () => {
    throw damagedWorkbook('it has a document type, which no spreadsheet program writes')
  })
  const inWords = (read: () => void) => {
    try {
      read()
    } catch (cause) {
      if (cause instanceof WorkbookProblem) throw cause
      throw damagedWorkbook('a part of it breaks off or is no XML', cause)
    }
  }
  return {
    write: (piece) => {
      inWords(() => parser.write(piece))
      sinceToken += piece.length
      if (sinceToken > LONGEST_TOKEN + piece.length) throw damagedWorkbook('one of its values has no end')
    },
    close: () => inWords(() => parser.close()),
  }
}

/** Reads a part to its end. */
export async function readXml(texts: AsyncIterable<string>, handlers: XmlHandlers): Promise<void> {
  const reader = xmlReader(handlers)
  for await (const text of texts) reader.write(text)
  reader.close()
}
