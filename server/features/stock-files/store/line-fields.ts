import type { JsonValue } from '#db/schema.gen.ts'

/**
 * Builds a text from another one with some pieces replaced, as bytes; unchanged runs are copied whole. The buffer is
 * reused for the next text, since fresh allocations keep the garbage collector busy.
 */
export class SplicedText {
  #memory = Buffer.alloc(0)
  #length = 0
  #text: Buffer = Buffer.alloc(0)
  #copied = 0
  #isChanged = false
  /** How many bytes longer than the original. */
  longer = 0

  /** Starts over with another text. */
  begin(text: Buffer): void {
    this.#text = text
    this.#length = 0
    this.#copied = 0
    this.longer = 0
    this.#isChanged = false
  }

  /** Replaces a range of bytes, which must come after all ranges replaced so far. */
  replace(from: number, to: number, piece: string): void {
    this.#copy(from)
    this.#makeRoom(piece.length * 3)
    const written = this.#memory.write(piece, this.#length)
    this.#length += written
    this.#copied = to
    this.#isChanged = true
    this.longer += written - (to - from)
  }

  /** The new text, valid until the next `begin`; undefined if nothing was replaced. */
  end(): Buffer | undefined {
    if (!this.#isChanged) return undefined
    this.#copy(this.#text.length)
    return this.#memory.subarray(0, this.#length)
  }

  #copy(to: number): void {
    this.#makeRoom(to - this.#copied)
    this.#length += this.#text.copy(this.#memory, this.#length, this.#copied, to)
    this.#copied = to
  }

  #makeRoom(bytes: number): void {
    const needed = this.#length + bytes
    if (needed <= this.#memory.length) return
    const larger = Buffer.allocUnsafeSlow(Math.ceil(Math.max(needed, this.#text.length) * 1.1))
    this.#memory.copy(larger, 0, 0, this.#length)
    this.#memory = larger
  }
}

/** Values by field name. */
type LineFields = Readonly<Record<string, JsonValue>>

type WantedField = {
  readonly name: string
  readonly key: Uint8Array
  /** Where its value is in the line, as JSON; 0 until it is found. */
  from: number
  to: number
  value: JsonValue | undefined
}

const LINE_END = 10
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const BACKSLASH = 92
const [LIST, END_OF_LIST, OBJECT, END_OF_OBJECT] = [91, 93, 123, 125]

/**
 * Reads and replaces a few fields of segment lines (made by `toSegmentLine`) without parsing the records or creating a
 * string for each line, which cost more in garbage collection than everything else. Each line is read only as far as
 * needed.
 */
export class LineFieldReader {
  readonly #wanted: readonly WantedField[]
  readonly #byName: ReadonlyMap<string, WantedField>
  readonly #byLength: readonly (readonly WantedField[])[]
  #text: Buffer = Buffer.alloc(0)
  /** Start of the next unread name, or the brace after the last field. */
  #at = 0

  constructor(names: readonly string[]) {
    this.#wanted = names.map((name) => ({ name, key: Buffer.from(name), from: 0, to: 0, value: undefined }))
    this.#byName = new Map(this.#wanted.map((field) => [field.name, field]))
    const lengths = Math.max(...this.#wanted.map(({ key }) => key.length)) + 1
    this.#byLength = Array.from({ length: lengths }, (_, length) =>
      this.#wanted.filter(({ key }) => key.length === length),
    )
  }

  /** Moves to the line that begins at `from`. */
  begin(text: Buffer, from: number): void {
    for (const field of this.#wanted) {
      field.from = 0
      field.value = undefined
    }
    this.#text = text
    // ["id",{"name":value,"name":value},…
    this.#at = endOfText(text, from + 1) + 2
  }

  /** The value of one of the reader's fields, or undefined if the line has none. */
  value(name: string): JsonValue | undefined {
    const field = this.#byName.get(name)
    if (field?.from === 0) this.#readUntil(field)
    return field?.value
  }

  /** The offset after the line and its line end. */
  get endOfLine(): number {
    return this.#text.indexOf(LINE_END, this.#at) + 1 || this.#text.length
  }

  #readUntil(wanted: WantedField): void {
    const text = this.#text
    let at = this.#at
    while (wanted.from === 0 && text[at] === QUOTE) {
      const endOfName = endOfText(text, at)
      const end = endOfValue(text, endOfName + 1)
      const field = this.#fieldAt(text, at + 1, endOfName - 1)
      if (field) {
        field.from = endOfName + 1
        field.to = end
        field.value = valueAt(text, field)
      }
      at = text[end] === COMMA ? end + 1 : end
    }
    this.#at = at
  }

  /** Writes new values into the line: in place of the old ones, or after the last field if the line lacks them. */
  replace(changes: LineFields, target: SplicedText): void {
    const names = Object.keys(changes)
    const absent = names.filter((name) => this.value(name) === undefined)
    const present = this.#wanted.filter(({ name, from }) => from > 0 && Object.hasOwn(changes, name))
    if (present.length > 1) present.sort((one, other) => one.from - other.from)
    for (const { name, from, to } of present) target.replace(from, to, JSON.stringify(changes[name]))
    if (absent.length === 0) return
    const json = absent.map((name) => `${JSON.stringify(name)}:${JSON.stringify(changes[name])}`).join(',')
    const isFirst = this.#text[this.#at - 1] === OBJECT
    target.replace(this.#at, this.#at, isFirst ? json : `,${json}`)
  }

  #fieldAt(text: Buffer, from: number, to: number): WantedField | undefined {
    for (const field of this.#byLength[to - from] ?? []) if (isAt(text, from, field.key)) return field
    return undefined
  }
}

/** Compares from the last character, since many names start alike. */
function isAt(text: Buffer, from: number, key: Uint8Array): boolean {
  for (let place = key.length - 1; place >= 0; place -= 1) {
    if (text[from + place] !== key[place]) return false
  }
  return true
}

/** The offset after the quotation mark that closes the one at `from`. */
function endOfText(text: Buffer, from: number): number {
  let at = from + 1
  for (let byte = text[at]; byte !== QUOTE; byte = text[at]) {
    // A raw control character or the end of the buffer: strings in a segment escape theirs.
    if (byte === undefined || byte < SPACE) throw brokenLine()
    at += byte === BACKSLASH ? 2 : 1
  }
  return at + 1
}

function endOfValue(text: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const byte = text[at]
    if (depth === 0 && (byte === COMMA || byte === END_OF_OBJECT)) return at
    if (byte === OBJECT || byte === LIST) depth += 1
    if (byte === END_OF_OBJECT || byte === END_OF_LIST) depth -= 1
    at = byte === QUOTE ? endOfText(text, at) : at + 1
  }
  throw brokenLine()
}

const brokenLine = () => new Error('A line of a segment ends within a value')

function valueAt(text: Buffer, { from, to }: WantedField): JsonValue {
  if (text[from] !== QUOTE) return JSON.parse(text.toString('utf8', from, to)) as JsonValue
  const inside = text.toString('utf8', from + 1, to - 1)
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
}
