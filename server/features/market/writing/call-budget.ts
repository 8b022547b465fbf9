import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Spent, WritingFailure } from './writer.ts'

/* Calls to a language model, and a job's budget for them. */

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type CompletionRequest = {
  readonly model: string
  readonly messages: readonly Message[]
  /** The fields of the requested JSON object, all text. */
  readonly fields: readonly string[]
  readonly maxTokens: number
  /** The same for the same record, so that its text changes as little as possible. */
  readonly seed: number
}

export type Completion = {
  readonly text: string
  /** `cut-off`: it reached `maxTokens`. `refused`: the model or the provider's filter declined. */
  readonly ended: 'whole' | 'cut-off' | 'refused'
  /** Undefined if the response has none. */
  readonly usage: Usage | undefined
}

export type Usage = { readonly inputTokens: number; readonly outputTokens: number }

/** One call, without retries. */
export type LanguageModel = {
  /** @throws WritingFailure, or the reason of the signal. */
  complete(
    request: CompletionRequest,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Completion>
  /** The maximum tokens a call returns: its `maxTokens`, or more for a model without a limit parameter. */
  mostTokens(request: CompletionRequest): number
}

type LanguageUse = Usage & { readonly calls: number }

const NO_USE: LanguageUse = { calls: 0, inputTokens: 0, outputTokens: 0 }

/** Stores a job's use of the language model across runs. */
type UseLedger = {
  /** Use by earlier runs of the same job. */
  readonly before: LanguageUse
  add(use: LanguageUse): Promise<void>
}

type CallTimes = {
  readonly tries: number
  /** How long one try waits for a response. */
  readonly tryMs: number
  /** Pause before the second try; doubled for each further one. */
  readonly pauseMs: number
  /** If the provider requests a longer pause, the call fails: a job should fail visibly instead of sleeping. */
  readonly maxWaitMs: number
}

// A long description takes gpt-4o 5 to 15 s.
const TIMES: CallTimes = { tries: 4, tryMs: 60_000, pauseMs: 1_000, maxWaitMs: 60_000 }

/**
 * Cost limit of one job: about 4,000 descriptions by gpt-4o or 30,000 by gpt-3.5-turbo. Without it, forgetting the
 * record limit on a file of a million rows would cost thousands of dollars overnight.
 */
const CENTS_A_JOB = 2_000

type Price = { readonly input: number; readonly output: number }

/** Unknown models are priced like an expensive one; a wrong price only shifts when the cap is reached. */
const UNKNOWN_PRICE: Price = { input: 250, output: 1_000 }

/** US cents per million tokens, from the provider's 2026 price list. */
const prices: Readonly<Record<string, Price | undefined>> = {
  'gpt-5-mini': { input: 25, output: 200 },
  'gpt-4o': UNKNOWN_PRICE,
  'gpt-3.5-turbo': { input: 50, output: 150 },
}

function centsOf(model: string, { inputTokens, outputTokens }: Usage): number {
  const { input, output } = prices[model] ?? UNKNOWN_PRICE
  return (inputTokens * input + outputTokens * output) / 1_000_000
}

// English has about four characters per token, JSON fewer; each message adds some tokens.
const CHARACTERS_A_TOKEN = 3
const TOKENS_A_MESSAGE = 10

/** The maximum use of a call; also assumed for a response without usage. */
function worstUsage({ messages }: CompletionRequest, outputTokens: number): Usage {
  const inputTokens = messages.reduce(
    (sum, { content }) => sum + TOKENS_A_MESSAGE + Math.ceil(content.length / CHARACTERS_A_TOKEN),
    0,
  )
  return { inputTokens, outputTokens }
}

export type BudgetOptions = {
  readonly model: string
  readonly signal: AbortSignal
  readonly capCents?: number | undefined
  readonly ledger?: UseLedger | undefined
  readonly times?: CallTimes | undefined
}

/**
 * Makes a job's calls with retries and counts their cost. Until the cost of a call is known, its maximum is reserved,
 * also in the ledger, because a process killed in between has paid for it.
 */
export class CallBudget {
  readonly #languageModel: LanguageModel
  readonly #options: BudgetOptions
  #underWay = NO_USE
  #used: LanguageUse

  constructor(languageModel: LanguageModel, options: BudgetOptions) {
    this.#languageModel = languageModel
    this.#options = options
    this.#used = options.ledger?.before ?? NO_USE
  }

  get spent(): Spent {
    return { ...this.#used, cents: centsOf(this.#options.model, this.#used) }
  }

  /**
   * Makes a call and retries while the failure may pass, after the pause that the provider requests or a doubling one.
   * @throws WritingFailure, also before a call that could exceed the cap
   */
  async ask(question: Omit<CompletionRequest, 'model'>): Promise<Completion> {
    const { model, signal, times = TIMES } = this.#options
    for (let tried = 1; ; tried += 1) {
      signal.throwIfAborted()
      try {
        return await this.#call({ ...question, model }, times.tryMs)
      } catch (error) {
        if (!(error instanceof WritingFailure) || !error.failure.mayPass || tried >= times.tries) throw error
        // Jitter: calls that were rejected together must not retry together.
        const pauseMs = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 4)
        const waitMs = Math.max(error.failure.waitMs ?? pauseMs, 1)
        if (waitMs > times.maxWaitMs) throw error
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  /** A response with an error status is not charged; a call without a response may have been. */
  async #call(request: CompletionRequest, timeoutMs: number): Promise<Completion> {
    const worst = worstUsage(request, this.#languageModel.mostTokens(request))
    await this.#reserve(worst)
    let used: Usage | undefined = worst
    try {
      const completion = await this.#languageModel.complete(request, {
        timeoutMs,
        signal: this.#options.signal,
      })
      used = completion.usage ?? worst
      return completion
    } catch (error) {
      if (error instanceof WritingFailure && error.failure.status !== undefined) used = undefined
      throw error
    } finally {
      await this.#settle(worst, used)
    }
  }

  async #reserve(worst: Usage): Promise<void> {
    const { model, capCents = CENTS_A_JOB, ledger } = this.#options
    const set = { calls: 1, ...worst }
    if (centsOf(model, plus(plus(this.#used, this.#underWay), set)) > capCents) {
      const [spent, cap] = [this.spent.cents, capCents].map((cents) => `$${(cents / 100).toFixed(2)}`)
      throw new WritingFailure(
        `The job has reached its cap of ${cap} for the language model (${spent} spent); texts already written are kept`,
        { endsJob: true, mayPass: false },
      )
    }
    this.#underWay = plus(this.#underWay, set)
    await ledger?.add(set)
  }

  async #settle(worst: Usage, used: Usage | undefined): Promise<void> {
    const set = { calls: 1, ...worst }
    const real = used === undefined ? NO_USE : { calls: 1, ...used }
    this.#underWay = plus(this.#underWay, set, -1)
    this.#used = plus(this.#used, real)
    await this.#options.ledger?.add(plus(real, set, -1))
  }
}

const plus = (one: LanguageUse, other: LanguageUse, sign: 1 | -1 = 1): LanguageUse => ({
  calls: one.calls + sign * other.calls,
  inputTokens: one.inputTokens + sign * other.inputTokens,
  outputTokens: one.outputTokens + sign * other.outputTokens,
})

/** A job's use of the language model over all of its runs. */
export async function findLanguageUse(db: Db, jobId: string): Promise<LanguageUse> {
  const { rows } = await sql<LanguageUse>`
    select calls, input_tokens as "inputTokens", output_tokens as "outputTokens"
    from job_language_use where job_id = ${jobId}
  `.execute(db)
  return rows[0] ?? NO_USE
}

/** Adds to a job's use; a call that cost less than reserved adds a negative number. */
export async function addLanguageUse(
  db: Db,
  jobId: string,
  { calls, inputTokens, outputTokens }: LanguageUse,
): Promise<void> {
  await sql`
    insert into job_language_use as u (job_id, calls, input_tokens, output_tokens)
    values (${jobId}, ${calls}, ${inputTokens}, ${outputTokens})
    on conflict (job_id) do update
    set calls = u.calls + excluded.calls, input_tokens = u.input_tokens + excluded.input_tokens,
        output_tokens = u.output_tokens + excluded.output_tokens
  `.execute(db)
}
