import { sql } from 'kysely'
import type { TopNames } from '#contract/landing.ts'
import { slugOf } from '#server/features/finding/addresses/addresses.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { tableOf } from './page-facts.ts'

const MOST = 12
// The query groups all live listings, and the top names rarely change.
const KEPT_MS = 60_000

/** The categories and manufacturers with the most live listings, as of the last minute. */
export type TopNamesReader = (db: Db) => Promise<TopNames>

export function openTopNames(): TopNamesReader {
  let kept: { top: TopNames; until: number } | undefined
  return async (db) => {
    if (kept && kept.until > performance.now()) return kept.top
    const [categories, makes] = await Promise.all([readTop(db, 'category'), readTop(db, 'manufacturer')])
    const top = { categories, manufacturers: makes.map(({ group: _, ...make }) => make) }
    kept = { top, until: performance.now() + KEPT_MS }
    return top
  }
}

type Row = TopNames['categories'][number] & { confirmed: boolean }

async function readTop(db: Db, kind: 'category' | 'manufacturer'): Promise<TopNames['categories']> {
  const column = sql.ref(`l.${kind}_id`)
  const group =
    kind === 'category' ? sql`(select g.name from category_group g where g.id = t.group_id)` : sql`null::text`
  const { rows } = await sql<Row>`
    select t.id, t.name, t.confirmed, p.slug, most.count, ${group} as "group"
    from (select ${column} as id, count(*)::int as count from listing l where ${isForSale} and ${column} is not null
          group by ${column} order by count(*) desc, ${column} limit ${MOST}) most
    join ${sql.table(tableOf(kind))} t on t.id = most.id
    left join landing_page p on p.kind = ${kind} and p.lookup_id = t.id and t.confirmed
    order by most.count desc, t.id
  `.execute(db)
  return rows.map(({ confirmed, ...top }) => ({
    ...top,
    slug: top.slug ?? (confirmed ? slugOf({ kind, id: top.id, name: top.name, makeSlug: null }) : null),
  }))
}
