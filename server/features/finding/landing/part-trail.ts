import { sql } from 'kysely'
import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import { sitePaths } from '#contract/pages/site-paths.ts'
import type { ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { readNameSlugs } from '#server/features/market/lookups/name-slugs.ts'
import type { Db } from '#server/platform/database/database.ts'
import { findSlugs } from './pages.ts'
import { isConfirmed, withManufacturer } from './subjects.ts'

type PlacedPart = Pick<
  ReadListing,
  | 'manufacturerId'
  | 'manufacturerName'
  | 'carModelId'
  | 'modelName'
  | 'categoryId'
  | 'categoryName'
  | 'endedAt'
>

/**
 * Returns the breadcrumb pages above a part: its make, its model, and the model's parts in its category. Where no page
 * exists, links to the filtered list.
 */
export async function findPartTrail(db: Db, part: PlacedPart): Promise<LandingPage['breadcrumbs']> {
  const [slugs, names] = await Promise.all([slugsOf(db, part), readNameSlugs(db)])
  const [make, model, category] = [slugs.get('manufacturer'), slugs.get('model'), slugs.get('category')]
  const { manufacturerId, carModelId, categoryId } = part
  const filters: Record<string, string> = {}
  const crumbs = [{ name: 'Auto parts', path: sitePaths.parts as string }]
  const add = (name: string, filter: Record<string, string>, page: string | undefined) => {
    Object.assign(filters, filter)
    crumbs.push({ name, path: page ?? `${sitePaths.parts}?${new URLSearchParams(filters)}` })
  }
  if (manufacturerId) {
    add(
      part.manufacturerName,
      { make: names.byId(manufacturerId)?.slug ?? '' },
      make && landingPath('manufacturer', make),
    )
  }
  if (carModelId)
    add(part.modelName, { model: names.byId(carModelId)?.slug ?? '' }, model && landingPath('model', model))
  if (categoryId && part.categoryName) {
    const page = carModelId
      ? model && category && landingPath('model', `${model}/${category}`)
      : category && landingPath('category', category)
    add(part.categoryName, { category: names.byId(categoryId)?.slug ?? '' }, page)
  }
  return crumbs
}

/**
 * Returns the slugs of the part's names that have a page: confirmed names with a stored page or with a part for sale,
 * such as this one.
 */
async function slugsOf(db: Db, part: PlacedPart): Promise<Map<LandingKind, string>> {
  const hasPage = (kind: LandingKind) =>
    part.endedAt === null
      ? sql`true`
      : sql`exists (select from landing_page p where p.kind = ${kind} and p.lookup_id = t.id)`
  const { rows } = await sql<{ kind: LandingKind; id: string }>`/* prepared */
    select 'manufacturer' as kind, t.id from manufacturer t
    where t.id = ${part.manufacturerId} and ${isConfirmed} and ${hasPage('manufacturer')}
    union all
    select 'model', t.id from car_model t ${withManufacturer('model')}
    where t.id = ${part.carModelId} and ${isConfirmed} and ${hasPage('model')}
    union all
    select 'category', t.id from category t
    where t.id = ${part.categoryId} and ${isConfirmed} and ${hasPage('category')}
  `.execute(db)
  const found = await Promise.all(
    rows.map(async ({ kind, id }) => [kind, (await findSlugs(db, kind, [id])).get(id) ?? ''] as const),
  )
  return new Map(found.filter(([, slug]) => slug !== ''))
}
