/**
 * Keeps recently used values in two halves: a full newer half replaces the older one; used values move to the newer
 * half.
 */
export class RecentValues<Value> {
  readonly #halfSize: number
  #newer = new Map<string, Value>()
  #older = new Map<string, Value>()

  constructor(halfSize: number) {
    this.#halfSize = halfSize
  }

  get(key: string): Value | undefined {
    const known = this.#newer.get(key)
    if (known !== undefined) return known
    const before = this.#older.get(key)
    if (before !== undefined) this.set(key, before)
    return before
  }

  set(key: string, value: Value): void {
    if (this.#newer.size >= this.#halfSize) {
      this.#older = this.#newer
      this.#newer = new Map()
    }
    // Copies the key, because a substring would keep its whole source text in memory.
    this.#newer.set(Buffer.from(key).toString(), value)
  }
}

/** A function of text that remembers what it made of the last `halfSize` texts, and of as many more. */
export function remembering<Value>(make: (text: string) => Value, halfSize: number): (text: string) => Value {
  const values = new RecentValues<Value>(halfSize)
  return (text) => {
    const known = values.get(text)
    if (known !== undefined) return known
    const made = make(text)
    values.set(text, made)
    return made
  }
}
