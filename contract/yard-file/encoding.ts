import type { Encoding } from './reading.ts'

/* Decodes bytes and never replaces one with U+FFFD silently. */

/** Detects the encoding from the beginning of a file; `whole` if that is all of it. */
export function detectEncoding(head: Uint8Array, whole: boolean): Encoding {
  const detected = byMark(head)?.[0] ?? byZeros(head)
  return detected ?? (isUtf8(head, whole) ? 'utf-8' : singleByteEncoding(head))
}

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

const byMark = (head: Uint8Array) => marks.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))

/** Length of the encoding's byte order mark at the beginning; 0 if there is none. */
export function markBytesOf(head: Uint8Array, encoding: Encoding): number {
  const [marked, mark] = byMark(head) ?? []
  return marked === encoding ? (mark?.length ?? 0) : 0
}

// Enough pairs of bytes: Latin text in UTF-16 has a zero in nearly all of them.
const PAIRS = 512
const MIN_ZEROS = 0.4

function byZeros(head: Uint8Array): Encoding | undefined {
  const pairs = Math.min(PAIRS, head.length >> 1)
  let first = 0
  let second = 0
  for (let at = 0; at < 2 * pairs; at += 2) {
    if (head[at] === 0) first += 1
    if (head[at + 1] === 0) second += 1
  }
  if (second >= MIN_ZEROS * pairs && first === 0 && second > 0) return 'utf-16le'
  if (first >= MIN_ZEROS * pairs && second === 0 && first > 0) return 'utf-16be'
  return undefined
}

/** Whether bytes are UTF-8; at the end of a beginning, a character may be incomplete. */
function isUtf8(bytes: Uint8Array, whole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole })
    return true
  } catch {
    return false
  }
}

/**
 * Which of the two single-byte encodings it is: é in one is È in the other. Decided by the characters next to each
 * such letter.
 */
export function singleByteEncoding(bytes: Uint8Array): Encoding {
  return plausibility(bytes, 'macintosh') > plausibility(bytes, 'windows-1252') ? 'macintosh' : 'windows-1252'
}

// Enough to decide, and few enough to check one by one.
const MAX_CHECKED = 2_000

function plausibility(bytes: Uint8Array, encoding: Encoding): number {
  const text = new TextDecoder(encoding).decode(bytes)
  let score = 0
  let seen = 0
  for (const { 0: symbol, index } of text.matchAll(/[^\0-\x7f]/g)) {
    score += fitsBeside(symbol, text[index - 1] ?? ' ', text[index + 1] ?? ' ')
    seen += 1
    if (seen === MAX_CHECKED) break
  }
  return score
}

