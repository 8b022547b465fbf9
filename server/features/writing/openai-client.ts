import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  OpenAIError,
} from 'openai'
import type { Db } from '#server/platform/database/database.ts'
import { type Spent, WritingFailure } from './writer.ts'

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

/** Lower-case words of make and model names, except those of two letters ("IS", "XL"). */
export async function listNameWords(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from (select name from manufacturer union all select name from car_model) as named,
      regexp_split_to_table(lower(name), '[^[:alnum:]]+') as word
    where length(word) > 2
  `.execute(db)
  return new Set(rows.map(({ word }) => word))
}

/* The only file that uses the SDK. */

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

const OPENAI_URL = 'https://api.openai.com/v1'

export function openOpenAiClient({
  apiKey,
  baseUrl = OPENAI_URL,
}: {
  apiKey: string
  baseUrl?: string | undefined
}): LanguageModel {
  const client = new OpenAI({
    apiKey,
    baseURL: baseUrl,
    // Explicitly null, because the SDK reads missing options from the environment, bypassing our settings.
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // We retry ourselves: every try counts against the cap of the job.
    maxRetries: 0,
  })
  const taken = new TakenParameters()
  const send = async (
    request: CompletionRequest,
    options: { timeout: number; signal: AbortSignal },
  ): Promise<Completion> => {
    const body = bodyOf(request, taken)
    try {
      return completionOf(await client.chat.completions.create(body, options))
    } catch (error) {
      options.signal.throwIfAborted()
      if (!(error instanceof APIError) || !taken.learn(error, body)) throw failureOf(error, request.model)
    }
    return send(request, options)
  }
  return {
    complete: async (request, { timeoutMs, signal }) => {
      const options = { timeout: timeoutMs, signal }
      const first = await send(request, options)
      // A reasoning model may use up a small limit before its first word.
      const isSpent = first.ended === 'cut-off' && first.text === '' && taken.drop('max_completion_tokens')
      if (!isSpent) return first
      const second = await send(request, options)
      const usage = first.usage && second.usage && sumOf(first.usage, second.usage)
      return { ...second, usage }
    },
    mostTokens: ({ maxTokens }) => (taken.has('max_completion_tokens') ? maxTokens : MOST_UNLIMITED_TOKENS),
  }
}

const sumOf = (one: Usage, other: Usage): Usage => ({
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

// Tokens that a model without a limit parameter uses for texts like ours; reserved for each of its calls.
const MOST_UNLIMITED_TOKENS = 4_000

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

/** Optional parameters; each model rejects different ones. */
const OPTIONAL = ['temperature', 'max_completion_tokens', 'seed', 'store', 'response_format'] as const
type Optional = (typeof OPTIONAL)[number]

/** The optional parameters the model accepts, learned during a run from its rejections. */
class TakenParameters {
  readonly #dropped = new Set<Optional>()

  has(name: Optional): boolean {
    return !this.#dropped.has(name)
  }

  /** Returns whether the parameter was sent until now. */
  drop(name: Optional): boolean {
    const wasTaken = this.has(name)
    this.#dropped.add(name)
    return wasTaken
  }

  /** Returns whether to repeat the call: it was rejected for an optional parameter that it sent. */
  learn({ status, param, message }: APIError, sent: Body): boolean {
    if (status !== 400 && status !== 422) return false
    const refused = OPTIONAL.find((name) => param === name || param?.startsWith(`${name}.`))
    const named = refused ?? OPTIONAL.find((name) => NAMES[name].test(message))
    if (named === undefined) return false
    // Among concurrent calls, an earlier rejection may already have dropped it.
    if (named in sent) this.drop(named)
    return named in sent
  }
}

/** How a rejection names a parameter if it has no `param`. */
const NAMES: Readonly<Record<Optional, RegExp>> = {
  temperature: /\btemperature\b/i,
  max_completion_tokens: /\bmax_(?:completion_|output_)?tokens\b/i,
  seed: /['"`]seed['"`]/i,
  store: /['"`]store['"`]/i,
  response_format: /\bresponse_format\b|\bjson_schema\b/i,
}

function bodyOf(
  { model, messages, fields, maxTokens, seed }: CompletionRequest,
  taken: TakenParameters,
): Body {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    required: [...fields],
    additionalProperties: false,
  }
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    ...(taken.has('max_completion_tokens') && { max_completion_tokens: maxTokens }),
    ...(taken.has('seed') && { seed }),
    ...(taken.has('temperature') && { temperature: 0.6 }),
    ...(taken.has('store') && { store: false }),
    ...(taken.has('response_format') && {
      // gpt-3.5-turbo does not support schemas; the prompt names the fields, and the response is checked anyway.
      response_format:
        model === 'gpt-3.5-turbo'
          ? { type: 'json_object' as const }
          : { type: 'json_schema' as const, json_schema: { name: 'text', strict: true, schema } },
    }),
  }
}

