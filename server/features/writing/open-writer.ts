import { builtInWriter } from './built-in-writer.ts'
import { type OpenAiWriting, openAiWriter } from './openai-writer.ts'
import type { Writer } from './writer.ts'

/** The settings of server/config.ts. */
type Access = { readonly apiKey: string | undefined; readonly baseUrl: string | undefined }

/** The writer of a job: the language model where there is a key, else the rules. */
export async function openWriter({ apiKey, baseUrl }: Access, writing: OpenAiWriting): Promise<Writer> {
  if (apiKey === undefined) return builtInWriter(writing.checking)
  // Only here: the 236 modules of its SDK are two fifths of a script's start.
  const { openOpenAiClient } = await import('./openai-client.ts')
  return openAiWriter(openOpenAiClient({ apiKey, baseUrl }), writing)
}
