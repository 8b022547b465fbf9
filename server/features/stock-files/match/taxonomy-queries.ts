import { sql } from 'kysely'
import type { TaxonomyQuestion, TaxonomyResult } from '#contract/admin/taxonomy.ts'
import { kindOf } from '#server/features/market/lookups/lookup-kind.ts'
import { NameAnswers } from '#server/features/market/lookups/name-answers.ts'
import type { Db } from '#server/platform/database/database.ts'

/* The queries for names in files: decisions about them, the last result of each file, and open questions. */

export async function loadDecisions(db: Db): Promise<NameAnswers> {
  const { rows } = await sql<{ typed: string; about: string; means: string }>`
    select d.typed, d.about, coalesce(m.name, c.name) as means
    from category_decision d join category c on c.id = d.category_id left join category m on m.id = c.merged_into
  `.execute(db)
  return new NameAnswers(rows.map((row) => ({ kind: 'category', ...row })))
}

/** Lets one file at a time create new names, so that two spellings of one name cannot both be created. */
export async function lockNewNames(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('taxonomy names'))`.execute(trx)
}

/** Replaces the file's previous result. */
export async function saveResult(
  trx: Db,
  fileId: string,
  { result, madeBy }: { result: TaxonomyResult; madeBy: string | undefined },
): Promise<void> {
  await sql`
    insert into staging_taxonomy (file_id, result, made_by)
    values (${fileId}, ${JSON.stringify(result)}::jsonb, ${madeBy ?? null})
    on conflict (file_id) do update
    set result = excluded.result, made_by = excluded.made_by, made_at = excluded.made_at
  `.execute(trx)
}

type SavedResult = { result: TaxonomyResult; madeAt: Date; madeBy: string | null }

export async function findSavedResult(db: Db, fileId: string): Promise<SavedResult | undefined> {
  const { rows } = await sql<SavedResult>`
    select t.result, t.made_at as "madeAt", u.name as "madeBy"
    from staging_taxonomy t left join app_user u on u.id = t.made_by
    where t.file_id = ${fileId}
  `.execute(db)
  return rows[0]
}

/** The questions that are not decided yet. */
export async function listOpenQuestions(
  db: Db,
  questions: readonly TaxonomyQuestion[],
): Promise<TaxonomyQuestion[]> {
  const { rows } = await sql<{ place: number }>`
    select q.place
    from unnest(${questions.map(({ kind }) => kindOf(kind))}::text[],
                ${questions.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${questions.map(({ typed }) => typed)}::text[],
                ${questions.map(({ about }) => about)}::text[])
           with ordinality as q(kind, manufacturer_id, typed, about, place)
    join lookup_question o on o.kind = q.kind and o.typed_key = name_key(q.typed) and o.about_key = name_key(q.about)
      and o.manufacturer_id is not distinct from q.manufacturer_id
  `.execute(db)
  const open = new Set(rows.map(({ place }) => place))
  return questions.filter((_, at) => open.has(at + 1))
}

/** The queued or running job with this key. */
export async function findTaxonomyJob(db: Db, concurrencyKey: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from job
    where concurrency_key = ${concurrencyKey} and status in ('queued', 'running', 'waiting-manual', 'retrying')
    order by id desc limit 1
  `.execute(db)
  return rows[0]?.id
}
