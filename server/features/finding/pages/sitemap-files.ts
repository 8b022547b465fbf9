import { type RawBuilder, sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import { helpArticles, helpPath, partPath, sellerPath, sitePaths } from '#contract/pages/site-paths.ts'
import { tableOf } from '#server/features/finding/landing/page-facts.ts'
import { withManufacturer } from '#server/features/finding/landing/subjects.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { type Db, HIGHEST_ID, LOWEST_ID, onlyRow } from '#server/platform/database/database.ts'

/*
 * The sitemap lists every public address with stock. Its files are ranges of ids whose limits are stored, so that a new part
 * changes the last file only: search engines read again just the files that changed.
 */

/** Ids after one and up to another. */
type Range = { readonly after: string; readonly upTo: string }

type Kind = {
  /** The table whose ids the files are ranges of. */
  readonly table: string
  /** Rows of the table in a file. */
  readonly perFile: number
  /** Rows of the table that are read at a time. */
  readonly perRead: number
  /** A select of the addresses of a range: `slug` and `at`, when the page changed. */
  readonly addresses: (range: Range) => RawBuilder<unknown>
  readonly pathOf: (slug: string) => string
}

// 50,000 addresses are allowed in a file. Fewer leave room for parts with older ids that a long transaction adds.
const ADDRESSES = 45_000
// About 50 kB of text, two milliseconds of the event loop.
const READ = 500

const within = (id: string, { after, upTo }: Range) =>
  sql`${sql.ref(id)} > ${after} and ${sql.ref(id)} <= ${upTo}`

/** When the newest live listing that meets a condition was created; no row if there is none. */
const newestOf = (condition: RawBuilder<unknown>) => sql`
  cross join lateral (
    select l.created_at as at from listing l where ${condition} and ${isForSale} order by l.id desc limit 1
  ) newest`

const landing = (kind: LandingKind): Kind => ({
  table: tableOf(kind),
  perFile: ADDRESSES,
  perRead: READ,
  addresses: (range) => sql`
    select p.slug, greatest(p.updated_at, newest.at) as at
    from ${sql.table(tableOf(kind))} t ${withManufacturer(kind)}
    join landing_page p on p.kind = ${kind} and p.lookup_id = t.id
    ${newestOf(sql`${sql.ref(`l.${tableOf(kind)}_id`)} = t.id`)}
    where ${within('t.id', range)} and t.confirmed and t.merged_into is null`,
  pathOf: (slug) => landingPath(kind, slug),
})

const kinds = {
  categories: landing('category'),
  makes: landing('manufacturer'),
  models: landing('model'),
  // A file has the pages of 60 models: with all of 700 categories each it would still have fewer than 45,000 addresses.
  'model-parts': {
    table: 'car_model',
    perFile: 60,
    perRead: 10,
    addresses: (range) => sql`
      select p.slug || '/' || part.slug as slug, listed.at
      from (
        select l.car_model_id, l.category_id, max(l.updated_at) as at from listing l
        where ${within('l.car_model_id', range)} and ${isForSale} and l.category_id is not null
        group by 1, 2
      ) listed
      join car_model t on t.id = listed.car_model_id and t.confirmed and t.merged_into is null
      ${withManufacturer('model')}
      join category c on c.id = listed.category_id and c.confirmed and c.merged_into is null
      join landing_page p on p.kind = 'model' and p.lookup_id = t.id
      join landing_page part on part.kind = 'category' and part.lookup_id = c.id`,
    pathOf: (slug) => landingPath('model', slug),
  },
  sellers: {
    table: 'seller',
    perFile: ADDRESSES,
    perRead: READ,
    addresses: (range) => sql`
      select s.slug, newest.at from seller s ${newestOf(sql`l.seller_id = s.id`)} where ${within('s.id', range)}`,
    pathOf: sellerPath,
  },
  parts: {
    table: 'listing',
    perFile: ADDRESSES,
    perRead: READ,
    addresses: (range) => sql`
      select l.slug, l.updated_at as at from listing l where ${within('l.id', range)} and ${isForSale}`,
    pathOf: partPath,
  },
} as const satisfies Record<string, Kind>
type KindName = keyof typeof kinds

/** The file of pages that do not depend on stock. */
const PAGES = 'pages-1'
const pages = [...Object.values(sitePaths), ...helpArticles.map(helpPath)]

/** The id of a table's row at this offset, or undefined if it has fewer rows. */
async function idAfter(
  db: Db,
  table: string,
  { after, upTo }: Range,
  rows: number,
): Promise<string | undefined> {
  const { rows: found } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where id > ${after} and id <= ${upTo} order by id limit 1 offset ${rows}
  `.execute(db)
  return found[0]?.id
}

/** The id after which each file of a kind starts. Adds the files that are needed now. */
async function listStarts(db: Db, kind: KindName): Promise<string[]> {
  const { table, perFile } = kinds[kind]
  for (;;) {
    const { rows } = await sql<{ after: string }>`
      select after_id as after from sitemap_file where kind = ${kind} order by number
    `.execute(db)
    const last = rows.at(-1)?.after
    const next = last === undefined ? LOWEST_ID : await fullAfter(db, { table, after: last, perFile })
    if (next === undefined) return rows.map(({ after }) => after)
    // Another process may have added it in the meantime.
    await sql`
      insert into sitemap_file (kind, number, after_id) values (${kind}, ${rows.length + 1}, ${next})
      on conflict do nothing
    `.execute(db)
  }
}

/** The last id of a file that is full, if there are rows after it. */
async function fullAfter(
  db: Db,
  { table, after, perFile }: { table: string; after: string; perFile: number },
): Promise<string | undefined> {
  const last = await idAfter(db, table, { after, upTo: HIGHEST_ID }, perFile - 1)
  if (last === undefined) return undefined
  return (await idAfter(db, table, { after: last, upTo: HIGHEST_ID }, 0)) && last
}

export type SitemapFile = {
  /** "parts-2" */
  readonly name: string
  readonly addresses: number
  /** Changes with the addresses and their dates. */
  readonly version: string
  readonly changedAt: Date | null
}

type FilesOfKind = { readonly kind: KindName; readonly range: Range }

/** The files that have any addresses. */
export async function listSitemapFiles(db: Db): Promise<SitemapFile[]> {
  const files: SitemapFile[] = [pagesFile]
  for (const kind of Object.keys(kinds) as KindName[]) {
    const starts = await listStarts(db, kind)
    for (const [at, after] of starts.entries()) {
      const listed = { kind, range: { after, upTo: starts[at + 1] ?? HIGHEST_ID } }
      const file = await readFile(db, `${kind}-${at + 1}`, listed)
      if (file.addresses > 0) files.push(file)
    }
  }
  return files
}

const pagesFile: SitemapFile = {
  name: PAGES,
  addresses: pages.length,
  version: String(pages),
  changedAt: null,
}

async function readFile(db: Db, name: string, { kind, range }: FilesOfKind): Promise<SitemapFile> {
  const { rows } = await sql<{ addresses: number; digest: string; changedAt: Date | null }>`
    select count(*)::int as addresses, max(at) as "changedAt",
           coalesce(sum(hashtextextended(slug, (extract(epoch from at) * 1000)::bigint)), 0)::text as digest
    from (${kinds[kind].addresses(range)}) listed
  `.execute(db)
  const { addresses, digest, changedAt } = onlyRow(rows)
  return { name, addresses, version: `${addresses}.${digest}`, changedAt }
}

/** A file by its name, with its addresses; undefined if there is none. */
export async function findSitemapFile(
  db: Db,
  name: string,
): Promise<{ file: SitemapFile; addresses: () => AsyncIterable<readonly Address[]> } | undefined> {
  if (name === PAGES) return { file: pagesFile, addresses: listPages }
  const [, word, digits] = /^([a-z-]{1,20})-([1-9]\d{0,5})$/.exec(name) ?? []
  const kind = (Object.keys(kinds) as KindName[]).find((known) => known === word)
  const range = kind && (await findRange(db, kind, Number(digits)))
  if (!range) return undefined
  const listed = { kind, range }
  return { file: await readFile(db, name, listed), addresses: () => readAddresses(db, listed) }
}

async function* listPages(): AsyncGenerator<readonly Address[]> {
  yield pages.map((path) => ({ path, at: null }))
}

async function findRange(db: Db, kind: KindName, number: number): Promise<Range | undefined> {
  const { rows } = await sql<{ after: string }>`
    select after_id as after from sitemap_file
    where kind = ${kind} and number between ${number} and ${number + 1} order by number
  `.execute(db)
  const [own, next] = rows
  // The first file of a kind exists even before anyone has read the index.
  if (!own) return number === 1 ? { after: LOWEST_ID, upTo: HIGHEST_ID } : undefined
  return { after: own.after, upTo: next?.after ?? HIGHEST_ID }
}

type Address = { readonly path: string; readonly at: Date | null }

async function* readAddresses(db: Db, { kind, range }: FilesOfKind): AsyncGenerator<readonly Address[]> {
  const { table, perRead, addresses, pathOf } = kinds[kind]
  let { after } = range
  while (after !== range.upTo) {
    const upTo: string = (await idAfter(db, table, { ...range, after }, perRead - 1)) ?? range.upTo
    const { rows } = await sql<{ slug: string; at: Date }>`${addresses({ after, upTo })}`.execute(db)
    yield rows.map(({ slug, at }) => ({ path: pathOf(slug), at }))
    after = upTo
  }
}
