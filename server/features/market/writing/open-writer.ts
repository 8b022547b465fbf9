import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { OpenAiAccess } from '#server/platform/scripts/script-program.ts'
import { addLanguageUse, findLanguageUse } from './call-budget.ts'
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

/** Lower-case words of make and model names, except those of two letters ("IS", "XL"). */
async function listNameWords(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from (select name from manufacturer union all select name from car_model) as named,
      regexp_split_to_table(lower(name), '[^[:alnum:]]+') as word
    where length(word) > 2
  `.execute(db)
  return new Set(rows.map(({ word }) => word))
}
