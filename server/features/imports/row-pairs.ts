import type { RowPair } from '#server/features/promotion/expected-pair.ts'

const HALF = 16
const PAIR = 2 * HALF
// Small enough for one statement, large enough that a chunk is asked for at once.
const BATCH_BYTES = 4_000 * PAIR

/**
 * The keys and hashes of any number of rows in 32 bytes a row, outside of the JavaScript heap. Rows of one key come out
 * together, so that each key is judged once and as a whole.
 */
export class RowPairs {
  /** By the first byte of the key. */
  readonly #groups: { bytes: Buffer; used: number }[] = Array.from({ length: 256 }, () => ({
    bytes: Buffer.alloc(0),
    used: 0,
  }))

  add({ key, hash }: RowPair): void {
    const group = this.#groupWithRoom(Number.parseInt(key.slice(0, 2), 16))
    group.bytes.write(key, group.used, HALF, 'hex')
    group.bytes.write(hash, group.used + HALF, HALF, 'hex')
    group.used += PAIR
  }

  /** Takes in pairs that others have packed. */
  addPacked(pairs: Uint8Array): void {
    for (let at = 0; at < pairs.length; at += PAIR) {
      const group = this.#groupWithRoom(pairs[at] ?? -1)
      group.bytes.set(pairs.subarray(at, at + PAIR), group.used)
      group.used += PAIR
    }
  }

  #groupWithRoom(first: number) {
    const group = this.#groups[first]
    if (!group) throw new RangeError('A key is hex')
    if (group.used === group.bytes.length) {
      const grown = Buffer.alloc(Math.max(8 * PAIR, group.bytes.length * 2))
      group.bytes.copy(grown)
      group.bytes = grown
    }
    return group
  }

  /** All of them as one. */
  packed(): Buffer {
    return Buffer.concat([...this.batches()])
  }

  /**
   * Packed: key and hash of a row, then those of the next. In no order, but all rows of a key in one batch, so a file that
   * has one stock number for all its parts is one batch. As bytes that is a matter of 32 MB a million rows; as texts in
   * lists it would be more than the whole heap.
   */
  *batches(): Generator<Buffer> {
    let groups: Buffer[] = []
    let bytes = 0
    for (const group of this.#groups) {
      if (group.used === 0) continue
      groups.push(group.bytes.subarray(0, group.used))
      bytes += group.used
      if (bytes < BATCH_BYTES) continue
      yield joined(groups)
      groups = []
      bytes = 0
    }
    if (bytes > 0) yield joined(groups)
  }
}

/** Without a copy where there is only one. */
const joined = (groups: readonly Buffer[]): Buffer =>
  (groups.length === 1 && groups[0]) || Buffer.concat(groups)