/** Symbols in texts about parts, each with the characters that must be next to it. */
const commonSymbols: [symbol: RegExp, beside: RegExp][] = [
  [/[“”–—…•™®©\u00a0]/, /^/],
  [/[’‘]/, /[\p{L}\d]/u],
  [/[°½¼¾²³ºª]/, /^[\d\s"(]/],
  [/[£€¢¥]/, /[\d\s]/],
]

/** 1 if a symbol is usual between those two, -1 if it is odd. */
function fitsBeside(symbol: string, before: string, after: string): number {
  const beside = before + after
  if (/\p{Ll}/u.test(symbol)) return /\p{L}/u.test(beside) ? 1 : 0
  if (/\p{Lu}/u.test(symbol)) return /\p{Ll}/u.test(before) || !/\p{L}/u.test(beside) ? -1 : 1
  const found = commonSymbols.find(([symbols]) => symbols.test(symbol))
  if (!found) return -1
  return found[1].test(beside) ? 1 : 0
}

/** The bytes are not text in the encoding. */
export class UndecodableText extends Error {
  override name = 'UndecodableText'
  readonly encoding: Encoding
  /** Counts bytes from 0. */
  readonly at: number
  /** 0 is a zero byte, which no text contains. */
  readonly byte: number

  constructor(encoding: Encoding, at: number, byte: number) {
    super(`Byte ${(at + 1).toLocaleString('en-US')} is not text in ${encoding}`)
    this.encoding = encoding
    this.at = at
    this.byte = byte
  }
}

/*
 * A text with a character beyond Latin-1 has two bytes for each. V8 gives every one above 128 kB memory pages of its own, which
 * takes ten times as long as decoding it.
 */
const SMALL_PIECE = 32 * 1024

/** A piece of a file in pieces that are decoded fast. */
export function* smallPieces<Piece extends Uint8Array>(piece: Piece): Generator<Piece> {
  for (let at = 0; at < piece.length; at += SMALL_PIECE) yield piece.subarray(at, at + SMALL_PIECE) as Piece
}

export type TextReader = { push(bytes: Uint8Array): string; finish(): string }

/**
 * Decodes bytes piece by piece. `offset`: bytes of the byte order mark, which were left out.
 * @throws UndecodableText from `push` and `finish`
 */
export function textReader(encoding: Encoding, offset = 0): TextReader {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  /** An unfinished character of the last piece. */
  let begun = new Uint8Array()
  let read = offset
  const decode = (bytes: Uint8Array): string => {
    const text = decodeWhole(decoder, bytes, { encoding, read })
    read += bytes.length
    return text
  }
  return {
    push(piece) {
      const bytes = begun.length === 0 ? piece : joined(begun, piece)
      const whole = bytes.length - unfinishedBytes(bytes, encoding)
      begun = bytes.slice(whole)
      return decode(bytes.subarray(0, whole))
    },
    finish: () => decode(begun),
  }
}

// Half a surrogate pair may start with a zero byte, but it is not a zero.
const LONE_SURROGATE = 0xd8

function decodeWhole(
  decoder: { decode(bytes: Uint8Array): string },
  bytes: Uint8Array,
  { encoding, read }: { encoding: Encoding; read: number },
): string {
  let text: string
  try {
    text = decoder.decode(bytes)
  } catch {
    const at = firstUndecodable(bytes, encoding)
    throw new UndecodableText(encoding, read + at, bytes[at] || LONE_SURROGATE)
  }
  const zero = text.indexOf('\0')
  if (zero === -1) return text
  throw new UndecodableText(encoding, read + lengthIn(encoding, text.slice(0, zero)), 0)
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(a.length + b.length)
  both.set(a)
  both.set(b, a.length)
  return both
}

export const isUtf16 = (encoding: Encoding): boolean => encoding === 'utf-16le' || encoding === 'utf-16be'

/** How many bytes at the end belong to an unfinished character. */
function unfinishedBytes(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding === 'utf-8') return unfinishedUtf8(bytes)
  if (!isUtf16(encoding)) return 0
  const odd = bytes.length % 2
  const high = bytes[bytes.length - odd - (encoding === 'utf-16le' ? 1 : 2)] ?? 0
  return high >= 0xd8 && high < 0xdc ? odd + 2 : odd
}

export function unfinishedUtf8(bytes: Uint8Array): number {
  for (let back = 1; back <= 3; back++) {
    const byte = bytes[bytes.length - back]
    if (byte === undefined || byte < 0x80) return 0
    if (byte < 0xc0) continue
    return lengthOf(byte) > back ? back : 0
  }
  return 0
}

function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4
  return lead >= 0xe0 ? 3 : 2
}

/** The first byte that is not text: encoding the decoded text again gives another byte there. */
export function firstUndecodable(bytes: Uint8Array, encoding: Encoding): number {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  if (encoding === 'utf-8') {
    const back = new TextEncoder().encode(text)
    return bytes.findIndex((byte, at) => byte !== back[at])
  }
  // Both encodings have two bytes per unit, and U+FFFD is one unit; the file may have its own before this one.
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at + 1 < bytes.length; at += 2) {
    if (view.getUint16(at, encoding === 'utf-16le') !== text.charCodeAt(at / 2)) return at
  }
  return bytes.length - 1
}

function lengthIn(encoding: Encoding, text: string): number {
  if (encoding === 'utf-8') return new TextEncoder().encode(text).length
  return isUtf16(encoding) ? 2 * text.length : text.length
}
