/** Hex of 16 bytes each: which part a row is, and what it says. */
export type RowPair = { readonly key: string; readonly hash: string }

const HALF = 16
const PAIR = 2 * HALF
// Small enough for one statement, large enough that a chunk is asked for at once.
const BATCH = 4_000

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
    const group = this.#groups[Number.parseInt(key.slice(0, 2), 16)]
    if (!group) throw new RangeError('A key is hex')
    if (group.used === group.bytes.length) {
      const grown = Buffer.alloc(Math.max(8 * PAIR, group.bytes.length * 2))
      group.bytes.copy(grown)
      group.bytes = grown
    }
    group.bytes.write(key, group.used, HALF, 'hex')
    group.bytes.write(hash, group.used + HALF, HALF, 'hex')
    group.used += PAIR
  }

  /** In no order, but all rows of a key in one batch. */
  *batches(): Generator<RowPair[]> {
    let batch: RowPair[] = []
    for (const { bytes, used } of this.#groups) {
      for (let at = 0; at < used; at += PAIR) {
        batch.push({
          key: bytes.toString('hex', at, at + HALF),
          hash: bytes.toString('hex', at + HALF, at + PAIR),
        })
      }
      if (batch.length < BATCH) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
  }
}
