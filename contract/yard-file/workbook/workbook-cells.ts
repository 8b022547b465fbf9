import { SaxesParser } from 'saxes'
import { showWithWords } from './format-words.ts'
import { plainNumber, type ShowNumber } from './plain-number.ts'
import { AS_CSV, damagedWorkbook, largeWorkbook, WorkbookProblem } from './workbook-zip.ts'

/*
 * The relevant part of what a number's cell shows: dates, percentages, the zeros that a format puts in front of part numbers
 * and zip codes, and other currencies than the US dollar. Everything else is the number itself, without "$" and digit groups.
 */

const BUILT_IN_DATES = /^(1[4-7]|22|2[7-9]|3[0-6]|5[0-8])$/
const BUILT_IN_TIMES = /^(1[89]|2[01]|4[5-7])$/
const BUILT_IN_PERCENTAGES = /^(9|10)$/

/** How a style's numbers are shown; undefined for plain numbers. */
function showNumber(formatId: string, code: string | undefined, is1904: boolean): ShowNumber | undefined {
  if (code === undefined) {
    if (BUILT_IN_PERCENTAGES.test(formatId)) return showPercent
    const isDate = BUILT_IN_DATES.test(formatId) || BUILT_IN_TIMES.test(formatId)
    return isDate ? (stored) => showDate(stored, is1904) : undefined
  }
  // What is quoted, escaped, or in brackets ([Red], [$-409]) shows no part of the date; [h] counts hours.
  const bare = code.replaceAll(/"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  const first = bare.split(';')[0] ?? ''
  if (/^general$/i.test(first.trim())) return undefined
  // If only the year of a date is shown, its day means nothing.
  if (/^yyyy$/i.test(first.trim())) return (stored) => showDate(stored, is1904).replace(/^(\d{4})-.*$/, '$1')
  if (/[ymdhs]/i.test(first)) return (stored) => showDate(stored, is1904)
  if (first.includes('%')) return showPercent
  return showWithWords(code) ?? digitMask(code)
}

/** 0.15 as "15%": a restocking fee, and never a price of 15 cents. */
function showPercent(stored: string): string {
  const share = Number(stored)
  if (stored.trim() === '' || !Number.isFinite(share)) return plainNumber(stored)
  return `${plainNumber(String(share * 100))}%`
}

const DAY_MS = 86_400_000
// Day 0 of Excel's two calendars; the older one has a February 29 in 1900, which is day 60.
const DAY_0 = Date.UTC(1899, 11, 30)
const DAY_0_OF_1904 = Date.UTC(1904, 0, 1)
const LAST_DAY = 2_957_003

/** A day as "2026-11-20", followed by a time such as "14:30:05" if it has one, or a time alone. */
function showDate(stored: string, is1904: boolean): string {
  const serial = Number(stored)
  if (stored.trim() === '' || !(serial >= 0 && serial < LAST_DAY)) return plainNumber(stored)
  // Stored moments are a hair off: 14:30 is 0.604166666666667.
  const seconds = Math.round(serial * 86_400)
  const day = Math.floor(seconds / 86_400)
  const shifted = !is1904 && day < 60 ? day + 1 : day
  const moment = new Date((is1904 ? DAY_0_OF_1904 : DAY_0) + shifted * DAY_MS + (seconds % 86_400) * 1000)
  const [date = '', time = ''] = moment.toISOString().slice(0, 19).split('T')
  if (time === '00:00:00') return date
  return day === 0 ? time : `${date} ${time}`
}

/** Formats of only digits and separators: "00000", "00000-0000", "(000) 000-0000", "\A000". */
function digitMask(code: string): ShowNumber | undefined {
  const sections = code.split(';').map(readMask)
  const [first, second] = sections
  if (!first) return undefined
  return (stored) => {
    const digits = plainNumber(stored)
    if (!/^\d+$/.test(digits)) return digits
    const mask = Number(digits) <= first.upTo ? first : second
    return mask ? filled(mask, digits) : digits
  }
}

/** A digit's place (needed: "0", or not: "#") or the text between. */
type Mask = { upTo: number; pieces: { digit?: '0' | '#'; text?: string }[] }

const MASK_PIECE = /"([^"]*)"|\\(.)|([0#])|([-/ ()])|\[<=?(\d+)\]|\[[^\]<>=]*\]/y

