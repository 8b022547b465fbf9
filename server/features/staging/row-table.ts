import { hash } from 'node:crypto'

// Two words of the id's hash, two of the content's, and the row counted from 1: 0 marks a free place.
const WORDS = 5
// A table that is fuller than this is slow.
const MOST_FILLED = 0.6

/**
 * Rows by their ids, with what they say: 20 bytes for each, so that a million fit where a map of texts would not. Ids and
 * contents are known by 64 bits of their hashes.
 */
export class RowTable {
  readonly #words: Uint32Array
  readonly #mask: number

  constructor(mostRows: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(8, mostRows / MOST_FILLED)))
    this.#mask = places - 1
    this.#words = new Uint32Array(places * WORDS)
  }

  add(id: string, content: string, row: number): void {
    const key = wordsOf(id)
    const at = this.#placeOf(key)
    this.#words.set([...key, ...wordsOf(content), row + 1], at)
  }

  /** Takes a row out; undefined where the table has none with that id. */
  take(id: string, content: string): { row: number; isSame: boolean } | undefined {
    const at = this.#placeOf(wordsOf(id))
    const row = (this.#words[at + 4] as number) - 1
    if (row < 0) return undefined
    const [high, low] = wordsOf(content)
    const isSame = this.#words[at + 2] === high && this.#words[at + 3] === low
    // The place stays taken, since others may lie behind it; that it was found is said by an id that nobody has.
    this.#words[at] = 0
    this.#words[at + 1] = 0
    return { row, isSame }
  }

  /** The rows that nobody took. */
  *rest(): Generator<number> {
    for (let at = 0; at < this.#words.length; at += WORDS) {
      const isTaken = this.#words[at] === 0 && this.#words[at + 1] === 0
      const row = (this.#words[at + 4] as number) - 1
      if (row >= 0 && !isTaken) yield row
    }
  }

  /** Where a key is, or the free place where it would be. */
  #placeOf([high, low]: readonly [number, number]): number {
    for (let place = low & this.#mask; ; place = (place + 1) & this.#mask) {
      const at = place * WORDS
      if (this.#words[at + 4] === 0) return at
      if (this.#words[at] === high && this.#words[at + 1] === low) return at
    }
  }
}

function wordsOf(text: string): readonly [number, number] {
  const digest = hash('sha1', text, 'buffer')
  // No hash is two zeros: those mark a row that was taken.
  return [digest.readUInt32LE(0) || 1, digest.readUInt32LE(4)]
}
