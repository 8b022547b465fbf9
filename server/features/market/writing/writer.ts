import type { Written } from './fact-check.ts'
import { type AnchorFacts, anchorOf, type LandingFacts, type LandingText, landingOf } from './landing-text.ts'
import { describePart, headingOf, type PartFacts } from './part-text.ts'

/** Writes texts for scripts, by a language model with checks or by the templates in this folder. */
export type Writer = {
  readonly name: 'built-in' | 'openai'
  /** The h1 of a listing. */
  writeHeading(facts: PartFacts): Promise<Written<string>>
  /** The description of a listing whose seller wrote none. */
  writeDescription(facts: PartFacts): Promise<Written<string>>
  /** Title, meta description and intro of the page of a category, a manufacturer or a model. */
  writeLanding(facts: LandingFacts): Promise<Written<LandingText>>
  /** The text of a link. */
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

export const NO_COST: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cents: 0 }

/** The templates: no network, no cost; the same facts always give the same text, with nothing added. */
export const builtInWriter: Writer = {
  name: 'built-in',
  writeHeading: async (facts) => headingOf(facts),
  writeDescription: async (facts) => describePart(facts),
  writeLanding: async (facts) => ({ ok: true, text: landingOf(facts) }),
  writeAnchor: async (facts) => ({ ok: true, text: anchorOf(facts) }),
  spent: () => NO_COST,
}

type Failure = {
  /** Whether the next record would fail the same way: a wrong key, an exhausted quota, the job's cap. */
  readonly endsJob: boolean
  /** Whether a retry may work: no response, too many calls, a server error. */
  readonly mayPass: boolean
  /** The pause that the provider requests. */
  readonly waitMs?: number | undefined
  /** Status of the response; undefined if there was none. */
  readonly status?: number | undefined
}

/** The language model's provider failed or refused, through no fault of the record. */
export class WritingFailure extends Error {
  override name = 'WritingFailure'
  readonly failure: Failure

  constructor(message: string, failure: Failure, cause?: unknown) {
    super(message, { cause })
    this.failure = failure
  }
}

type CostReport = {
  readonly signal: AbortSignal
  readonly spent: () => Spent
  readonly tell: (line: string) => void
}

/** Does a script's work; if it stops early, prints the cost so far. */
export async function reportCost<T>({ signal, spent, tell }: CostReport, work: () => Promise<T>): Promise<T> {
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
