/** The language models that the flag of a script offers. */
export const languageModels = ['gpt-4o', 'gpt-3.5-turbo'] as const
export type ModelName = (typeof languageModels)[number]

export type Message = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }

export type CompletionRequest = {
  readonly model: ModelName
  readonly messages: readonly Message[]
  /** The fields of the answer, all of them text. */
  readonly fields: readonly string[]
  readonly mostTokens: number
  /** The same for the same record, so that its text changes as little as the provider can promise. */
  readonly seed: number
}

export type Completion = {
  readonly text: string
  /** `cut-off`: it reached `mostTokens`. `refused`: the model or a filter of the provider did not want to. */
  readonly ended: 'whole' | 'cut-off' | 'refused'
  /** Undefined where the answer does not say. */
  readonly usage: Usage | undefined
}

export type Usage = { readonly inputTokens: number; readonly outputTokens: number }

/** One call to a language model, without another try. */
export type LanguageModel = {
  /** @throws WritingFailure, or the reason of the signal. */
  complete(
    request: CompletionRequest,
    options: { timeoutMs: number; signal: AbortSignal },
  ): Promise<Completion>
}

/** US cents for a million tokens, by the provider's list of 2026; a wrong price miscounts the cap and nothing else. */
const prices: Record<ModelName, { readonly input: number; readonly output: number }> = {
  'gpt-4o': { input: 250, output: 1_000 },
  'gpt-3.5-turbo': { input: 50, output: 150 },
}

export const centsOf = (model: ModelName, { inputTokens, outputTokens }: Usage): number =>
  (inputTokens * prices[model].input + outputTokens * prices[model].output) / 1_000_000

// English is about four characters a token and JSON less; a frame of some tokens comes with each message.
const CHARACTERS_A_TOKEN = 3
const TOKENS_A_MESSAGE = 10

/** The most that a call can cost; what is not known afterwards is counted so. */
export function worstUsage({ messages, mostTokens }: CompletionRequest): Usage {
  let inputTokens = 0
  for (const { content } of messages) {
    inputTokens += TOKENS_A_MESSAGE + Math.ceil(content.length / CHARACTERS_A_TOKEN)
  }
  return { inputTokens, outputTokens: mostTokens }
}
