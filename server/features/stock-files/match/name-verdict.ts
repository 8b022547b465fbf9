import type { YearSpan } from '#contract/listing/year-span.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { squash, typoBetween } from './name-form.ts'

/** A lookup that a name may mean. */
export type KnownName = {
  readonly id: string
  readonly name: string
  /** Other words for it, as people type them. */
  readonly aliases: readonly string[]
  /** False for a name that a file brought and nobody has looked at. */
  readonly confirmed: boolean
}

/** First and last year, both included. */
export type YearRange = readonly [from: number, to: number]

export type KnownModel = KnownName & {
  readonly manufacturerId: string
  /** When it was built; empty where unknown. */
  readonly years: readonly YearRange[]
}

/**
 * How a name was understood: its own spelling (`exact`), another name of it (`alias`), the same letters and digits otherwise
 * written (`spelling`), an abbreviation, with words around it that are no part of it (`within`), mistyped (`similar`).
 */
export type MatchedHow = 'exact' | 'alias' | 'spelling' | 'abbreviation' | 'within' | 'similar'

export type Candidate = { readonly id: string; readonly name: string; readonly confidence: number }

export type NameVerdict =
  | {
      readonly kind: 'known'
      readonly id: string
      readonly name: string
      readonly how: MatchedHow
      readonly confidence: number
      /** What stood beside a model's name and belongs into the trim. */
      readonly trim?: string
      readonly years?: readonly YearRange[]
    }
  /** A name that nobody has yet. */
  | {
      readonly kind: 'new'
      readonly name: string
      readonly trim?: string
      /** What models of the catalogue share: "F150" of all its cabs. */
      readonly family?: {
        readonly how: MatchedHow
        readonly confidence: number
        readonly years: readonly YearRange[]
      }
    }
  /** Somebody has to say what it means; until then it stays as text. */
  | { readonly kind: 'unsure'; readonly reason: string; readonly candidates: readonly Candidate[] }

/** How sure each way is; `similar` takes away for every letter that differs. */
const CONFIDENCE: Record<MatchedHow, number> = {
  exact: 1,
  alias: 1,
  spelling: 0.98,
  abbreviation: 0.96,
  within: 0.93,
  similar: 0.95,
}
const CONFIDENCE_A_LETTER = 0.04

/** A match by itself needs this much; what is less is a candidate. */
export const LEAST_CONFIDENCE = 0.85

export const confidenceOf = (how: MatchedHow, edits = 0): number =>
  Math.round((CONFIDENCE[how] - CONFIDENCE_A_LETTER * edits) * 100) / 100

type Found = { id: string; name: string; years?: readonly YearRange[] }

export const known = (entry: Found, how: MatchedHow, edits = 0): NameVerdict & { kind: 'known' } => ({
  kind: 'known',
  id: entry.id,
  name: entry.name,
  how,
  confidence: confidenceOf(how, edits),
  ...(entry.years && { years: entry.years }),
})

export const unsure = (reason: string, candidates: readonly Candidate[] = []): NameVerdict => ({
  kind: 'unsure',
  reason,
  candidates,
})

/** How a name was found among those of the catalogue; undefined for one that is new or open. */
export function matchOf(
  verdict: NameVerdict,
): { how: MatchedHow; confidence: number; years?: readonly YearRange[] } | undefined {
  if (verdict.kind === 'known') return verdict
  return verdict.kind === 'new' ? verdict.family : undefined
}

/** Was it a model of one of these years? True where nobody knows. A car of 2011 may be sold as one of 2010. */
export function wasBuiltIn(years: readonly YearRange[] | undefined, span: YearSpan | undefined): boolean {
  if (!years || years.length === 0 || span === undefined) return true
  return years.some(([from, to]) => span.to >= from - 1 && span.from <= to + 1)
}

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

/**
 * Names that files brought and nobody has looked at. They may be mistyped themselves, so nothing is likened to them, and a
 * name that means a confirmed one means that, whatever some file made of it before. An alias is somebody's decision.
 */
export class ProvisionalNames {
  readonly #byKey = new Map<string, KnownName>()
  readonly #byLetters = new Map<string, KnownName>()

  constructor(names: readonly KnownName[]) {
    for (const entry of names) {
      if (entry.confirmed) continue
      this.#byKey.set(nameKey(entry.name), entry)
      const letters = squash(entry.name)
      if (letters !== '' && !this.#byLetters.has(letters)) this.#byLetters.set(letters, entry)
    }
  }

  match(text: string): NameVerdict | undefined {
    const exact = this.#byKey.get(nameKey(text))
    if (exact) return known(exact, 'exact')
    const spelled = this.#byLetters.get(squash(text))
    return spelled && known(spelled, 'spelling')
  }
}
