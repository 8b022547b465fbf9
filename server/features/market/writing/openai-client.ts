import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  OpenAIError,
} from 'openai'
import type { Completion, CompletionRequest, LanguageModel, Usage } from './call-budget.ts'
import { WritingFailure } from './writer.ts'

/* The only file that uses the SDK. */

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
  if (status === 401) return 'The language model rejects our key: check OPENAI_API_KEY'
  const reason = reasonOf(error)
  if (isAboutModel(error) || status === 404) {
    return `The model “${model}” was refused${reason}. Choose another one under Model, or set OPENAI_MODEL`
  }
  if (status === 403) return `The language model rejects our key${reason}. Check OPENAI_API_KEY`
  if (status === 429) return 'The language model is limiting our calls'
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
