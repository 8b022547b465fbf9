import type { AnchorFacts, LandingFacts } from './page-facts.ts'
import type { PartFacts } from './part-facts.ts'

/**
 * Writes what scripts publish. Two stand behind it: a language model, and the rules of this folder. What either of them
 * writes has gone through the claim check.
 */
export type Writer = {
  readonly name: 'built-in' | 'openai'
  /** The h1 of a listing, at most 70 characters. */
  writeHeading(facts: PartFacts): Promise<Written<string>>
  /** The description of a listing, 300 to 900 characters in one paragraph. */
  writeDescription(facts: PartFacts): Promise<Written<string>>
  /** What stands on the page of a category, a manufacturer or a model. */
  writeLanding(facts: LandingFacts): Promise<Written<LandingText>>
  /** The words of a link. */
  writeAnchor(facts: AnchorFacts): Promise<Written<string>>
  /** How a name of a lookup should be spelt, or which of the known ones it means. */
  proposeName(question: NameQuestion): Promise<Written<ProposedName>>
  /** What this writer has cost so far; nothing for the built-in one. */
  spent(): Spent
}

/**
 * A text, or why there is none. Troubles of the provider are thrown (WritingFailure): they say nothing about a record.
 */
export type Written<T> =
  | { readonly ok: true; readonly text: T }
  | {
      readonly ok: false
      readonly problems: readonly Problem[]
      /** What was written and refused; to be shown to people, never to be published. */
      readonly refused?: T
    }

/** What is wrong with a text: the words in question, and a sentence that ends like "is not in the record". */
export type Problem = { readonly claim: string; readonly why: string }

export type LandingText = {
  readonly title: string
  readonly metaDescription: string
  readonly intro: string
}

export type NameQuestion = {
  readonly kind: 'category' | 'manufacturer' | 'model'
  readonly name: string
  /** Names that exist already, likeliest first. */
  readonly candidates: readonly string[]
}

export type ProposedName = {
  readonly name: string
  /** Whether it is one of the candidates. */
  readonly known: boolean
}

export type Spent = {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US cents, with fractions: a heading costs about a tenth of one. */
  readonly cents: number
}
