import { AS_CSV, largeWorkbook } from './workbook-problem.ts'
import { textRuns } from './workbook-text.ts'
import { readXml } from './workbook-xml.ts'

/** The texts that a workbook's cells share, by their number. */
export type SharedStrings = { at(index: number): string | undefined }

// They are held as bytes outside of the heap: one of 128 MB has no room for a million strings and the rows besides.
const PAGE_BYTES = 1024 * 1024
const MOST_BYTES = 128 * PAGE_BYTES
// Texts that repeat (makes, categories) are not decoded each time.
const REMEMBERED = 4_096
const LONGEST_REMEMBERED = 100

/** @throws WorkbookProblem */
export async function readSharedStrings(texts: AsyncIterable<string>): Promise<SharedStrings> {
  const store = stringStore()
  const runs = textRuns()
  await readXml(texts, {
    open: runs.open,
    text: runs.text,
    close: (name) => {
      if (name === 'si') store.add(runs.take())
      else runs.close(name)
    },
  })
  return store
}

/** Where each string begins and ends in the pages, counted through all of them; a string lies within one page. */
function stringStore(): SharedStrings & { add(text: string): void } {
  const pages: Uint8Array[] = []
  let places = new Uint32Array(1024)
  let count = 0
  let used = PAGE_BYTES
  const encoder = new TextEncoder()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const remembered = new Array<{ index: number; text: string } | undefined>(REMEMBERED)
  return {
    add: (text) => {
      // A character takes three bytes at most, and a text has fewer than 350,000.
      if (used + 3 * text.length > PAGE_BYTES) {
        pages.push(new Uint8Array(PAGE_BYTES))
        used = 0
      }
      if ((pages.length - 1) * PAGE_BYTES + 8 * count > MOST_BYTES) throw tooManyTexts()
      const page = pages.at(-1) ?? new Uint8Array()
      const { written } = encoder.encodeInto(text, page.subarray(used))
      if (2 * count + 2 > places.length) places = grown(places)
      places[2 * count] = (pages.length - 1) * PAGE_BYTES + used
      places[2 * count + 1] = written
      count += 1
      used += written
    },
    at: (index) => {
      const start = places[2 * index]
      const length = places[2 * index + 1]
      if (!(index < count) || start === undefined || length === undefined) return undefined
      const known = remembered[index % REMEMBERED]
      if (known?.index === index) return known.text
      const from = start % PAGE_BYTES
      const text = decoder.decode(pages[Math.floor(start / PAGE_BYTES)]?.subarray(from, from + length))
      if (length <= LONGEST_REMEMBERED) remembered[index % REMEMBERED] = { index, text }
      return text
    },
  }
}

function grown(places: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(2 * places.length)
  larger.set(places)
  return larger
}

const tooManyTexts = () => largeWorkbook(`The workbook has more than 128 MB of text. ${AS_CSV}`)
