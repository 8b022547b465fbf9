import { sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { ListingPlace } from './link-book.ts'
import { tableOf } from './page-facts.ts'

/** A batch of listings to link together: those of some models from `offset` on, by model, category and id. */
export type ListingBatch = {
  readonly modelIds: readonly (string | null)[]
  readonly offset: number
  readonly limit: number
  /** Link only this one. */
  readonly only?: string
}

type Counted = { readonly modelId: string | null; readonly count: number }

// About 5 MB with their links.
const LISTINGS_AT_ONCE = 1_000

/** Splits all listings into batches of several small models or part of a large one. */
export function* listingBatches(
  models: readonly Counted[],
  { from, to }: { from: number; to: number },
): Generator<ListingBatch> {
  let first = 0
  // Number of listings before the first unfinished model.
  let before = 0
  let at = from
  while (at < to) {
    let model = models[first]
    while (model && before + model.count <= at) {
      before += model.count
      first += 1
      model = models[first]
    }
    if (!model) return
    const end = Math.min(at + LISTINGS_AT_ONCE, to)
    const modelIds: (string | null)[] = []
    let reach = before
    for (let next = first; next < models.length && reach < end; next += 1) {
      const { modelId, count } = models[next] ?? model
      modelIds.push(modelId)
      reach += count
    }
    yield { modelIds, offset: at - before, limit: end - at }
    at = end
  }
}

export type NamedListing = ListingPlace & {
  readonly id: string
  readonly name: string
  readonly manufacturer: string
  readonly model: string
  readonly yearFrom: number | null
  readonly yearTo: number | null
  readonly partNumber: string | null
  readonly city: string
}

export type LinkedListing = NamedListing & {
  /** Similar live listings, nearest first. */
  readonly alike: readonly string[]
}

const columns = sql`
  id, name, category_id as "categoryId", manufacturer_id as "manufacturerId", car_model_id as "modelId",
  manufacturer_name as manufacturer, model_name as model, year_from as "yearFrom", year_to as "yearTo",
  part_number as "partNumber", city`

/** The number of live listings of each model, in linking order; listings without a model come last. */
export async function countByModel(db: Db): Promise<{ modelId: string | null; count: number }[]> {
  const { rows } = await sql<{ modelId: string | null; count: number }>`
    select car_model_id as "modelId", count(*)::int as count from listing l where ${isForSale}
    group by car_model_id order by car_model_id nulls last
  `.execute(db)
  return rows
}

/**
 * Lists a batch of live listings, each with its neighbors: two on either side within its model and category, and one on
 * either side within its whole model, shuffled. This way every listing receives the same number of links.
 */
export async function listLinkedListings(db: Db, batch: ListingBatch): Promise<LinkedListing[]> {
  const ids = batch.modelIds.filter((id) => id !== null)
  const without = batch.modelIds.includes(null) ? sql`or car_model_id is null` : sql``
  const { rows } = await sql<LinkedListing>`
    select * from (
      select ${columns}, array_remove(array[
          lead(id) over same, lag(id) over same, lead(id, 2) over same, lag(id, 2) over same,
          lead(id) over car, lag(id) over car], null) as alike
      from listing l where (car_model_id = any(${ids}::uuid[]) ${without}) and ${isForSale}
      window same as (partition by car_model_id, category_id, manufacturer_id order by id desc),
             car as (partition by car_model_id, manufacturer_id, case when car_model_id is null then category_id end
                     order by hashtext(id::text), id)
    ) as listed
    ${batch.only === undefined ? sql`` : sql`where id = ${batch.only}`}
    order by "modelId" nulls last, "categoryId", id desc
    offset ${batch.offset} limit ${batch.limit}
  `.execute(db)
  return rows
}

export async function listNamedListings(db: Db, ids: readonly string[]): Promise<NamedListing[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<NamedListing>`
    select ${columns} from listing where id = any(${[...ids]}::uuid[])
  `.execute(db)
  return rows
}

/** The newest live listings of each lookup. */
export async function listNewestOf(
  db: Db,
  kind: LandingKind,
  { ids, most }: { ids: readonly string[]; most: number },
): Promise<Map<string, NamedListing[]>> {
  const { rows } = await sql<NamedListing & { of: string }>`
    select t.of, l.* from unnest(${[...ids]}::uuid[]) as t(of)
    cross join lateral (
      select ${columns} from listing l where ${sql.ref(`${tableOf(kind)}_id`)} = t.of and ${isForSale}
      order by l.id desc limit ${most}
    ) as l
  `.execute(db)
  return Map.groupBy(rows, ({ of }) => of)
}

export async function findListing(
  db: Db,
  slug: string,
): Promise<{ modelId: string | null; id: string } | undefined> {
  const { rows } = await sql<{ modelId: string | null; id: string }>`
    select car_model_id as "modelId", id from listing l where slug = ${slug} and ${isForSale}
  `.execute(db)
  return rows[0]
}
