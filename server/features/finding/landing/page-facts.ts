import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { LandingFacts } from '#server/features/market/writing/landing-text.ts'
import type { Db } from '#server/platform/database/database.ts'

/** What a page is about: a confirmed category, manufacturer or model. */
export type Subject = {
  readonly kind: LandingKind
  readonly id: string
  readonly name: string
  /** Only for a model. */
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  /** Only for a category: its group, such as "Lighting". */
  readonly group: string | null
  /** Only for a model: restricts the page to its parts in this category. */
  readonly category?: string
}

/** A model's name includes its manufacturer, except on the manufacturer's own page: "Toyota Camry". */
export type TopName = { readonly id: string; readonly name: string; readonly count: number }

/** The facts behind a page's texts, stored with them. */
export type PageFacts = {
  readonly parts: number
  readonly priceFromCents: number | null
  readonly priceToCents: number | null
  readonly yearFrom: number | null
  readonly yearTo: number | null
  readonly topCategories: readonly TopName[]
  readonly topManufacturers: readonly TopName[]
  readonly topModels: readonly TopName[]
}

export const NO_PARTS: PageFacts = {
  parts: 0,
  priceFromCents: null,
  priceToCents: null,
  yearFrom: null,
  yearTo: null,
  topCategories: [],
  topManufacturers: [],
  topModels: [],
}

/** "Toyota Camry" for a model, otherwise just the name. */
export const fullName = ({ name, manufacturer }: Pick<Subject, 'name' | 'manufacturer'>): string =>
  manufacturer === null ? name : `${manufacturer} ${name}`

/** Hashes everything the texts depend on, which excludes counts and prices: same hash, same texts. */
export function factsHash(subject: Subject, facts: PageFacts): Buffer {
  const { name, manufacturer, group } = subject
  const { parts, yearFrom, yearTo } = facts
  const tops = [facts.topCategories, facts.topManufacturers, facts.topModels].map((top) =>
    top.map(({ id, name }) => [id, name]),
  )
  const all = [name, manufacturer, group, parts > 0, yearFrom, yearTo, tops]
  return createHash('sha256').update(JSON.stringify(all)).digest()
}

export function writableFacts(
  { kind, name, manufacturer, group, category }: Subject,
  facts: PageFacts,
): LandingFacts {
  const names = (top: readonly TopName[]) => top.map((each) => each.name)
  return {
    kind,
    name,
    ...(manufacturer !== null && { manufacturer }),
    ...(group !== null && { group }),
    ...(category !== undefined && { category }),
    ...(facts.yearFrom !== null && { yearFrom: facts.yearFrom }),
    ...(facts.yearTo !== null && { yearTo: facts.yearTo }),
    topCategories: names(facts.topCategories),
    topManufacturers: names(facts.topManufacturers),
    topModels: names(facts.topModels),
  }
}

export const tableOf = (kind: LandingKind): 'category' | 'manufacturer' | 'car_model' =>
  kind === 'model' ? 'car_model' : kind

const MAX_NAMED = 10

/** The lookups that a page's listings are grouped by. */
const tops = {
  category: ['manufacturer', 'model'],
  manufacturer: ['category', 'model'],
  model: ['category'],
} as const satisfies Record<LandingKind, readonly LandingKind[]>

type Row = {
  subject: string
  top: LandingKind | 'all'
  id: string | null
  name: string | null
  count: number
  priceFrom: number | null
  priceTo: number | null
  yearFrom: number | null
  yearTo: number | null
}

const columnOf = (kind: LandingKind) => sql.ref(`${tableOf(kind)}_id`)
const isTotal = (kind: LandingKind) => sql.ref(`${kind}_is_total`)

