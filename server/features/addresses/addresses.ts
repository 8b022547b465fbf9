import slugify from '@sindresorhus/slugify'
import { sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import type { Db } from '#server/platform/database/database.ts'

/** `fullName` of a model is "Toyota Camry". */
type PageName = { readonly kind: LandingKind; readonly id: string; readonly fullName: string }

const MAX_LENGTH = 100
const ID_SUFFIX_LENGTH = 6

/** The slug of a page's name, with the end of its id if another page has that slug. */
export function pageSlug(name: PageName, isTaken: (slug: string) => boolean): string {
  const words = slugOf(name)
  return isTaken(words) ? withTail(name) : words
}

/** Whether the slug still matches the page's current name. */
const fitsName = (slug: string, name: PageName): boolean => slug === slugOf(name) || slug === withTail(name)

export const slugOf = ({ kind, fullName }: PageName): string =>
  slugify(fullName, { decamelize: false }).slice(0, MAX_LENGTH).replace(/-+$/, '') || kind

const withTail = (name: PageName) => `${slugOf(name)}-${name.id.slice(-ID_SUFFIX_LENGTH)}`

/** Keeps others from creating or moving pages until the transaction ends. */
export async function holdPages(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('landing pages'))`.execute(trx)
}

type NamedPage = PageName & { readonly slug: string }

/** Pages of one kind with the current names of their lookups. */
async function listNamedPages(db: Db, kind: LandingKind, ids: readonly string[]): Promise<NamedPage[]> {
  const table = kind === 'model' ? 'car_model' : kind
  const fullName =
    kind === 'model'
      ? sql`(select f.name || ' ' || t.name from manufacturer f where f.id = t.manufacturer_id)`
      : sql`t.name`
  const { rows } = await sql<NamedPage>`
    select ${kind}::text as kind, t.id, ${fullName} as "fullName", p.slug
    from landing_page p join ${sql.table(table)} t on t.id = p.lookup_id
    where p.kind = ${kind} and p.lookup_id = any(${[...ids]}::uuid[])
    order by t.id
  `.execute(db)
  return rows
}

async function listModelsWithPages(db: Db, manufacturerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from car_model m join landing_page p on p.kind = 'model' and p.lookup_id = m.id
    where m.manufacturer_id = ${manufacturerId} and m.merged_into is null
  `.execute(db)
  return rows.map(({ id }) => id)
}

async function listTaken(
  db: Db,
  kind: LandingKind,
  slugs: readonly string[],
): Promise<{ slug: string; lookupId: string }[]> {
  const { rows } = await sql<{ slug: string; lookupId: string }>`
    select slug, lookup_id as "lookupId" from landing_page where kind = ${kind} and slug = any(${[...slugs]})
  `.execute(db)
  return rows
}

/** Changes the slugs of pages and remembers the former ones. */
async function changeSlugs(
  trx: Db,
  kind: LandingKind,
  changes: readonly { id: string; slug: string; now: string }[],
): Promise<void> {
  const ids = changes.map(({ id }) => id)
  await rememberSlugs(trx, kind, { slugs: changes.map(({ slug }) => slug), ids })
  await sql`
    update landing_page p set slug = c.slug
    from unnest(${ids}::uuid[], ${changes.map(({ now }) => now)}::text[]) as c(id, slug)
    where p.kind = ${kind} and p.lookup_id = c.id
  `.execute(trx)
}

async function rememberSlugs(
  trx: Db,
  kind: LandingKind,
  { slugs, ids }: { slugs: readonly string[]; ids: readonly string[] },
): Promise<void> {
  await sql`
    insert into landing_slug (kind, slug, lookup_id)
    select ${kind}, slug, id from unnest(${[...slugs]}::text[], ${[...ids]}::uuid[]) as f(slug, id)
    on conflict (kind, slug) do update set lookup_id = excluded.lookup_id
  `.execute(trx)
}

/** Models of a merged manufacturer that are being merged into models of another. */
async function listMergedModels(db: Db, manufacturerId: string): Promise<Merge[]> {
  const { rows } = await sql<Merge>`
    select id as "from", merged_into as into from car_model
    where manufacturer_id = ${manufacturerId} and merged_into is not null order by id
  `.execute(db)
  return rows
}

