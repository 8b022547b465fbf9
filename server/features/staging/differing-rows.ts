/** A row of two versions that differs; -1 where a version does not have it. */
export type DifferingRow = { readonly before: number; readonly after: number }

// Two row numbers in one number: more rows than this no version has.
const MOST_ROWS = 2 ** 26

/**
 * Rows that differ between two versions, in the order of the newer one; those that are gone stand where they stood, and of
 * two at one place the one that is gone comes first. A row takes 8 bytes: there may be as many as a file has.
 */
export class DifferingRows {
  readonly counts = { added: 0, removed: 0, changed: 0 }
  readonly #packed: number[] = []
  #sorted: Float64Array | undefined

  add({ before, after }: DifferingRow): void {
    const isGone = after < 0
    const place = isGone ? before : after
    this.#packed.push((place * 2 + (isGone ? 0 : 1)) * MOST_ROWS + before + 1)
    if (isGone) this.counts.removed += 1
    else if (before < 0) this.counts.added += 1
    else this.counts.changed += 1
  }

  get length(): number {
    return this.#sorted?.length ?? this.#packed.length
  }

  /** Some of them in order. What is added afterwards is not among them. */
  slice(start: number, end: number): DifferingRow[] {
    if (!this.#sorted) {
      this.#sorted = Float64Array.from(this.#packed).sort()
      this.#packed.length = 0
    }
    return Array.from(this.#sorted.subarray(start, end), unpacked)
  }
}

function unpacked(packed: number): DifferingRow {
  const before = (packed % MOST_ROWS) - 1
  const marked = Math.floor(packed / MOST_ROWS)
  return { before, after: marked % 2 === 0 ? -1 : Math.floor(marked / 2) }
}
