import type { Encoding } from './reading.ts'

/* Bytes into text, so that nothing ever turns into U+FFFD without a word. */

export type DetectedEncoding = {
  encoding: Encoding
  /** Of the byte order mark, which is no text. */
  markBytes: number
  /** Whether what is still to come can be nothing else. */
  sure: boolean
}

/** From the beginning of a file; `whole` where that is all of it. */
export function detectEncoding(head: Uint8Array, whole: boolean): DetectedEncoding {
  const marked = byMark(head)
  if (marked) return { ...marked, sure: true }
  const utf16 = byZeros(head)
  if (utf16) return { encoding: utf16, markBytes: 0, sure: true }
  if (isUtf8(head, whole)) return { encoding: 'utf-8', markBytes: 0, sure: whole }
  return { encoding: singleByteEncoding(head), markBytes: 0, sure: false }
}

const marks: [Encoding, number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
]

function byMark(head: Uint8Array): { encoding: Encoding; markBytes: number } | undefined {
  const found = marks.find(([, bytes]) => bytes.every((byte, at) => head[at] === byte))
  return found && { encoding: found[0], markBytes: found[1].length }
}

/** How many bytes the mark of that encoding takes at the beginning; 0 where it has none. */
export function markBytesOf(head: Uint8Array, encoding: Encoding): number {
  const mark = byMark(head)
  return mark?.encoding === encoding ? mark.markBytes : 0
}

// So many pairs of bytes tell: Latin text in UTF-16 has a zero in nearly each.
const PAIRS = 512
const LEAST_ZEROS = 0.4

function byZeros(head: Uint8Array): Encoding | undefined {
  const pairs = Math.min(PAIRS, head.length >> 1)
  let first = 0
  let second = 0
  for (let at = 0; at < 2 * pairs; at += 2) {
    if (head[at] === 0) first += 1
    if (head[at + 1] === 0) second += 1
  }
  if (second >= LEAST_ZEROS * pairs && first === 0 && second > 0) return 'utf-16le'
  if (first >= LEAST_ZEROS * pairs && second === 0 && first > 0) return 'utf-16be'
  return undefined
}

/** Whether bytes are UTF-8; of a beginning, its last character may be unfinished. */
function isUtf8(bytes: Uint8Array, whole: boolean): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: !whole })
    return true
  } catch {
    return false
  }
}

/**
 * Which of the two encodings with a byte a letter: Windows writes é where a Mac wrote È, and the other way round. Told by
 * what stands beside each such letter.
 */
export function singleByteEncoding(bytes: Uint8Array): Encoding {
  return plausibility(bytes, 'macintosh') > plausibility(bytes, 'windows-1252') ? 'macintosh' : 'windows-1252'
}

// Enough to know, and few enough to be looked at one by one.
const MOST_LOOKED_AT = 2_000

function plausibility(bytes: Uint8Array, encoding: Encoding): number {
  const text = new TextDecoder(encoding).decode(bytes)
  let score = 0
  let seen = 0
  for (const { 0: sign, index } of text.matchAll(/[^\0-\x7f]/g)) {
    score += fitsBeside(sign, text[index - 1] ?? ' ', text[index + 1] ?? ' ')
    seen += 1
    if (seen === MOST_LOOKED_AT) break
  }
  return score
}

/** Signs that stand in texts about parts, each with what must be beside it. */
const usualSigns: [sign: RegExp, beside: RegExp][] = [
  [/[“”–—…•™®©\u00a0]/, /^/],
  [/[’‘]/, /[\p{L}\d]/u],
  [/[°½¼¾²³ºª]/, /^[\d\s"(]/],
  [/[£€¢¥]/, /[\d\s]/],
]

/** 1 where a sign is usual between those two, -1 where it is odd. */
function fitsBeside(sign: string, before: string, after: string): number {
  const beside = before + after
  if (/\p{Ll}/u.test(sign)) return /\p{L}/u.test(beside) ? 1 : 0
  if (/\p{Lu}/u.test(sign)) return /\p{Ll}/u.test(before) || !/\p{L}/u.test(beside) ? -1 : 1
  const found = usualSigns.find(([signs]) => signs.test(sign))
  if (!found) return -1
  return found[1].test(beside) ? 1 : 0
}

/** What stands there is no text in the encoding. */
export class UndecodableText extends Error {
  override name = 'UndecodableText'
  readonly encoding: Encoding
  /** Counts bytes from 0. */
  readonly at: number
  /** 0 is a character that no text has. */
  readonly byte: number

  constructor(encoding: Encoding, at: number, byte: number) {
    super(`Byte ${(at + 1).toLocaleString('en-US')} belongs to no text in ${encoding}`)
    this.encoding = encoding
    this.at = at
    this.byte = byte
  }

  get isZero(): boolean {
    return this.byte === 0
  }
}

export type TextReader = { push(bytes: Uint8Array): string; finish(): string }

/**
 * Reads text of an encoding from bytes that come in pieces. `offset` bytes, a byte order mark, were left out before.
 * @throws UndecodableText from `push` and `finish`
 */
export function textReader(encoding: Encoding, offset = 0): TextReader {
  const decoder = new TextDecoder(encoding, { fatal: true, ignoreBOM: true })
  /** A character that the last piece began. */
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

// Half a pair may begin with a byte that is 0, and is no zero for that.
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

const isUtf16 = (encoding: Encoding) => encoding === 'utf-16le' || encoding === 'utf-16be'

/** How many bytes at the end begin a character of which the rest has not come yet. */
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

/** Where the bytes stop being text. What cannot be decoded comes back as other bytes. */
export function firstUndecodable(bytes: Uint8Array, encoding: Encoding): number {
  const text = new TextDecoder(encoding, { ignoreBOM: true }).decode(bytes)
  if (encoding === 'utf-8') {
    const back = new TextEncoder().encode(text)
    return bytes.findIndex((byte, at) => byte !== back[at])
  }
  // Both have two bytes to a unit, and U+FFFD is one; the file may have one of its own before.
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
