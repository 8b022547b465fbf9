import { typoBetween } from './name-similarity.ts'

/**
 * The words that occur in a kind of names. A word that is among them was meant so; any other may be one of them mistyped:
 * a "brake motor" is no brake rotor, though one letter makes one of it.
 */
export class KnownWords {
  readonly #words = new Set<string>()
  /** Typed words are compared with those of about their length. */
  readonly #byLength = new Map<number, string[]>()

  add(word: string): void {
    if (this.#words.has(word)) return
    this.#words.add(word)
    const sameLength = this.#byLength.get(word.length)
    if (sameLength) sameLength.push(word)
    else this.#byLength.set(word.length, [word])
  }

  has(word: string): boolean {
    return this.#words.has(word)
  }

  /** The word that was mistyped, where one is nearer than all others. */
  meantBy(typed: string): { word: string; edits: number } | undefined {
    let best: { word: string; edits: number; isOnly: boolean } | undefined
    for (let length = typed.length - 2; length <= typed.length + 2; length += 1) {
      for (const word of this.#byLength.get(length) ?? []) {
        const edits = typoBetween(typed, word)
        if (edits === undefined || (best && edits > best.edits)) continue
        best = { word, edits, isOnly: !best || edits < best.edits }
      }
    }
    return best?.isOnly ? { word: best.word, edits: best.edits } : undefined
  }
}
