import { sql } from 'kysely'
import type { LandingKind, PageLink } from '#contract/landing.ts'
import { isForSale, isPublic } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'

export type LinkEnd = { readonly kind: LandingKind | 'listing'; readonly id: string }

/** The data about a page that linking needs. */
export type BookedPage = {
  readonly kind: LandingKind
  readonly id: string
  readonly name: string
  /** Only for a model. */
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  /** Only for a category. */
  readonly groupId: string | null
  readonly parts: number
  /** Ids of the lookups with the most parts on it, most first. */
  readonly topCategories: readonly string[]
  readonly topManufacturers: readonly string[]
  readonly topModels: readonly string[]
}

/** All pages, and how they are related. */
export class LinkBook {
  readonly #pages: Readonly<Record<LandingKind, ReadonlyMap<string, BookedPage>>>
  readonly #byGroup: ReadonlyMap<string | null, readonly BookedPage[]>
  readonly #byMake: ReadonlyMap<string | null, readonly BookedPage[]>
  readonly #makes: readonly BookedPage[]

  constructor(pages: readonly BookedPage[]) {
    const filled = pages.filter(({ parts }) => parts > 0).sort(byParts)
    const of = (wanted: LandingKind) => filled.filter(({ kind }) => kind === wanted)
    const map = (kind: LandingKind) => new Map(of(kind).map((page) => [page.id, page]))
    this.#pages = { category: map('category'), manufacturer: map('manufacturer'), model: map('model') }
    this.#byGroup = Map.groupBy(of('category'), ({ groupId }) => groupId)
    this.#byMake = Map.groupBy(of('model'), ({ manufacturerId }) => manufacturerId)
    this.#makes = of('manufacturer')
  }

  find(kind: LandingKind, id: string | null): BookedPage | undefined {
    return id === null ? undefined : this.#pages[kind].get(id)
  }

  /** The pages that a page links to. */
  relatedTo(page: BookedPage): BookedPage[] {
    switch (page.kind) {
      case 'category':
        return [
          ...this.#but(page, page.groupId === null ? [] : (this.#byGroup.get(page.groupId) ?? [])).slice(
            0,
            5,
          ),
          ...this.#found('manufacturer', page.topManufacturers, 3),
          ...this.#found('model', page.topModels, 3),
        ]
      case 'manufacturer':
        return [
          ...this.#found('model', page.topModels, 5),
          ...this.#found('category', page.topCategories, 3),
          ...mostRelated(page, this.#but(page, this.#makes), 4),
        ]
      case 'model':
        return [
          ...this.#found('manufacturer', page.manufacturerId === null ? [] : [page.manufacturerId], 1),
          ...this.#found('category', page.topCategories, 3),
          ...mostRelated(page, this.#but(page, this.#byMake.get(page.manufacturerId) ?? []), 6),
        ]
    }
  }

  /** The pages that a listing links to: its own, and the other top categories of its model. */
  relatedToListing(listing: ListingPlace): BookedPage[] {
    const model = this.find('model', listing.modelId)
    const others = (model?.topCategories ?? []).filter((id) => id !== listing.categoryId)
    return [
      model,
      this.find('category', listing.categoryId),
      this.find('manufacturer', listing.manufacturerId),
      ...this.#found('category', others, 2),
    ].filter((page) => page !== undefined)
  }

  #found(kind: LandingKind, ids: readonly string[], most: number): BookedPage[] {
    return ids.flatMap((id) => this.find(kind, id) ?? []).slice(0, most)
  }

  #but({ id }: BookedPage, pages: readonly BookedPage[]): BookedPage[] {
    return pages.filter((page) => page.id !== id)
  }
}

export type ListingPlace = {
  readonly categoryId: string | null
  readonly manufacturerId: string | null
  readonly modelId: string | null
}

/** Sorts pages by shared top categories, then by number of parts. */
function mostRelated(page: BookedPage, others: readonly BookedPage[], most: number): BookedPage[] {
  const own = new Set(page.topCategories)
  const shared = ({ topCategories }: BookedPage) => topCategories.filter((id) => own.has(id)).length
  return others
    .map((other) => ({ other, shared: shared(other) }))
    .sort((a, b) => b.shared - a.shared || byParts(a.other, b.other))
    .slice(0, most)
    .map(({ other }) => other)
}

