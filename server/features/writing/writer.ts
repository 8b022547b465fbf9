import { type AnchorFacts, anchorOf, type LandingFacts, type LandingText, landingOf } from './landing-text.ts'
import { describePart, headingOf, type PartFacts } from './part-text.ts'
import type { Written } from './text-check.ts'

/** Writes what scripts publish: a language model whose texts are checked, or the templates of this folder. */
export type Writer = {
  readonly name: 'built-in' | 'openai'
  /** The h1 of a listing. */
  writeHeading(facts: PartFacts): Promise<Written<string>>
  /** The description of a listing whose seller wrote none. */
  writeDescription(facts: PartFacts): Promise<Written<string>>
  /** Title, meta description and intro of the page of a category, a manufacturer or a model. */
  writeLanding(facts: LandingFacts): Promise<Written<LandingText>>
  /** The words of a link. */
  writeAnchor(facts: AnchorFacts): Promise<Written<string>>
  /** The cost so far, over all runs of the job. */
  spent(): Spent
}

export type Spent = {
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** US cents, with fractions: a heading costs about a tenth of one. */
  readonly cents: number
}

export const NOTHING_SPENT: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cents: 0 }

/** No network, no cost; the same facts always give the same text, which says nothing else. */
export const builtInWriter: Writer = {
  name: 'built-in',
  writeHeading: async (facts) => headingOf(facts),
  writeDescription: async (facts) => describePart(facts),
  writeLanding: async (facts) => ({ ok: true, text: landingOf(facts) }),
  writeAnchor: async (facts) => ({ ok: true, text: anchorOf(facts) }),
  spent: () => NOTHING_SPENT,
}

type Failure = {
  /** The next record would fail the same way: a wrong key, a spent quota, the cap of the job. */
  readonly endsJob: boolean
  /** Worth another try: no response, too many calls, a server error. */
  readonly mayPass: boolean
  /** The pause that the provider asks for. */
  readonly waitMs?: number | undefined
  /** Of the response; undefined if none came. */
  readonly status?: number | undefined
}

/** The language model's provider failed or refused; the record is not at fault. */
export class WritingFailure extends Error {
  override name = 'WritingFailure'
  readonly failure: Failure

  constructor(message: string, failure: Failure, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

type Costing = {
  readonly signal: AbortSignal
  readonly spent: () => Spent
  readonly tell: (line: string) => void
}

/** Does a script's work; if it is stopped early, prints what was spent so far. */
export async function tellCost<T>({ signal, spent, tell }: Costing, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted && spent().calls > 0) tell(`Ended early: cost ${costInWords(spent())} until now`)
    throw error
  }
}

export function costInWords({ cents }: Pick<Spent, 'cents'>): string {
  const rounded = Math.round(cents * 100) / 100
  return `${rounded} ${rounded === 1 ? 'cent' : 'cents'}`
}
