import { sql } from 'kysely'
import type { TaxonomyQuestion, TaxonomyResult } from '#contract/taxonomy.ts'
import { kindOf } from '#server/features/lookups/lookup-kind.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { KnownModel, KnownName } from './name-verdict.ts'

export type TaxonomyNames = {
  readonly categories: readonly KnownName[]
  readonly manufacturers: readonly KnownName[]
  readonly models: readonly KnownModel[]
}

/** All lookups as they can be meant; those merged into others are not there. In the order of their names, so that the same
 * lookups always give the same answers. */
export async function loadTaxonomyNames(db: Db): Promise<TaxonomyNames> {
  const [categories, manufacturers, models] = await Promise.all([
    sql<KnownName>`
      select c.id, c.name, c.confirmed,
             array(select alias from category_alias a where a.category_id = c.id order by alias_key) as aliases
      from category c where c.merged_into is null order by c.name_key
    `.execute(db),
    sql<KnownName>`
      select m.id, m.name, m.confirmed,
             array(select alias from manufacturer_alias a where a.manufacturer_id = m.id order by alias_key) as aliases
      from manufacturer m where m.merged_into is null order by m.name_key
    `.execute(db),
    sql<KnownModel>`
      select m.id, m.name, m.confirmed, m.manufacturer_id as "manufacturerId",
             array(select alias from car_model_alias a where a.car_model_id = m.id order by alias_key) as aliases,
             (select coalesce(jsonb_agg(jsonb_build_array(lower(r), upper(r) - 1)), '[]') from unnest(m.model_years) r)
               as years
      from car_model m where m.merged_into is null order by m.manufacturer_id, m.name_key
    `.execute(db),
  ])
  return { categories: categories.rows, manufacturers: manufacturers.rows, models: models.rows }
}

/** One after the other, files bring their new names: two spellings of one name must not become two at the same moment. */
export async function lockNewNames(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('taxonomy names'))`.execute(trx)
}

/** In place of what was made of the file before. */
export async function keepResult(
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

export type KeptResult = { result: TaxonomyResult; madeAt: Date; madeBy: string | null }

export async function findKeptResult(db: Db, fileId: string): Promise<KeptResult | undefined> {
  const { rows } = await sql<KeptResult>`
    select t.result, t.made_at as "madeAt", u.name as "madeBy"
    from staging_taxonomy t left join app_user u on u.id = t.made_by
    where t.file_id = ${fileId}
  `.execute(db)
  return rows[0]
}

/** Those of the questions that nobody answered yet. */
export async function listOpenQuestions(
  db: Db,
  questions: readonly TaxonomyQuestion[],
): Promise<TaxonomyQuestion[]> {
  const { rows } = await sql<{ place: number }>`
    select q.place
    from unnest(${questions.map(({ kind }) => kindOf(kind))}::text[],
                ${questions.map(({ manufacturerId }) => manufacturerId)}::uuid[],
                ${questions.map(({ typed }) => typed)}::text[]) with ordinality as q(kind, manufacturer_id, typed, place)
    join lookup_question o on o.kind = q.kind and o.typed_key = name_key(q.typed)
      and o.manufacturer_id is not distinct from q.manufacturer_id
  `.execute(db)
  const open = new Set(rows.map(({ place }) => place))
  return questions.filter((_, at) => open.has(at + 1))
}

/** The job that resolves names under this key, or waits to. */
export async function findTaxonomyJob(db: Db, concurrencyKey: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from job
    where concurrency_key = ${concurrencyKey} and status in ('queued', 'running', 'waiting-manual', 'retrying')
    order by id desc limit 1
  `.execute(db)
  return rows[0]?.id
}