/** Reads the facts of some lookups in one pass over their live listings; omits lookups without any. */
export async function readPageFacts(
  db: Db,
  kind: LandingKind,
  ids: readonly string[],
): Promise<Map<string, PageFacts>> {
  const columns = sql.join(tops[kind].map(columnOf))
  const sets = sql.join(tops[kind].map((top) => sql`(subject, ${columnOf(top)})`))
  const totals = sql.join(tops[kind].map((top) => sql`grouping(${columnOf(top)}) = 1 as ${isTotal(top)}`))
  const { rows } = await sql<Row>`
    with counted as materialized (
      select subject, ${columns}, ${totals}, count(*)::int as count,
             min(price_cents) filter (where price_cents > 0) as price_from, max(price_cents) as price_to,
             min(year_from) as year_from, max(year_to) as year_to
      from (select ${columnOf(kind)} as subject, ${columns}, price_cents, year_from, year_to from listing l
            where ${columnOf(kind)} = any(${[...ids]}::uuid[]) and ${isForSale}) as live
      group by grouping sets ((subject), ${sets})
    )
    select subject, 'all' as top, null::uuid as id, null as name, count, price_from as "priceFrom",
           price_to as "priceTo", year_from as "yearFrom", year_to as "yearTo"
    from counted where ${sql.join(tops[kind].map(isTotal), sql` and `)}
    ${sql.join(
      tops[kind].map((top) => mostOf(kind, top)),
      sql` `,
    )}
  `.execute(db)
  return toFacts(rows)
}

export type LiveFacts = (db: Db, kind: LandingKind, id: string) => Promise<PageFacts>

// Reading this many listings takes about 50 ms on an idle machine, and such a page does not change visibly within a
// minute.
const LARGE_PARTS = 5_000
const KEPT_MS = 60_000
// About 2 kB each.
const MOST_KEPT = 500

/** Reads the current facts of a page; those of a large page may be up to a minute old. */
export function openLiveFacts(): LiveFacts {
  const kept = new Map<string, { readonly facts: PageFacts; readonly until: number }>()
  return async (db, kind, id) => {
    const known = kept.get(id)
    if (known && known.until > performance.now()) return known.facts
    const facts = (await readPageFacts(db, kind, [id])).get(id) ?? NO_PARTS
    if (kept.size >= MOST_KEPT) kept.clear()
    if (facts.parts >= LARGE_PARTS) kept.set(id, { facts, until: performance.now() + KEPT_MS })
    return facts
  }
}

/** The lookups of one kind with the most parts on a page. */
function mostOf(kind: LandingKind, top: LandingKind): RawBuilder<unknown> {
  const name = top === 'model' && kind === 'category' ? sql`f.name || ' ' || t.name` : sql`t.name`
  const manufacturer =
    top === 'model'
      ? sql`join manufacturer f on f.id = t.manufacturer_id and f.confirmed and f.merged_into is null`
      : sql``
  return sql`
    union all
    select subject, ${top}, id, name, count, null, null, null, null from (
      select subject, t.id, ${name} as name, count,
             row_number() over (partition by subject order by count desc, t.name_key, t.id) as place
      from counted join ${sql.table(tableOf(top))} t
        on t.id = ${sql.ref(`counted.${tableOf(top)}_id`)} and t.confirmed and t.merged_into is null
      ${manufacturer}
      where not ${isTotal(top)}
    ) as ranked where place <= ${MAX_NAMED}`
}

function toFacts(rows: readonly Row[]): Map<string, PageFacts> {
  return new Map(
    [...Map.groupBy(rows, ({ subject }) => subject)].map(([subject, its]) => {
      const all = its.find(({ top }) => top === 'all')
      const facts: PageFacts = {
        parts: all?.count ?? 0,
        priceFromCents: all?.priceFrom ?? null,
        priceToCents: all?.priceFrom == null ? null : all.priceTo,
        yearFrom: all?.yearFrom ?? null,
        yearTo: all?.yearTo ?? null,
        topCategories: namesOf(its, 'category'),
        topManufacturers: namesOf(its, 'manufacturer'),
        topModels: namesOf(its, 'model'),
      }
      return [subject, facts]
    }),
  )
}

const namesOf = (rows: readonly Row[], kind: LandingKind): TopName[] =>
  rows
    .filter(({ top }) => top === kind)
    .flatMap(({ id, name, count }) => (id !== null && name !== null ? [{ id, name, count }] : []))
    .sort((a, b) => b.count - a.count || compare(a.name, b.name) || compare(a.id, b.id))

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b))
