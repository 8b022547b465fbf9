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
