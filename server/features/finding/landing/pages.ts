import { sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import {
  deleteAddressesOfGone,
  listPageNames,
  listTakenSlugs,
  lockPages,
  pageSlug,
  slugOf,
} from '#server/features/finding/addresses/addresses.ts'
import type { LandingText } from '#server/features/market/writing/landing-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type PageFacts, type Subject, tableOf } from './page-facts.ts'
import { withManufacturer } from './subjects.ts'

export type StoredPage = {
  readonly lookupId: string
  readonly slug: string
  readonly text: LandingText
  readonly facts: PageFacts
  readonly factsHash: Buffer
  readonly writer: string
}

export async function readStoredPages(
  db: Db,
  kind: LandingKind,
  ids: readonly string[],
): Promise<Map<string, StoredPage>> {
  const { rows } = await sql<Omit<StoredPage, 'text'> & LandingText>`
    select lookup_id as "lookupId", slug, title, meta_description as "metaDescription", intro, facts,
           facts_hash as "factsHash", writer
    from landing_page where kind = ${kind} and lookup_id = any(${[...ids]}::uuid[])
  `.execute(db)
  return new Map(
    rows.map(({ title, metaDescription, intro, ...row }) => [
      row.lookupId,
      { ...row, text: { title, metaDescription, intro } },
    ]),
  )
}

export type NewPage = {
  readonly subject: Subject
  readonly text: LandingText
  readonly facts: PageFacts
  readonly factsHash: Buffer
  readonly writer: string
}

/** Writes pages of one kind. An existing page keeps its slug. Concurrent scripts wait for each other. */
export async function upsertPages(
  trx: Db,
  kind: LandingKind,
  { pages, jobId }: { pages: readonly NewPage[]; jobId: string },
): Promise<void> {
  await lockPages(trx)
  const slugs = await chooseSlugs(trx, kind, pages)
  const rows = pages.map(({ subject, text, facts, factsHash, writer }) => ({
    lookup_id: subject.id,
    slug: slugs.get(subject.id),
    title: text.title,
    meta_description: text.metaDescription,
    intro: text.intro,
    facts,
    facts_hash: factsHash.toString('hex'),
    writer,
  }))
  await sql`
    insert into landing_page as p (kind, lookup_id, slug, title, meta_description, intro, facts, facts_hash, writer, job_id)
    select ${kind}, lookup_id, slug, title, meta_description, intro, facts, decode(facts_hash, 'hex'), writer, ${jobId}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as r(lookup_id uuid, slug text, title text, meta_description text, intro text, facts jsonb, facts_hash text, writer text)
    on conflict (kind, lookup_id) do update
    set title = excluded.title, meta_description = excluded.meta_description, intro = excluded.intro,
        facts = excluded.facts, facts_hash = excluded.facts_hash, writer = excluded.writer,
        job_id = excluded.job_id, updated_at = now()
  `.execute(trx)
}

async function chooseSlugs(
  trx: Db,
  kind: LandingKind,
  pages: readonly NewPage[],
): Promise<Map<string, string>> {
  const names = await listPageNames(
    trx,
    kind,
    pages.map(({ subject }) => subject.id),
  )
  const taken = new Set(await listTakenSlugs(trx, kind, names.map(slugOf)))
  const chosen = new Map<string, string>()
  for (const { slug: own, ...name } of names) {
    const slug = own ?? pageSlug(name, (words) => taken.has(words))
    taken.add(slug)
    chosen.set(name.id, slug)
  }
  return chosen
}

/** Deletes pages whose lookup was merged or deleted, and former slugs of deleted lookups. */
export async function deletePagesOfGone(trx: Db): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    delete from landing_page p
    where case p.kind
      when 'category' then not exists (select from category t where t.id = p.lookup_id and t.merged_into is null)
      when 'manufacturer' then not exists (select from manufacturer t where t.id = p.lookup_id and t.merged_into is null)
      else not exists (select from car_model t where t.id = p.lookup_id and t.merged_into is null) end
    returning id
  `.execute(trx)
  await deleteAddressesOfGone(trx)
  return rows.length
}

export type ShownPage = {
  readonly lookupId: string
  readonly slug: string
  readonly name: string
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  readonly text: LandingText
  /** Names the built-in writer or the language model. */
  readonly writer: string
  readonly updatedAt: Date
}

/** Finds the page with this current or former slug, under its lookup's current name. */
export async function findPage(db: Db, kind: LandingKind, slug: string): Promise<ShownPage | undefined> {
  const { rows } = await sql<Omit<ShownPage, 'text'> & LandingText>`
    select p.lookup_id as "lookupId", p.slug, t.name, p.title, p.meta_description as "metaDescription", p.intro,
           p.writer, p.updated_at as "updatedAt", ${ownManufacturer(kind)}
    from landing_page p join ${sql.table(tableOf(kind))} t on t.id = p.lookup_id ${withManufacturer(kind)}
    where p.kind = ${kind} and t.confirmed and t.merged_into is null
      and (p.slug = ${slug} or p.lookup_id = (
        select lookup_id from landing_slug where kind = ${kind} and slug = ${slug}))
    order by p.slug = ${slug} desc limit 1
  `.execute(db)
  const [row] = rows
  if (!row) return undefined
  const { title, metaDescription, intro, ...rest } = row
  return { ...rest, text: { title, metaDescription, intro } }
}

const ownManufacturer = (kind: LandingKind) =>
  kind === 'model'
    ? sql`f.id as "manufacturerId", f.name as manufacturer`
    : sql`null::uuid as "manufacturerId", null::text as manufacturer`

/** Lists every page of a kind by name, with its number of parts; a model's name includes its manufacturer. */
export async function listPages(
  db: Db,
  kind: LandingKind,
): Promise<{ name: string; slug: string; count: number }[]> {
  const name = kind === 'model' ? sql`f.name || ' ' || t.name` : sql`t.name`
  const { rows } = await sql<{ name: string; slug: string; count: number }>`
    select ${name} as name, p.slug, (p.facts ->> 'parts')::int as count
    from landing_page p join ${sql.table(tableOf(kind))} t on t.id = p.lookup_id ${withManufacturer(kind)}
    where p.kind = ${kind} and t.confirmed and t.merged_into is null
    order by lower(${name}), p.slug
  `.execute(db)
  return rows
}

/** Finds the slugs of confirmed lookups; one without a page gets the slug its page will have. */
export async function findSlugs(
  db: Db,
  kind: LandingKind,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const names = await listPageNames(db, kind, ids)
  return new Map(names.map(({ slug, ...name }) => [name.id, slug ?? slugOf(name)]))
}
