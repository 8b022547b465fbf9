import slugify from '@sindresorhus/slugify'
import { sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import type { Db } from '#server/platform/database/database.ts'

/** What a page's slug is built from. A model's slug begins with its make's: "toyota/camry". */
type PageName = {
  readonly kind: LandingKind
  readonly id: string
  readonly name: string
  readonly makeSlug: string | null
}

const MAX_LENGTH = 100
const ID_SUFFIX_LENGTH = 6

/** The slug of a page's name, with the end of its id if another page has that slug. */
export function pageSlug(name: PageName, isTaken: (slug: string) => boolean): string {
  const words = slugOf(name)
  return isTaken(words) ? withTail(name) : words
}

/** Whether the slug still matches the page's current name. */
const fitsName = (slug: string, name: PageName): boolean => slug === slugOf(name) || slug === withTail(name)

export const slugOf = ({ kind, name, makeSlug }: PageName): string =>
  `${makeSlug === null ? '' : `${makeSlug}/`}${slugOfName(name) || kind}`

const slugOfName = (name: string): string =>
  slugify(name, { decamelize: false }).slice(0, MAX_LENGTH).replace(/-+$/, '')

const withTail = (name: PageName) => `${slugOf(name)}-${name.id.slice(-ID_SUFFIX_LENGTH)}`

/** Keeps others from creating or moving pages until the transaction ends. */
export async function lockPages(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('landing pages'))`.execute(trx)
}

type NamedPage = PageName & { readonly slug: string | null }

/** The current names of lookups, and the slugs of those that have a page. */
export async function listPageNames(db: Db, kind: LandingKind, ids: readonly string[]): Promise<NamedPage[]> {
  const table = kind === 'model' ? 'car_model' : kind
  const [make, joins] =
    kind === 'model'
      ? [
          sql`f.name as make, made.slug as "makeSlug"`,
          sql`join manufacturer f on f.id = t.manufacturer_id
              left join landing_page made on made.kind = 'manufacturer' and made.lookup_id = f.id`,
        ]
      : [sql`null as make, null as "makeSlug"`, sql``]
  const { rows } = await sql<NamedPage & { make: string | null }>`/* prepared */
    select ${kind}::text as kind, t.id, t.name, p.slug, ${make}
    from ${sql.table(table)} t ${joins} left join landing_page p on p.kind = ${kind} and p.lookup_id = t.id
    where t.id = any(${[...ids]}::uuid[])
    order by t.id
  `.execute(db)
  return rows.map(({ make, makeSlug, ...page }) => ({
    ...page,
    makeSlug: make === null ? null : (makeSlug ?? (slugOfName(make) || 'make')),
  }))
}

async function listModelsWithPages(db: Db, manufacturerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select m.id from car_model m join landing_page p on p.kind = 'model' and p.lookup_id = m.id
    where m.manufacturer_id = ${manufacturerId} and m.merged_into is null
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** Returns the slugs that a page already has. */
export async function listTakenSlugs(db: Db, kind: LandingKind, slugs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ slug: string }>`
    select slug from landing_page where kind = ${kind} and slug = any(${[...slugs]})
  `.execute(db)
  return rows.map(({ slug }) => slug)
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

/** Redirects former slugs of merged lookups to their targets. */
async function redirectSlugs(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_slug s set lookup_id = m.into_id from ${rowsOf(merges)}
    where s.kind = ${kind} and s.lookup_id = m.from_id
  `.execute(trx)
}

/** Records the targets of merged lookups, for links to them. */
async function recordMergeTargets(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_heir h set heir_id = m.into_id from ${rowsOf(merges)}
    where h.kind = ${kind} and h.heir_id = m.from_id
  `.execute(trx)
  await sql`
    insert into landing_heir (kind, lookup_id, heir_id) select ${kind}, m.from_id, m.into_id from ${rowsOf(merges)}
    on conflict (kind, lookup_id) do update set heir_id = excluded.heir_id
  `.execute(trx)
}

/** Moves the page of a merged lookup to a target without a page; if there are several, the one with the most parts. */
async function movePagesToTargets(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  await sql`
    update landing_page p set lookup_id = heir.into_id
    from (select distinct on (m.into_id) m.into_id, old.id
          from ${rowsOf(merges)} join landing_page old on old.kind = ${kind} and old.lookup_id = m.from_id
          where not exists (select from landing_page own where own.kind = ${kind} and own.lookup_id = m.into_id)
          order by m.into_id, (old.facts ->> 'parts')::int desc, old.id) heir
    where p.id = heir.id
  `.execute(trx)
}

/** Deletes the pages of merged lookups; their slugs redirect to the targets' pages. */
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

/** Deletes slugs and links of deleted lookups. */
export async function deleteAddressesOfGone(trx: Db): Promise<void> {
  await sql`delete from landing_slug s where ${isGone('s.lookup_id')}`.execute(trx)
  await sql`delete from landing_heir h where ${isGone('h.heir_id')}`.execute(trx)
}

const isGone = (id: string) => sql`
  not exists (select from category t where t.id = ${sql.ref(id)})
    and not exists (select from manufacturer t where t.id = ${sql.ref(id)})
    and not exists (select from car_model t where t.id = ${sql.ref(id)})`

/**
 * Moves the pages of renamed lookups, and of a manufacturer's models, to the slugs of their new names. The former slugs
 * redirect.
 */
export async function followNames(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  await lockPages(trx)
  await movePages(trx, kind, ids)
  if (kind !== 'manufacturer') return
  for (const id of ids) await movePages(trx, 'model', await listModelsWithPages(trx, id))
}

async function movePages(trx: Db, kind: LandingKind, ids: readonly string[]): Promise<void> {
  const pages = await listPageNames(trx, kind, ids)
  const moving = pages.flatMap(({ slug, ...page }) =>
    slug === null || fitsName(slug, page) ? [] : [{ ...page, slug }],
  )
  if (moving.length === 0) return
  const taken = new Set(await listTakenSlugs(trx, kind, moving.map(slugOf)))
  const changes = moving.map((page) => {
    const now = pageSlug(page, (slug) => taken.has(slug))
    taken.add(now)
    return { id: page.id, slug: page.slug, now }
  })
  await changeSlugs(trx, kind, changes)
}

/**
 * Redirects all slugs of and links to merged lookups, including the models of a merged manufacturer, to the target's
 * page. A target without a page takes over one.
 */
export async function followMerges(trx: Db, kind: LandingKind, merges: readonly Merge[]): Promise<void> {
  if (merges.length === 0) return
  await lockPages(trx)
  await redirectSlugs(trx, kind, merges)
  await recordMergeTargets(trx, kind, merges)
  await movePagesToTargets(trx, kind, merges)
  await retirePages(trx, kind, merges)
  if (kind === 'manufacturer') {
    for (const { from } of merges) await followMerges(trx, 'model', await listMergedModels(trx, from))
  }
  await followNames(trx, kind, [...new Set(merges.map(({ into }) => into))])
}