const byParts = (a: BookedPage, b: BookedPage) => b.parts - a.parts || (a.id < b.id ? -1 : 1)

export type AnchoredLink = { readonly to: LinkEnd; readonly anchor: string }

export type StoredLink = AnchoredLink & {
  /** Whether the target is public. */
  readonly leads: boolean
}

/** The links of a page before and after. */
export type LinkChange = {
  readonly from: LinkEnd
  /** Name of the page or listing. */
  readonly name: string
  readonly before: readonly StoredLink[]
  readonly after: readonly AnchoredLink[]
}

export const keyOfEnd = ({ kind, id }: LinkEnd): string => `${kind}/${id}`

const lineOf = ({ to, anchor }: AnchoredLink) => `${keyOfEnd(to)} ${anchor}`

export const isChanged = ({ before, after }: LinkChange): boolean =>
  before.length !== after.length || after.some((link, at) => lineOf(link) !== lineOf(before[at] ?? link))

/** Removed and added links as lines of a diff, without links that only moved. */
export function linkDiff({ before, after }: LinkChange): string[] {
  const [old, now] = [new Set(before.map(lineOf)), new Set(after.map(lineOf))]
  const line = ({ to, anchor }: AnchoredLink) => `${anchor} (${to.kind})`
  return [
    ...before.filter((link) => !now.has(lineOf(link))).map((link) => `- ${line(link)}`),
    ...after.filter((link) => !old.has(lineOf(link))).map((link) => `+ ${line(link)}`),
  ]
}

/**
 * Lists a page's links in order. Links to merged lookups lead to the remaining lookup; only the first link to a target
 * counts. Omits dead links.
 */
export async function listLinks(db: Db, from: LinkEnd): Promise<PageLink[]> {
  const { rows } = await sql<PageLink>`/* prepared */
    select kind, slug, anchor from (
      select distinct on (k.to_kind, target.id) k.to_kind as kind, coalesce(p.slug, l.slug) as slug, k.anchor, k.position
      from page_link k
      left join landing_heir h on h.kind = k.to_kind and h.lookup_id = k.to_id
      cross join lateral (select coalesce(h.heir_id, k.to_id) as id) target
      left join landing_page p on p.kind = k.to_kind and p.lookup_id = target.id
      left join listing l on k.to_kind = 'listing' and l.id = target.id and ${isForSale}
      where k.from_kind = ${from.kind} and k.from_id = ${from.id} and coalesce(p.slug, l.slug) is not null
        and (k.to_kind, target.id) <> (${from.kind}, ${from.id}::uuid)
      order by k.to_kind, target.id, k.position
    ) led
    order by position
  `.execute(db)
  return withoutDuplicates(rows)
}

/**
 * Keeps the first of several links with the same text: two names may have become the same since the links were written.
 */
export function withoutDuplicates<Link extends { readonly anchor: string }>(
  links: readonly Link[],
  others: readonly string[] = [],
): Link[] {
  const used = new Set(others.map(anchorKey))
  return links.filter(({ anchor }) => {
    const key = anchorKey(anchor)
    const isNew = !used.has(key)
    used.add(key)
    return isNew
  })
}

/** Equal for texts that a reader cannot distinguish. */
export const anchorKey = (anchor: string): string => anchor.toLowerCase().replaceAll(/\s+/g, ' ').trim()

/** Finds the listing with this current or former slug; ended listings still have a page, hidden ones do not. */
export async function findLinkedListing(db: Db, slug: string): Promise<{ id: string } | undefined> {
  const { rows } = await sql<{ id: string }>`
    select l.id from listing l
    where ${isPublic}
      and (l.slug = ${slug} or l.id = (select listing_id from listing_slug where slug = ${slug}))
    limit 1
  `.execute(db)
  return rows[0]
}

