import { setTimeout as sleep } from 'node:timers/promises'
import type { Completion, CompletionRequest, LanguageModel, ModelName, Usage } from './openai-client.ts'
import { type Spent, WritingFailure } from './writer.ts'

export type LanguageUse = Usage & { readonly calls: number }

export const NO_USE: LanguageUse = { calls: 0, inputTokens: 0, outputTokens: 0 }

/** Keeps what a job uses of the language model beyond the life of a process. */
export type UseLedger = {
  /** Used by earlier runs of the same job. */
  readonly before: LanguageUse
  add(use: LanguageUse): Promise<void>
}

export type CallTimes = {
  readonly tries: number
  /** The longest that one try waits for a response. */
  readonly tryMs: number
  /** Before the second try; doubled for each further one. */
  readonly pauseMs: number
  /** A provider that wants a longer pause ends the try: a job should fail visibly instead of sleeping. */
  readonly mostWaitMs: number
}

// A long description takes gpt-4o 5 to 15 s.
const TIMES: CallTimes = { tries: 4, tryMs: 60_000, pauseMs: 1_000, mostWaitMs: 60_000 }

/**
 * What one job may cost: about 4,000 descriptions by gpt-4o or 30,000 by gpt-3.5-turbo. A forgotten limit on a file of a
 * million rows would otherwise cost thousands of dollars overnight.
 */
const CENTS_A_JOB = 2_000

/** US cents for a million tokens, from the provider's list of 2026; a wrong price only miscounts the cap. */
const prices: Record<ModelName, { readonly input: number; readonly output: number }> = {
  'gpt-4o': { input: 250, output: 1_000 },
  'gpt-3.5-turbo': { input: 50, output: 150 },
}

const centsOf = (model: ModelName, { inputTokens, outputTokens }: Usage): number =>
  (inputTokens * prices[model].input + outputTokens * prices[model].output) / 1_000_000

// English is about four characters a token and JSON less; a frame of some tokens comes with each message.
const CHARACTERS_A_TOKEN = 3
const TOKENS_A_MESSAGE = 10

/** The most that a call can cost; a response without usage is counted so. */
function worstUsage({ messages, mostTokens }: CompletionRequest): Usage {
  const inputTokens = messages.reduce(
    (sum, { content }) => sum + TOKENS_A_MESSAGE + Math.ceil(content.length / CHARACTERS_A_TOKEN),
    0,
  )
  return { inputTokens, outputTokens: mostTokens }
}

export type BudgetOptions = {
  readonly model: ModelName
  readonly signal: AbortSignal
  readonly capCents?: number | undefined
  readonly ledger?: UseLedger | undefined
  readonly times?: CallTimes | undefined
}

/**
 * The calls of a job, with their retries and their cost. A call counts with the most it can cost from before it is made
 * until its cost is known, in the ledger too: a process that is killed meanwhile has paid for it.
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
   * Asks, and asks again while the failure may pass: after as long as the provider wants, or a pause that doubles.
   * @throws WritingFailure, also before a call that could pass the cap
   */
  async ask(question: Omit<CompletionRequest, 'model'>): Promise<Completion> {
    const { model, signal, times = TIMES } = this.#options
    for (let tried = 1; ; tried += 1) {
      signal.throwIfAborted()
      try {
        return await this.#call({ ...question, model }, times.tryMs)
      } catch (error) {
        if (!(error instanceof WritingFailure) || !error.failure.mayPass || tried >= times.tries) throw error
        // Calls that were refused together must not come back together.
        const pauseMs = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 4)
        const waitMs = Math.max(error.failure.waitMs ?? pauseMs, 1)
        if (waitMs > times.mostWaitMs) throw error
        await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted())
      }
    }
  }

  /** A response with an error status is not charged; where no response came, it may have been. */
  async #call(request: CompletionRequest, timeoutMs: number): Promise<Completion> {
    const worst = worstUsage(request)
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
        `The job has reached its cap of ${cap} for the language model (${spent} spent); what is written is kept`,
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
