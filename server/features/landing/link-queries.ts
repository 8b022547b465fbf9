import { sql } from 'kysely'
import type { LandingKind, PageLink } from '#contract/landing.ts'
import type { Db } from '#server/platform/database.ts'
import { isLive } from './facts-queries.ts'

/** One end of a link. */
export type LinkEnd = { readonly kind: LandingKind | 'listing'; readonly id: string }

/** Where a page's links lead, in their order; those whose target is gone meanwhile are left out. */
export async function listLinks(db: Db, from: LinkEnd): Promise<PageLink[]> {
  const { rows } = await sql<PageLink>`
    select k.to_kind as kind, coalesce(p.slug, l.slug) as slug, k.anchor
    from page_link k
    left join landing_page p on p.kind = k.to_kind and p.lookup_id = k.to_id
    left join listing l on k.to_kind = 'listing' and l.id = k.to_id and ${isLive('l')}
    where k.from_kind = ${from.kind} and k.from_id = ${from.id} and coalesce(p.slug, l.slug) is not null
    order by k.position
  `.execute(db)
  return rows
}

/** The listing at a public address, of now or before; one that is over still has a page, a hidden one none. */
export async function findLinkedListing(db: Db, slug: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select l.id from listing l
    where l.deleted_at is null and l.status = 'ACTIVE'
      and (l.slug = ${slug} or l.id = (select listing_id from listing_slug where slug = ${slug}))
    limit 1
  `.execute(db)
  return rows[0]
}