/** All public pages, about a kilobyte each. */
export async function loadBookedPages(db: Db): Promise<BookedPage[]> {
  const { rows } = await sql<BookedPage>`
    select p.kind, p.lookup_id as id, coalesce(c.name, f.name, m.name) as name, m.manufacturer_id as "manufacturerId",
           mf.name as manufacturer, c.group_id as "groupId", (p.facts ->> 'parts')::int as parts,
           ${firstIds('topCategories')} as "topCategories", ${firstIds('topManufacturers')} as "topManufacturers",
           ${firstIds('topModels')} as "topModels"
    from landing_page p
    left join category c on p.kind = 'category' and c.id = p.lookup_id and c.confirmed and c.merged_into is null
    left join manufacturer f on p.kind = 'manufacturer' and f.id = p.lookup_id and f.confirmed and f.merged_into is null
    left join car_model m on p.kind = 'model' and m.id = p.lookup_id and m.confirmed and m.merged_into is null
    left join manufacturer mf on mf.id = m.manufacturer_id
    where coalesce(c.id, f.id, m.id) is not null
  `.execute(db)
  return rows
}

const firstIds = (top: string) => sql`
  array(select t ->> 'id' from jsonb_array_elements(p.facts -> ${top}) with ordinality as e(t, place)
        where place <= 6 order by place)`

/** The stored links of some pages of a kind, by page. */
export async function readLinks(
  db: Db,
  kind: LinkEnd['kind'],
  ids: readonly string[],
): Promise<Map<string, StoredLink[]>> {
  const { rows } = await sql<{
    fromId: string
    toKind: LinkEnd['kind']
    toId: string
    anchor: string
    leads: boolean
  }>`
    select k.from_id as "fromId", k.to_kind as "toKind", k.to_id as "toId", k.anchor,
           coalesce(p.id, l.id) is not null as leads
    from page_link k
    left join landing_page p on p.kind = k.to_kind and p.lookup_id = k.to_id
    left join listing l on k.to_kind = 'listing' and l.id = k.to_id and ${isForSale}
    where k.from_kind = ${kind} and k.from_id = any(${[...ids]}::uuid[])
    order by k.from_id, k.position
  `.execute(db)
  const links = Map.groupBy(rows, ({ fromId }) => fromId)
  return new Map(
    [...links].map(([id, its]) => [
      id,
      its.map(({ toKind, toId, anchor, leads }) => ({ to: { kind: toKind, id: toId }, anchor, leads })),
    ]),
  )
}

/** Replaces the links of pages. */
export async function writeLinks(trx: Db, changes: readonly LinkChange[]): Promise<void> {
  if (changes.length === 0) return
  await sql`
    delete from page_link k
    using unnest(${changes.map(({ from }) => from.kind)}::text[], ${changes.map(({ from }) => from.id)}::uuid[],
                 ${changes.map(({ after }) => after.length)}::int[]) as c(kind, id, count)
    where k.from_kind = c.kind and k.from_id = c.id and k.position >= c.count
  `.execute(trx)
  const links = changes.flatMap(({ from, after }) =>
    after.map(({ to, anchor }, position) => ({ from, to, anchor, position })),
  )
  await sql`
    insert into page_link as k (from_kind, from_id, position, to_kind, to_id, anchor)
    select * from unnest(
      ${links.map(({ from }) => from.kind)}::text[], ${links.map(({ from }) => from.id)}::uuid[],
      ${links.map(({ position }) => position)}::smallint[], ${links.map(({ to }) => to.kind)}::text[],
      ${links.map(({ to }) => to.id)}::uuid[], ${links.map(({ anchor }) => anchor)}::text[])
    on conflict (from_kind, from_id, position) do update
    set to_kind = excluded.to_kind, to_id = excluded.to_id, anchor = excluded.anchor
    where (k.to_kind, k.to_id, k.anchor) is distinct from (excluded.to_kind, excluded.to_id, excluded.anchor)
  `.execute(trx)
}

/** Deletes the links of deleted pages and listings. Starts at the deleted listings, which are few among a million. */
export async function deleteLinksOfGone(trx: Db): Promise<void> {
  await sql`
    delete from page_link k using listing l
    where l.deleted_at is not null and k.from_kind = 'listing' and k.from_id = l.id
  `.execute(trx)
  await sql`
    delete from page_link k
    where k.from_kind = any(array['category', 'manufacturer', 'model'])
      and not exists (select from landing_page p where p.kind = k.from_kind and p.lookup_id = k.from_id)
  `.execute(trx)
}
