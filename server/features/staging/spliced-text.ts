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
