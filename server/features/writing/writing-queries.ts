import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type LanguageUse, NO_USE } from './call-budget.ts'

/** What a job has used of the language model in all its runs. */
export async function findLanguageUse(db: Db, jobId: string): Promise<LanguageUse> {
  const { rows } = await sql<LanguageUse>`
    select calls, input_tokens as "inputTokens", output_tokens as "outputTokens"
    from job_language_use where job_id = ${jobId}
  `.execute(db)
  return rows[0] ?? NO_USE
}

/** Adds to it; a call that cost less than was set aside for it adds a negative number. */
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

/** Words of the names of makes and models, small, but for those of two letters ("IS", "XL"). */
export async function listNameWords(db: Db): Promise<Set<string>> {
  const { rows } = await sql<{ word: string }>`
    select distinct word from (select name from manufacturer union all select name from car_model) as named,
      regexp_split_to_table(lower(name), '[^[:alnum:]]+') as word
    where length(word) > 2
  `.execute(db)
  return new Set(rows.map(({ word }) => word))
}
