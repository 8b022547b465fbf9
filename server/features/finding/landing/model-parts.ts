import { sql } from 'kysely'
import type { LandingKind } from '#contract/landing.ts'
import { isForSale, isPublic } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { NO_PARTS, type PageFacts, readPageFacts, type TopName } from './page-facts.ts'
import type { ShownPage } from './pages.ts'

/**
 * The page of a model's parts in one category. It has no row of its own; its address combines those of model and
 * category.
 */
export type ModelPartsPage = { readonly model: ShownPage; readonly category: ShownPage }

/** Finds the page by current or former slugs; undefined unless such a part was ever listed. */
export async function findModelParts(
  db: Db,
  slugs: { model: string; category: string },
  find: (db: Db, kind: LandingKind, slug: string) => Promise<ShownPage | undefined>,
): Promise<ModelPartsPage | undefined> {
  const model = await find(db, 'model', slugs.model)
  const category = model && (await find(db, 'category', slugs.category))
  if (!category || !(await wasListed(db, model.lookupId, category.lookupId))) return undefined
  return { model, category }
}

async function wasListed(db: Db, modelId: string, categoryId: string): Promise<boolean> {
  const { rows } = await sql`
    select from listing l
    where l.car_model_id = ${modelId} and l.category_id = ${categoryId} and ${isPublic} limit 1
  `.execute(db)
  return rows.length > 0
}

// The same number as on other pages.
const MAX_NAMED = 10

/** Reads its current facts, including the model's other categories and the make's other models with the category. */
export async function readModelPartsFacts(db: Db, { model, category }: ModelPartsPage): Promise<PageFacts> {
  const [own, ofModel, models] = await Promise.all([
    readOffer(db, model.lookupId, category.lookupId),
    readPageFacts(db, 'model', [model.lookupId]),
    listOtherModels(db, { model, category }),
  ])
  const { topCategories } = ofModel.get(model.lookupId) ?? NO_PARTS
  return {
    ...own,
    topCategories: topCategories.filter(({ id }) => id !== category.lookupId),
    topManufacturers: [],
    topModels: models,
  }
}

type Offer = Omit<PageFacts, 'topCategories' | 'topManufacturers' | 'topModels'>

async function readOffer(db: Db, modelId: string, categoryId: string): Promise<Offer> {
  const { rows } = await sql<Offer>`
    select count(*)::int as parts, min(price_cents) filter (where price_cents > 0) as "priceFromCents",
           case when max(price_cents) > 0 then max(price_cents) end as "priceToCents",
           min(year_from) as "yearFrom", max(year_to) as "yearTo"
    from listing l where l.car_model_id = ${modelId} and l.category_id = ${categoryId} and ${isForSale}
  `.execute(db)
  return rows[0] ?? NO_PARTS
}

async function listOtherModels(db: Db, { model, category }: ModelPartsPage): Promise<TopName[]> {
  const { rows } = await sql<TopName>`
    select m.id, f.name || ' ' || m.name as name, counted.count
    from (
      select l.car_model_id as id, count(*)::int as count from listing l
      where l.manufacturer_id = ${model.manufacturerId} and l.category_id = ${category.lookupId} and ${isForSale}
      group by 1
    ) counted
    join car_model m on m.id = counted.id and m.confirmed and m.merged_into is null
    join manufacturer f on f.id = m.manufacturer_id
    where m.id <> ${model.lookupId}
    order by counted.count desc, m.name_key, m.id limit ${MAX_NAMED}
  `.execute(db)
  return rows
}