function completionOf(response: OpenAI.Chat.Completions.ChatCompletion): Completion {
  // Compatible servers may omit any field.
  const choice = response.choices?.[0]
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = response.usage ?? {}
  const isCounted = Number.isInteger(inputTokens) && Number.isInteger(outputTokens)
  return {
    text: choice?.message?.content ?? choice?.message?.refusal ?? '',
    ended: endOf(choice),
    usage: isCounted ? { inputTokens: inputTokens ?? 0, outputTokens: outputTokens ?? 0 } : undefined,
  }
}

function endOf(choice: OpenAI.Chat.Completions.ChatCompletion.Choice | undefined): Completion['ended'] {
  if (choice?.message?.refusal || choice?.finish_reason === 'content_filter') return 'refused'
  return choice?.finish_reason === 'length' ? 'cut-off' : 'whole'
}

/** Converts errors of the SDK; others are our bugs and stay unchanged. */
function failureOf(error: unknown, model: string): unknown {
  if (error instanceof APIUserAbortError) return error
  if (error instanceof APIConnectionTimeoutError) return passing('did not respond in time', error)
  if (error instanceof APIConnectionError) return passing('could not be reached', error)
  if (error instanceof APIError) return refusalOf(error, model)
  if (error instanceof OpenAIError || isBrokenResponse(error)) return passing('sent a broken response', error)
  return error
}

/** A connection that ends within the response, and a response that is not JSON, throw errors of the runtime. */
const isBrokenResponse = (error: unknown) =>
  error instanceof SyntaxError || (error instanceof TypeError && error.message === 'terminated')

const passing = (what: string, cause: unknown) =>
  new WritingFailure(`The language model ${what}`, { endsJob: false, mayPass: true }, cause)

function refusalOf(error: APIError, model: string): WritingFailure {
  const { status, code, headers } = error
  const isQuota = code === 'insufficient_quota'
  const failure = {
    // Status 400, 413 and 422 concern a single request; a wrong key, permission or model affects all.
    endsJob: isQuota || status === 401 || status === 403 || status === 404 || isAboutModel(error),
    mayPass: !isQuota && (status === 408 || status === 409 || status === 429 || (status ?? 0) >= 500),
    status,
    waitMs: waitOf(headers),
  }
  return new WritingFailure(sentenceOf(error, model), failure, error)
}

const isAboutModel = ({ status, code, param }: APIError) =>
  code === 'model_not_found' || (param === 'model' && (status ?? 500) < 500)

function sentenceOf(error: APIError, model: string): string {
  const { status, code } = error
  if (code === 'insufficient_quota') return 'The account of the language model has no credit left'
  // Omits the reason, which quotes part of the key.
  if (status === 401) return 'The language model refuses our key: check OPENAI_API_KEY'
  const reason = reasonOf(error)
  if (isAboutModel(error) || status === 404) {
    return `The model “${model}” was refused${reason}. Choose another one under Model, or set OPENAI_MODEL`
  }
  if (status === 403) return `The language model refuses our key${reason}. Check OPENAI_API_KEY`
  if (status === 429) return 'The language model asks for fewer calls'
  const isOurs = status !== undefined && status < 500
  return `The language model responded with status ${status ?? 'unknown'}${isOurs ? reason : ''}`
}

const LONGEST_REASON = 300

/** The provider's message as “: reason”, without its status, or nothing. */
function reasonOf({ message, status }: APIError): string {
  const reason = message
    .replace(`${status ?? ''} `, '')
    .replaceAll(/sk-[\w*-]+/g, 'the key')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replace(/\.$/, '')
  if (reason === '' || reason === 'status code (no body)' || reason.startsWith('<')) return ''
  return `: ${reason.length > LONGEST_REASON ? `${reason.slice(0, LONGEST_REASON)}…` : reason}`
}

/** Seconds or a date (RFC 9110); milliseconds in the provider's own header. */
function waitOf(headers: Headers | undefined): number | undefined {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (exact >= 0) return exact
  const text = headers?.get('retry-after') ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined
}
