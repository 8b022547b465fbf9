import OpenAI, {
  APIConnectionError,
  APIConnectionTimeoutError,
  APIError,
  APIUserAbortError,
  OpenAIError,
} from 'openai'
import { WritingFailure } from './writer.ts'

/* The only file that knows the SDK. */

export type ModelName = 'gpt-4o' | 'gpt-3.5-turbo'

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type CompletionRequest = {
  readonly model: ModelName
  readonly messages: readonly Message[]
  /** The fields of the JSON object that is asked for, all of them text. */
  readonly fields: readonly string[]
  readonly mostTokens: number
  /** The same for the same record, so that its text changes as little as the provider can promise. */
  readonly seed: number
}

export type Completion = {
  readonly text: string
  /** `cut-off`: it reached `mostTokens`. `refused`: the model or a filter of the provider declined. */
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
    // What is left out the SDK reads from the environment, past our own settings.
    organization: null,
    project: null,
    webhookSecret: null,
    logLevel: 'off',
    // We retry ourselves: every try counts against the cap of the job.
    maxRetries: 0,
  })
  return {
    complete: async (request, { timeoutMs, signal }) => {
      try {
        const response = await client.chat.completions.create(bodyOf(request), { timeout: timeoutMs, signal })
        return completionOf(response)
      } catch (error) {
        signal.throwIfAborted()
        throw failureOf(error)
      }
    },
  }
}

type Body = OpenAI.Chat.Completions.ChatCompletionCreateParamsNonStreaming

function bodyOf({ model, messages, fields, mostTokens, seed }: CompletionRequest): Body {
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string' }])),
    required: [...fields],
    additionalProperties: false,
  }
  return {
    model,
    messages: messages.map(({ role, content }) => ({ role, content })),
    max_completion_tokens: mostTokens,
    seed,
    temperature: 0.6,
    store: false,
    // gpt-3.5-turbo knows no schemas; the prompt names the fields, and the response is checked anyway.
    response_format:
      model === 'gpt-3.5-turbo'
        ? { type: 'json_object' }
        : { type: 'json_schema', json_schema: { name: 'text', strict: true, schema } },
  }
}

function completionOf(response: OpenAI.Chat.Completions.ChatCompletion): Completion {
  // Another server that speaks this API may leave out anything.
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

/** Anything but an error of the SDK is a bug of ours and stays what it is. */
function failureOf(error: unknown): unknown {
  if (error instanceof APIUserAbortError) return error
  if (error instanceof APIConnectionTimeoutError) return passing('did not answer in time', error)
  if (error instanceof APIConnectionError) return passing('could not be reached', error)
  if (error instanceof APIError) return refusalOf(error)
  if (error instanceof OpenAIError || isBrokenResponse(error)) return passing('gave a broken answer', error)
  return error
}

/** A connection that ends within the response, and a response that is no JSON, come as errors of the language. */
const isBrokenResponse = (error: unknown) =>
  error instanceof SyntaxError || (error instanceof TypeError && error.message === 'terminated')

const passing = (what: string, cause: unknown) =>
  new WritingFailure(`The language model ${what}`, { endsJob: false, mayPass: true }, cause)

function refusalOf(error: APIError): WritingFailure {
  const { status, code, headers } = error
  const isQuota = code === 'insufficient_quota'
  const failure = {
    // A single request can be wrong (400, 413, 422); a key, a permission or a model is wrong for all.
    endsJob: isQuota || status === 401 || status === 403 || status === 404,
    mayPass: !isQuota && (status === 408 || status === 409 || status === 429 || (status ?? 0) >= 500),
    status,
    waitMs: waitOf(headers),
  }
  return new WritingFailure(sentenceOf(status, isQuota), failure, error)
}

function sentenceOf(status: number | undefined, isQuota: boolean): string {
  if (isQuota) return 'The account of the language model has no credit left'
  if (status === 401 || status === 403) return 'The language model refuses our key: check OPENAI_API_KEY'
  if (status === 404) return 'The language model is not known there: check the model and OPENAI_BASE_URL'
  if (status === 429) return 'The language model asks for fewer calls'
  return `The language model answered with status ${status ?? 'unknown'}`
}

/** Seconds or a date (RFC 9110); milliseconds in the provider's own header. */
function waitOf(headers: Headers | undefined): number | undefined {
  const exact = Number.parseFloat(headers?.get('retry-after-ms') ?? '')
  if (exact >= 0) return exact
  const text = headers?.get('retry-after') ?? ''
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : undefined
}
