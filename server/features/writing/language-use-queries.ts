import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type LanguageUse, NO_USE } from './language-use.ts'

/** What a job has used of the language model in all its runs. */
export async function findLanguageUse(db: Db, jobId: string): Promise<LanguageUse> {
  const { rows } = await sql<LanguageUse>`
    select calls, input_tokens as "inputTokens", output_tokens as "outputTokens"
    from job_language_use where job_id = ${jobId}
  `.execute(db)
  return rows[0] ?? NO_USE
}

/** Adds to it, also what is below zero. */
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