function readMask(section: string): Mask | undefined {
  const mask: Mask = { upTo: Number.POSITIVE_INFINITY, pieces: [] }
  MASK_PIECE.lastIndex = 0
  while (MASK_PIECE.lastIndex < section.length) {
    const found = MASK_PIECE.exec(section)
    if (!found) return undefined
    const [, quoted, escaped, digit, between, upTo] = found
    if (digit !== undefined) mask.pieces.push({ digit: digit === '0' ? '0' : '#' })
    else if (upTo !== undefined) mask.upTo = Number(upTo)
    else mask.pieces.push({ text: quoted ?? escaped ?? between ?? '' })
  }
  const places = mask.pieces.filter(({ digit }) => digit !== undefined)
  const isOfZeros = places.filter(({ digit }) => digit === '0').length > 1
  // "#,##0" and "0" are numbers; seven or more places with separators are a phone number.
  const isTelephone = places.length >= 7 && mask.pieces.some(({ text }) => text)
  return isOfZeros || isTelephone ? mask : undefined
}

/** Digits fill the format from the right; extra digits go in front. */
function filled({ pieces }: Mask, digits: string): string {
  const places = pieces.filter(({ digit }) => digit !== undefined).length
  const padded = digits.padStart(places, ' ')
  const extra = padded.length - places
  let at = extra
  const shown = pieces.map(({ digit, text }) => {
    if (digit === undefined) return text
    const own = padded.slice(at === extra ? 0 : at, at + 1).trim()
    at += 1
    return own === '' && digit === '0' ? '0' : own
  })
  return shown.join('')
}

/** How the numbers of each cell style are shown, in the order of the styles. */
export async function readStyles(
  texts: AsyncIterable<string>,
  is1904: boolean,
): Promise<(ShowNumber | undefined)[]> {
  const codes = new Map<string, string>()
  const formats: string[] = []
  let isOfCells = false
  await readXml(texts, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'numFmt') codes.set(numFmtId, formatCode)
      else if (name === 'cellXfs') isOfCells = true
      else if (name === 'xf' && isOfCells) formats.push(numFmtId)
    },
    close: (name) => {
      if (name === 'cellXfs') isOfCells = false
    },
  })
  // Thousands of styles share a few formats.
  const shown = new Map([...new Set(formats)].map((id) => [id, showNumber(id, codes.get(id), is1904)]))
  return formats.map((id) => shown.get(id))
}

/** Longer cells are cut; the row check reports it as too long. */
const LONGEST_TEXT = 100_001

/**
 * What Excel writes for characters that XML cannot contain: "_x000D_" is a carriage return, "_x005F_" an underscore.
 */
const unescaped = (text: string) =>
  text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

/** A cell's text as it is stored. */
export function cellText(written: string): string {
  const text = unescaped(written)
  return text.length > LONGEST_TEXT ? text.slice(0, LONGEST_TEXT) : text
}

/** Joins the runs of a rich text, without the phonetic readings of Japanese ones. */
export function textRuns() {
  let joined = ''
  let isText = false
  let isReading = false
  return {
    open: (name: string) => {
      if (name === 't') isText = true
      else if (name === 'rPh') isReading = true
    },
    close: (name: string) => {
      if (name === 't') isText = false
      else if (name === 'rPh') isReading = false
    },
    text: (text: string) => {
      if (isText && !isReading && joined.length < LONGEST_TEXT) joined += text
    },
    /** Returns the text so far and starts the next one. */
    take: () => {
      const taken = cellText(joined)
      joined = ''
      return taken
    },
  }
}

/** The texts that a workbook's cells share, by their number. */
export type SharedStrings = { at(index: number): string | undefined }

// Stored as bytes outside of the heap: a heap of 128 MB has no room for a million strings and the rows.
const PAGE_BYTES = 1024 * 1024
const MAX_BYTES = 128 * PAGE_BYTES
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

/**
 * Stores strings in pages, with the start of each, counted across all pages, and its length; a string is within one
 * page.
 */
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
      if ((pages.length - 1) * PAGE_BYTES + 8 * count > MAX_BYTES) throw tooManyTexts()
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

/** What happens while XML is read; names come without their prefix. */
type XmlHandlers = {
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

type XmlReader = { write(text: string): void; close(): void }

// The longest that a cell can be is 32,767 characters; the parser keeps a tag or a text until it ends.
const LONGEST_TOKEN = 8 * 1024 * 1024

// A cell's text is seven elements deep, and the parser keeps each open one.
const MAX_DEPTH = 200

const local = (name: string) => name.slice(name.indexOf(':') + 1)

/**
 * Reads XML piece by piece. Custom entities are unknown and document types are refused, so nothing expands.
 * @throws WorkbookProblem if it is not XML
 */
export function xmlReader({ open, close, text }: XmlHandlers): XmlReader {
  const parser = new SaxesParser({ xmlns: false, position: false })
  let sinceToken = 0
  let depth = 0
  parser.on('opentag', ({ name, attributes }) => {
    sinceToken = 0
    depth += 1
    if (depth > MAX_DEPTH) throw damagedWorkbook('its elements are nested too deeply')
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
      throw damagedWorkbook('a part of it is cut off or is not XML', cause)
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
