import type { JsonValue } from '#db/schema.gen.ts'

/** Values by their names; what is absent is not there. */
export type LineFields = Readonly<Record<string, JsonValue>>

// Texts that come again, in a file of a million rows as well.
const MOST_TEXTS = 20_000
const COMMA = 44
const BRACE = 123
const QUOTE = 34

/**
 * Reads a few fields of segment lines (`toSegmentLine` made them) without reading the records: a tenth of the time, and
 * next to nothing for the garbage collector. Answers nothing for a record that is not flat or spells them unusually; then
 * `fromSegmentLine` reads it.
 */
export class LineFieldReader {
  readonly #keys: ReadonlyMap<string, string>
  readonly #texts = new Map<string, string>()

  constructor(names: readonly string[]) {
    this.#keys = new Map(names.map((name) => [name, `${JSON.stringify(name)}:`]))
  }

  read(line: string): LineFields | undefined {
    // A list or an object behind a name: what stands in it could be taken for a field of the record. Looking for a
    // rare sign first takes a fifth of the time of looking for a quotation mark.
    if (line.includes(':{') || line.includes(':[')) return undefined
    const fields: Record<string, JsonValue> = {}
    for (const [name, key] of this.#keys) {
      const at = line.indexOf(key)
      if (at < 0) continue
      const json = jsonAt(line, at, key)
      if (json === undefined) return undefined
      fields[name] = this.#value(json)
    }
    return fields
  }

  /** A text of its own: a piece of the line would keep the whole segment in memory for as long as somebody knows it. */
  #value(json: string): JsonValue {
    const known = this.#texts.get(json)
    if (known !== undefined) return known
    const value = JSON.parse(json) as JsonValue
    if (typeof value !== 'string') return value
    if (this.#texts.size >= MOST_TEXTS) this.#texts.clear()
    this.#texts.set(JSON.stringify(value), value)
    return value
  }
}

/** The value behind a name, or nothing where that cannot be told by a look. */
function jsonAt(line: string, at: number, key: string): string | undefined {
  // Within a name that holds a quote itself.
  const before = line.charCodeAt(at - 1)
  if (before !== COMMA && before !== BRACE) return undefined
  const from = at + key.length
  if (line.charCodeAt(from) !== QUOTE) return /^[^,}]{1,40}(?=[,}])/.exec(line.slice(from, from + 41))?.[0]
  const json = line.slice(from, line.indexOf('"', from + 1) + 1)
  return json.includes('\\') ? undefined : json
}

/** A line that was read, with other values in its fields; nothing where one of them is not in it yet. */
export function withLineFields(
  line: string,
  changes: Readonly<Record<string, JsonValue>>,
): string | undefined {
  let changed = line
  for (const [name, value] of Object.entries(changes)) {
    const key = `${JSON.stringify(name)}:`
    const at = changed.indexOf(key)
    const before = at < 0 ? undefined : jsonAt(changed, at, key)
    if (before === undefined) return undefined
    const from = at + key.length
    changed = `${changed.slice(0, from)}${JSON.stringify(value)}${changed.slice(from + before.length)}`
  }
  return changed
}
