import type { Usage } from './language-model.ts'

/** What was used of a language model. */
export type LanguageUse = Usage & { readonly calls: number }

export const NO_USE: LanguageUse = { calls: 0, inputTokens: 0, outputTokens: 0 }

export const plus = (one: LanguageUse, other: LanguageUse): LanguageUse => ({
  calls: one.calls + other.calls,
  inputTokens: one.inputTokens + other.inputTokens,
  outputTokens: one.outputTokens + other.outputTokens,
})

export const minus = (one: LanguageUse, other: LanguageUse): LanguageUse => ({
  calls: one.calls - other.calls,
  inputTokens: one.inputTokens - other.inputTokens,
  outputTokens: one.outputTokens - other.outputTokens,
})

/** Where calls are counted beyond the life of a process. */
export type UseLedger = {
  /** What earlier runs of the same job used. */
  readonly before: LanguageUse
  add(use: LanguageUse): Promise<void>
}