type Merge = { readonly from: string; readonly into: string }

/** Former slugs of merged lookups now lead to what those were merged into. */
async function passOnSlugs(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_slug s set lookup_id = m.into_id from ${rowsOf(merges)}
    where s.kind = ${kind} and s.lookup_id = m.from_id
  `.execute(trx)
}

/** Remembers what lookups were merged into, for links to them. */
async function rememberHeirs(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_heir h set heir_id = m.into_id from ${rowsOf(merges)}
    where h.kind = ${kind} and h.heir_id = m.from_id
  `.execute(trx)
  await sql`
    insert into landing_heir (kind, lookup_id, heir_id) select ${kind}, m.from_id, m.into_id from ${rowsOf(merges)}
    on conflict (kind, lookup_id) do update set heir_id = excluded.heir_id
  `.execute(trx)
}

/** A lookup without a page takes over the page of one merged into it; of several, the one with the most parts. */
async function passOnPages(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_page p set lookup_id = heir.into_id
    from (select distinct on (m.into_id) m.into_id, old.id
          from ${rowsOf(merges)} join landing_page old on old.kind = ${kind} and old.lookup_id = m.from_id
          where not exists (select from landing_page own where own.kind = ${kind} and own.lookup_id = m.into_id)
          order by m.into_id, (old.facts ->> 'parts')::int desc, old.id) heir
    where p.id = heir.id
  `.execute(trx)
}

/** Deletes the pages of merged lookups; their slugs lead to what those were merged into. */
async function retirePages(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  const { rows } = await sql<{ slug: string; into: string }>`
    delete from landing_page p using ${rowsOf(merges)}
    where p.kind = ${kind} and p.lookup_id = m.from_id
    returning p.slug, m.into_id as into
  `.execute(trx)
  await rememberSlugs(trx, kind, {
    slugs: rows.map(({ slug }) => slug),
    ids: rows.map(({ into }) => into),
  })
}

const rowsOf = (merges: readonly Merge[]) => sql`
  unnest(${merges.map(({ from }) => from)}::uuid[], ${merges.map(({ into }) => into)}::uuid[]) as m(from_id, into_id)`

/** Forgets slugs and links of deleted lookups. */
export async function forgetGone(trx: Db): Promise<void> {
  await sql`delete from landing_slug s where ${isGone('s.lookup_id')}`.execute(trx)
  await sql`delete from landing_heir h where ${isGone('h.heir_id')}`.execute(trx)
}

const isGone = (id: string) => sql`
  not exists (select from category t where t.id = ${sql.ref(id)})
    and not exists (select from manufacturer t where t.id = ${sql.ref(id)})
    and not exists (select from car_model t where t.id = ${sql.ref(id)})`

/**
 * Gives the pages of renamed lookups the slugs of their new names; with a manufacturer's page, those of its models. The
 * former slugs redirect.
 */
export async function followNames(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  await holdPages(trx)
  await movePages(trx, kind, ids)
  if (kind !== 'manufacturer') return
  for (const id of ids) await movePages(trx, 'model', await listModelsWithPages(trx, id))
}

async function movePages(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  const pages = await listNamedPages(trx, kind, ids)
  const moving = pages.filter((page) => !fitsName(page.slug, page))
  if (moving.length === 0) return
  const taken = new Set((await listTaken(trx, kind, moving.map(slugOf))).map(({ slug }) => slug))
  const changes = moving.map((page) => {
    const now = pageSlug(page, (slug) => taken.has(slug))
    taken.add(now)
    return { id: page.id, slug: page.slug, now }
  })
  await changeSlugs(trx, kind, changes)
}

/**
 * Makes all slugs of and links to merged lookups lead to the page of what they were merged into, which takes over a page
 * if it has none. The models of a merged manufacturer follow.
 */
export async function followMerges(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return
  await holdPages(trx)
  await passOnSlugs(trx, kind, merges)
  await rememberHeirs(trx, kind, merges)
  await passOnPages(trx, kind, merges)
  await retirePages(trx, kind, merges)
  if (kind === 'manufacturer') {
    for (const { from } of merges) await followMerges(trx, 'model', await listMergedModels(trx, from))
  }
  await followNames(trx, kind, [...new Set(merges.map(({ into }) => into))])
}
