import type { Db } from '#server/platform/database/database.ts'
import type { OpenAiAccess } from '#server/platform/scripts/script-program.ts'
import { addLanguageUse, findLanguageUse, listNameWords } from './openai-client.ts'
import { builtInWriter, type Writer } from './writer.ts'

type Job = {
  readonly db: Db
  readonly jobId: string
  readonly signal: AbortSignal
  /** Undefined: the configured model. */
  readonly model?: string | undefined
  readonly skipValidation?: boolean
}

/** The writer of a job: the language model if there is a key, otherwise the built-in templates. */
export async function openWriter(
  { apiKey, baseUrl, model: usual }: OpenAiAccess,
  { db, jobId, signal, model = usual, skipValidation = false }: Job,
): Promise<Writer> {
  if (apiKey === undefined) return builtInWriter
  // Imported lazily: the SDK's 236 modules take two fifths of a script's startup time.
  const { openOpenAiClient } = await import('./openai-client.ts')
  const { openAiWriter } = await import('./openai-writer.ts')
  return openAiWriter(openOpenAiClient({ apiKey, baseUrl }), {
    model,
    signal,
    skipValidation,
    names: await listNameWords(db),
    // Counted against the job's cap across all of its runs.
    ledger: { before: await findLanguageUse(db, jobId), add: (use) => addLanguageUse(db, jobId, use) },
  })
}
