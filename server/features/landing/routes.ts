import type { LandingKind, LandingPage, landingEndpoints } from '#contract/landing.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { findLinkedListing, listLinks } from './link-queries.ts'
import type { TopName } from './page-facts.ts'
import { findPage, findSlugs, listPages, type ShownPage } from './page-queries.ts'

export function landingRoutes(): Handlers<typeof landingEndpoints> {
  return {
    async readLandingPage({ db, params: { kind, slug } }) {
      const page = await findPage(db, kind, slug)
      if (!page) throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
      return presentPage(db, kind, page)
    },
    listLandingPages: ({ db, params: { kind } }) => listPages(db, kind),
    async readRelated({ db, params: { slug } }) {
      const listing = await findLinkedListing(db, slug)
      if (!listing) throw new AppError('NOT_FOUND', 'There is no such part. Search all parts instead.')
      return listLinks(db, { kind: 'listing', id: listing.id })
    },
  }
}

async function presentPage(db: Db, kind: LandingKind, page: ShownPage): Promise<LandingPage> {
  const { lookupId, slug, name, manufacturerId, manufacturer, text, facts } = page
  const [topCategories, topManufacturers, topModels, makes, related] = await Promise.all([
    withSlugs(db, 'category', facts.topCategories),
    withSlugs(db, 'manufacturer', facts.topManufacturers),
    withSlugs(db, 'model', facts.topModels),
    findSlugs(db, 'manufacturer', manufacturerId === null ? [] : [manufacturerId]),
    listLinks(db, { kind, id: lookupId }),
  ])
  return {
    kind,
    slug,
    name,
    lookupId,
    manufacturer:
      manufacturerId !== null && manufacturer !== null
        ? { id: manufacturerId, name: manufacturer, slug: makes.get(manufacturerId) ?? null }
        : null,
    ...text,
    parts: facts.parts,
    priceFrom: dollars(facts.priceFromCents),
    priceTo: dollars(facts.priceToCents),
    topCategories,
    topManufacturers,
    topModels,
    related,
    updatedAt: page.updatedAt.toISOString(),
  }
}

async function withSlugs(db: Db, kind: LandingKind, names: readonly TopName[]) {
  const slugs = await findSlugs(
    db,
    kind,
    names.map(({ id }) => id),
  )
  return names.map(({ id, name, count }) => ({ name, count, slug: slugs.get(id) ?? null }))
}

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
