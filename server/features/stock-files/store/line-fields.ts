import type { JsonValue } from '#db/schema.gen.ts'

/**
 * Puts a text together of another one and the pieces that are to replace some of its own, as bytes: what stays is copied
 * in long runs. The memory is used again for the next text, since the garbage collector runs more often the more of it is
 * taken anew.
 */
export class SplicedText {
  #memory = Buffer.alloc(0)
  #length = 0
  #text: Buffer = Buffer.alloc(0)
  #copied = 0
  #isChanged = false
  /** How much longer it is than the other text. */
  longer = 0

  /** Forgets what it holds. */
  begin(text: Buffer): void {
    this.#text = text
    this.#length = 0
    this.#copied = 0
    this.longer = 0
    this.#isChanged = false
  }

  /** Replaces the bytes between two places, which lie behind those replaced before. */
  replace(from: number, to: number, piece: string): void {
    this.#copy(from)
    this.#makeRoom(piece.length * 3)
    const written = this.#memory.write(piece, this.#length)
    this.#length += written
    this.#copied = to
    this.#isChanged = true
    this.longer += written - (to - from)
  }

  /** The whole text, which stands until the next one begins; undefined where nothing was replaced. */
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

/** Values by their names. */
type LineFields = Readonly<Record<string, JsonValue>>

type WantedField = {
  readonly name: string
  readonly key: Uint8Array
  /** Where its value stands in the line, as JSON; 0 until it is met. */
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
 * Reads a few fields of segment lines (`toSegmentLine` made them), and puts others in their places, without reading the
 * records and without strings of the lines: those keep the garbage collector busier than everything else. A line is read
 * only as far as somebody asks for.
 */
export class LineFieldReader {
  readonly #wanted: readonly WantedField[]
  readonly #byName: ReadonlyMap<string, WantedField>
  readonly #byLength: readonly (readonly WantedField[])[]
  #text: Buffer = Buffer.alloc(0)
  /** Where the next name begins, or the brace behind the last field stands. */
  #at = 0

  constructor(names: readonly string[]) {
    this.#wanted = names.map((name) => ({ name, key: Buffer.from(name), from: 0, to: 0, value: undefined }))
    this.#byName = new Map(this.#wanted.map((field) => [field.name, field]))
    const lengths = Math.max(...this.#wanted.map(({ key }) => key.length)) + 1
    this.#byLength = Array.from({ length: lengths }, (_, length) =>
      this.#wanted.filter(({ key }) => key.length === length),
    )
  }

  /** Turns to the line that begins at `from`. */
  begin(text: Buffer, from: number): void {
    for (const field of this.#wanted) {
      field.from = 0
      field.value = undefined
    }
    this.#text = text
    // ["id",{"name":value,"name":value},…
    this.#at = endOfText(text, from + 1) + 2
  }

  /** Of one of the fields that the reader was made for; undefined where the line has none. */
  value(name: string): JsonValue | undefined {
    const field = this.#byName.get(name)
    if (field?.from === 0) this.#readUntil(field)
    return field?.value
  }

  /** Behind the line, its line end included. */
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

  /** Puts other values into the line: where the old ones stood, those of absent fields behind all others. */
  replace(changes: LineFields, target: SplicedText): void {
    const names = Object.keys(changes)
    const absent = names.filter((name) => this.value(name) === undefined)
    const there = this.#wanted.filter(({ name, from }) => from > 0 && Object.hasOwn(changes, name))
    if (there.length > 1) there.sort((one, other) => one.from - other.from)
    for (const { name, from, to } of there) target.replace(from, to, JSON.stringify(changes[name]))
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

/** From its last letter on, since names begin alike. */
function isAt(text: Buffer, from: number, key: Uint8Array): boolean {
  for (let place = key.length - 1; place >= 0; place -= 1) {
    if (text[from + place] !== key[place]) return false
  }
  return true
}

/** Behind the quotation mark that closes the one at `from`. */
function endOfText(text: Buffer, from: number): number {
  let at = from + 1
  for (let sign = text[at]; sign !== QUOTE; sign = text[at]) {
    // A line end or the end of it all: no text of a line goes on behind it.
    if (sign === undefined || sign < SPACE) throw brokenLine()
    at += sign === BACKSLASH ? 2 : 1
  }
  return at + 1
}

function endOfValue(text: Buffer, from: number): number {
  let depth = 0
  for (let at = from; at < text.length; ) {
    const sign = text[at]
    if (depth === 0 && (sign === COMMA || sign === END_OF_OBJECT)) return at
    if (sign === OBJECT || sign === LIST) depth += 1
    if (sign === END_OF_OBJECT || sign === END_OF_LIST) depth -= 1
    at = sign === QUOTE ? endOfText(text, at) : at + 1
  }
  throw brokenLine()
}

const brokenLine = () => new Error('A line of a segment ends within a value')

function valueAt(text: Buffer, { from, to }: WantedField): JsonValue {
  if (text[from] !== QUOTE) return JSON.parse(text.toString('utf8', from, to)) as JsonValue
  const inside = text.toString('utf8', from + 1, to - 1)
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside
}
