import { sql } from 'kysely'
import type { FeedProblem } from '#contract/pages/sellers.ts'
import { isForSale, type WhyGone, whyGone } from '#server/features/market/for-sale/for-sale.ts'
import { soldPiecesOf, soldVersionOf } from '#server/features/market/for-sale/held-parts.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import { type Db, LOWEST_ID, onlyRow } from '#server/platform/database/database.ts'

/** A seller, and whether shopping sites may read the parts. */
export type FeedSeller = { id: string; slug: string; name: string; feeds: boolean }
type FoundSeller = FeedSeller & { gone: WhyGone | null }

export async function findFeedSeller(db: Db, slug: string): Promise<FoundSeller | undefined> {
  const { rows } = await sql<FoundSeller>`
    select id, slug, ${shownName(sql`id`, sql`seller.name`)} as name, feeds, ${whyGone(sql`id`)} as gone from seller where slug = ${slug}
  `.execute(db)
  return rows[0]
}

export async function getFeedSeller(db: Db, id: string): Promise<FeedSeller> {
  const { rows } =
    await sql<FeedSeller>`select id, slug, ${shownName(sql`id`, sql`seller.name`)} as name, feeds from seller where id = ${id}`.execute(
      db,
    )
  return onlyRow(rows)
}

export async function updateFeeds(db: Db, sellerId: string, feeds: boolean): Promise<void> {
  await sql`update seller set feeds = ${feeds} where id = ${sellerId}`.execute(db)
}

/** A part in the form shopping sites expect. */
export type FeedPart = {
  readonly id: string
  readonly slug: string
  readonly title: string
  readonly description: string
  readonly priceCents: number
  readonly currency: string
  /** Without pieces that are being sold. */
  readonly quantity: number
  readonly shippingKind: 'free' | 'flat' | 'pickup' | 'quote'
  readonly shippingCents: number | null
  readonly make: string
  readonly partNumber: string | null
  readonly group: string | null
  readonly category: string | null
  /** The first is the main one. */
  readonly pictures: readonly { readonly id: string; readonly sha256: string }[]
}

// Google's limits; Meta has the same, except that it allows longer titles.
const LONGEST_TITLE = 150
const SMALLEST_PICTURE = 100

/*
 * Titles (as in `listingTitle`) and problems are computed in SQL, so that counting them does not load a yard's 100,000
 * parts.
 */

const title = sql`coalesce(nullif(l.heading, ''), concat_ws(' ',
  l.year_from || case when l.year_to > l.year_from then '–' || l.year_to else '' end,
  nullif(l.manufacturer_name, ''), nullif(l.model_name, ''), nullif(l.name, '')))`

/** A seller's live parts as `part`, without pictures and category names. */
const livePartsOf = (sellerId: string) => sql`(
  select l.*, ${title} as title, first.sha256,
    array_remove(array[
      case when l.price_cents = 0 then 'no-price' end,
      case when first.sha256 is null then 'no-picture' end,
      case when least(first.width, first.height) < ${SMALLEST_PICTURE}::int then 'small-picture' end,
      case when char_length(${title}) > ${LONGEST_TITLE}::int then 'long-title' end,
      case when btrim(l.description) = '' then 'no-description' end
    ], null) as problems
  from listing l left join lateral (
    select i.sha256, i.width, i.height from listing_image i
    where i.listing_id = l.id and i.state = 'ready' order by i.position limit 1
  ) first on true
  where l.seller_id = ${sellerId} and ${isForSale}
) part`

export type CheckedParts = {
  readonly parts: number
  readonly inFeeds: number
  readonly problems: {
    problem: FeedProblem
    count: number
    newest: { slug: string; title: string }[]
  }[]
}

// With more problems, a seller fixes the cause rather than each part.
const NEWEST = 20

/** Counts a seller's parts in the feeds, and why the others are excluded. */
export async function checkParts(db: Db, sellerId: string): Promise<CheckedParts> {
  const { rows } = await sql<CheckedParts>`
    with part as materialized (select id, slug, title, problems from ${livePartsOf(sellerId)})
    select (select count(*)::int from part) as parts,
           (select count(*)::int from part where problems = '{}') as "inFeeds",
           coalesce((
             select json_agg(json_build_object('problem', problem, 'count', count, 'newest', newest) order by count desc)
             from (
               select problem, count(*) as count,
                      json_agg(json_build_object('slug', slug, 'title', title) order by id desc)
                        filter (where place <= ${NEWEST}) as newest
               from (
                 select p.*, problem, row_number() over (partition by problem order by p.id desc) as place
                 from part p cross join unnest(p.problems) problem
               ) named group by problem
             ) counted
           ), '[]') as problems
  `.execute(db)
  return onlyRow(rows)
}

/** Changes whenever a part in the feeds or its feed data changes. */
export async function readFeedVersion(db: Db, sellerId: string): Promise<string> {
  const { rows } = await sql<{ version: string }>`
    select count(*) || '.' || coalesce(sum(hashtextextended(id::text || coalesce(sha256, ''),
      (extract(epoch from updated_at) * 1000)::bigint)), 0) || '.' || ${soldVersionOf(sellerId)} as version
    from ${livePartsOf(sellerId)}
  `.execute(db)
  return onlyRow(rows).version
}

// About 500 kB of text.
const PARTS_AT_ONCE = 500

/** Yields a seller's parts without problems, oldest first, a page at a time. */
export async function* readFeedParts(db: Db, sellerId: string): AsyncGenerator<readonly FeedPart[]> {
  for (let after: string | undefined = LOWEST_ID; after !== undefined; ) {
    const rows: readonly FeedPart[] = await listPage(db, sellerId, after)
    if (rows.length > 0) yield rows
    after = rows.length === PARTS_AT_ONCE ? rows.at(-1)?.id : undefined
  }
}

async function listPage(db: Db, sellerId: string, after: string): Promise<readonly FeedPart[]> {
  const { rows } = await sql<FeedPart>`
    select part.id, part.slug, part.title, part.description, part.price_cents as "priceCents",
           part.currency, part.quantity - ${soldPiecesOf(sql`part.id`)} as quantity, part.shipping_kind as "shippingKind",
           part.shipping_cents as "shippingCents", part.manufacturer_name as make,
           part.part_number as "partNumber", g.name as "group", c.name as category,
           (select json_agg(json_build_object('id', i.id, 'sha256', i.sha256) order by i.position)
            from listing_image i where i.listing_id = part.id and i.state = 'ready') as pictures
    from (
      select * from ${livePartsOf(sellerId)} where id > ${after} and problems = '{}'
      order by id limit ${PARTS_AT_ONCE}
    ) part
    left join category c on c.id = part.category_id
    left join category_group g on g.id = c.group_id
    order by part.id
  `.execute(db)
  return rows
}
