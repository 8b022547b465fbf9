import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { LONGEST_LINE, linePieces } from '#server/platform/database/storable-text.ts'

const LINE_FEED = 0x0a
// A line that is not UTF-8 and has more control characters than this is not text in another encoding either.
const MAX_STRANGE = 0.1

/**
 * Turns a program's output into lines that can be stored and shown: removes colors and cursor movements, makes other
 * control characters visible, and describes binary data in brackets. One per stream; buffers at most one line.
 */
export class OutputLines {
  #rest: Buffer = Buffer.alloc(0)

  /** Returns the lines that are now complete. */
  push(chunk: Buffer): string[] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const end = bytes.lastIndexOf(LINE_FEED)
    const lines = end < 0 ? [] : linesOf(bytes.subarray(0, end))
    let rest = bytes.subarray(end + 1)
    // Too long to wait for its end.
    while (rest.length >= LONGEST_LINE) {
      const cut = characterStart(rest, LONGEST_LINE)
      lines.push(...linesOf(rest.subarray(0, cut)))
      rest = rest.subarray(cut)
    }
    // A copy: a view would keep the whole chunk.
    this.#rest = Buffer.from(rest)
    return lines
  }

  /** Returns the last line if it has no line ending. */
  end(): string[] {
    return this.#rest.length === 0 ? [] : linesOf(this.#rest)
  }
}

/** The last position at which a piece can end without splitting a UTF-8 character. */
function characterStart(bytes: Buffer, at: number): number {
  for (let place = at; place > at - 4; place -= 1) {
    if (((bytes[place] ?? 0) & 0xc0) !== 0x80) return place
  }
  return at
}

function linesOf(block: Buffer): string[] {
  if (isUtf8(block) && !block.includes(0)) return block.toString().split('\n').flatMap(shown)
  return linesOfMixed(block)
}

/** Handles output that is not all UTF-8. Adjacent binary lines are described together. */
function linesOfMixed(block: Buffer): string[] {
  const lines: string[] = []
  let binary = 0
  const flushBinary = () => {
    if (binary > 0) lines.push(`[binary, ${binary.toLocaleString('en-US')} bytes]`)
    binary = 0
  }
  for (const line of splitLines(block)) {
    const text = line.toString()
    if (isBinary(text)) {
      binary += line.length
      continue
    }
    flushBinary()
    lines.push(...shown(text))
  }
  flushBinary()
  return lines
}

function* splitLines(block: Buffer): Generator<Buffer> {
  let from = 0
  for (let end = block.indexOf(LINE_FEED); end >= 0; end = block.indexOf(LINE_FEED, from)) {
    yield block.subarray(from, end)
    from = end + 1
  }
  yield block.subarray(from)
}

function isBinary(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it counts.
  const strange = text.match(/[\0-\x08\x0e-\x1a\ufffd]/g)?.length ?? 0
  return strange > text.length * MAX_STRANGE
}

// Control characters except tab, and characters that change the text direction, which could disguise a line.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for.
const UNSAFE = /[\0-\x08\x0a-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/
const EVERY_UNSAFE = new RegExp(UNSAFE, 'g')

function shown(line: string): string[] {
  return linePieces(UNSAFE.test(line) ? neutral(line) : line)
}

function neutral(line: string): string {
  const withoutReturn = line.endsWith('\r') ? line.slice(0, -1) : line
  return stripVTControlCharacters(withoutReturn).replace(EVERY_UNSAFE, visible)
}

const PICTURES = 0x2400
const DELETE = 0x7f

/** U+001B becomes ␛; characters without a symbol show their number. */
function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(PICTURES + code)
  if (code === DELETE) return '␡'
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

// A pipe still open after the script has ended belongs to a program that left its group; the script's own output has long
// been read by then.
const SILENT_MS = 1_000

/**
 * Passes on a process's output line by line, in order. While `say` waits the process blocks on its full pipe, so no more
 * than a few chunks of 64 kB are in memory. Returns at the end of the stream, or when it goes quiet after `ended`.
 */
export async function readOutput(
  stream: Readable,
  say: (lines: readonly string[]) => Promise<void>,
  ended: Promise<unknown>,
): Promise<void> {
  const lines = new OutputLines()
  const pace = { chunks: 0, isBusy: false }
  const giveUp = new AbortController()
  void ended.then(
    () => destroyWhenSilent(stream, pace, giveUp.signal),
    () => stream.destroy(),
  )
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      pace.chunks += 1
      pace.isBusy = true
      await saySome(say, lines.push(chunk))
      pace.isBusy = false
    }
  } catch (error) {
    if (!isCutOff(error)) throw error
  } finally {
    giveUp.abort()
  }
  await saySome(say, lines.end())
}

async function saySome(say: (lines: readonly string[]) => Promise<void>, lines: string[]): Promise<void> {
  if (lines.length > 0) await say(lines)
}

function destroyWhenSilent(
  stream: Readable,
  pace: { chunks: number; isBusy: boolean },
  signal: AbortSignal,
): void {
  if (signal.aborted) return
  let before = pace.chunks
  const timer = setInterval(() => {
    if (!pace.isBusy && pace.chunks === before) stream.destroy()
    before = pace.chunks
  }, SILENT_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}

function isCutOff(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'
}
