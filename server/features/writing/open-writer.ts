import { builtInWriter } from './built-in-writer.ts'
import { openOpenAiClient } from './openai-client.ts'
import { type OpenAiWriting, openAiWriter } from './openai-writer.ts'
import type { Writer } from './writer.ts'

/** The settings of server/config.ts. */
type Access = { readonly apiKey: string | undefined; readonly baseUrl: string | undefined }

/** The writer of a job: the language model where there is a key, else the rules. */
export function openWriter({ apiKey, baseUrl }: Access, writing: OpenAiWriting): Writer {
  if (apiKey === undefined) return builtInWriter(writing.checking)
  return openAiWriter(openOpenAiClient({ apiKey, baseUrl }), writing)
}
