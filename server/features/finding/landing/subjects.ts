import { type RawBuilder, sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type Subject, tableOf } from './page-facts.ts'

/** Joins a model's manufacturer as `f`: a model of an unconfirmed manufacturer has no page. */
export const withManufacturer = (kind: LandingKind): RawBuilder<unknown> =>
  kind === 'model'
    ? sql`join manufacturer f on f.id = t.manufacturer_id and f.confirmed and f.merged_into is null`
    : sql``

/** Whether lookup `t` can have a page. */
export const isConfirmed = sql`t.confirmed and t.merged_into is null`

const columnsOf = (kind: LandingKind) => sql`
  ${kind}::text as kind, t.id, t.name,
  ${kind === 'model' ? sql`f.id` : sql`null::uuid`} as "manufacturerId",
  ${kind === 'model' ? sql`f.name` : sql`null::text`} as manufacturer,
  ${kind === 'category' ? sql`(select g.name from category_group g where g.id = t.group_id)` : sql`null::text`} as "group"`

const orderOf = (kind: LandingKind) =>
  kind === 'model' ? sql`f.name_key, t.name_key, t.id` : sql`t.name_key, t.id`

/**
 * Lists confirmed lookups of a kind that have live listings or a page, by name. With `exists` instead of `in`, all
 * listings were read for each of 3,000 models without any: the planner expects an early hit if a few models have all
 * the listings.
 */
export async function listSubjects(db: Db, kind: LandingKind): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select ${columnsOf(kind)} from ${sql.table(tableOf(kind))} t ${withManufacturer(kind)}
    where ${isConfirmed} and t.id in (
      select ${sql.ref(`l.${tableOf(kind)}_id`)} from listing l where ${isForSale}
      union all
      select p.lookup_id from landing_page p where p.kind = ${kind})
    order by ${orderOf(kind)}
  `.execute(db)
  return rows
}

/** Lists lookups with live listings but no page yet. */
export async function listUnwritten(db: Db, kind: LandingKind): Promise<Subject[]> {
  const { rows } = await sql<Subject>`
    select ${columnsOf(kind)} from ${sql.table(tableOf(kind))} t ${withManufacturer(kind)}
    where ${isConfirmed} and t.id in (select ${sql.ref(`l.${tableOf(kind)}_id`)} from listing l where ${isForSale})
      and not exists (select from landing_page p where p.kind = ${kind} and p.lookup_id = t.id)
    order by ${orderOf(kind)}
  `.execute(db)
  return rows
}

/**
 * Finds the confirmed lookup whose name has this slug (for a model, with the make's slug), with or without a page.
 * Reads all names of the kind, at most 3,000.
 */
export async function findSubjectOfSlug(
  db: Db,
  kind: LandingKind,
  slug: string,
): Promise<Subject | undefined> {
  const name = kind === 'model' ? sql`f.name || t.name` : sql`t.name`
  const { rows } = await sql<Subject>`
    select ${columnsOf(kind)} from ${sql.table(tableOf(kind))} t ${withManufacturer(kind)}
    where ${isConfirmed}
      and regexp_replace(replace(lower(${name}), '&', 'and'), '[^a-z0-9]', '', 'g') = translate(${slug}, '-/', '')
    order by ${orderOf(kind)} limit 1
  `.execute(db)
  return rows[0]
}

/** The confirmed lookup with this name, alias or slug; a model's name may include its manufacturer. */
export async function findSubject(db: Db, kind: LandingKind, words: string): Promise<Subject | undefined> {
  const ofModel = kind === 'model' ? sql`or f.name_key || t.name_key = name_key(${words})` : sql``
  const { rows } = await sql<Subject>`
    select ${columnsOf(kind)} from ${sql.table(tableOf(kind))} t ${withManufacturer(kind)}
    where ${isConfirmed} and (
      t.name_key = name_key(${words}) ${ofModel}
      or exists (select from ${sql.table(`${tableOf(kind)}_alias`)} a
                 where ${sql.ref(`a.${tableOf(kind)}_id`)} = t.id and a.alias_key = name_key(${words}))
      or exists (select from landing_page p where p.kind = ${kind} and p.lookup_id = t.id and p.slug = ${words}))
    order by t.name_key = name_key(${words}) desc, ${orderOf(kind)} limit 1
  `.execute(db)
  return rows[0]
}
