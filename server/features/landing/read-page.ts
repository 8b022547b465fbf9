import type { LandingKind, LandingPage } from '#contract/landing.ts'
import {
  emptyLandingOf,
  type LandingText,
  landingOf,
  withOffer,
} from '#server/features/writing/landing-text.ts'
import { builtInWriter } from '#server/features/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { listLinks, withoutTwins } from './link-book.ts'
import { openLiveFacts, type PageFacts, type Subject, type TopName, writableFacts } from './page-facts.ts'
import { findPage, findSlugs, type ShownPage } from './pages.ts'

/**
 * Reads the page with this current or former slug, with the counts and prices of this moment.
 * @throws AppError NOT_FOUND
 */
export type LandingReader = (db: Db, kind: LandingKind, slug: string) => Promise<LandingPage>

export function openLandingReader(): LandingReader {
  const readFacts = openLiveFacts()
  return async (db, kind, slug) => {
    const page = await findPage(db, kind, slug)
    if (!page) throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
    return presentPage(db, { kind, page, facts: await readFacts(db, kind, page.lookupId) })
  }
}

type PageNow = { readonly kind: LandingKind; readonly page: ShownPage; readonly facts: PageFacts }

async function presentPage(db: Db, { kind, page, facts }: PageNow): Promise<LandingPage> {
  const { lookupId, slug, name, manufacturerId, manufacturer } = page
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
    ...textOf({ kind, id: lookupId, name, manufacturer, group: null }, page, facts),
    parts: facts.parts,
    priceFrom: dollars(facts.priceFromCents),
    priceTo: dollars(facts.priceToCents),
    topCategories,
    topManufacturers,
    topModels,
    related: withoutTwins(
      related,
      [...facts.topCategories, ...facts.topManufacturers, ...facts.topModels].map((top) => top.name),
    ),
    updatedAt: page.updatedAt.toISOString(),
  }
}

/** With the counts and prices of this moment. Only a language model's words are kept; the template writes them again. */
function textOf(subject: Subject, { text, writer }: ShownPage, facts: PageFacts): LandingText {
  if (facts.parts === 0) return emptyLandingOf(writableFacts(subject, facts))
  return withOffer(writer === builtInWriter.name ? landingOf(writableFacts(subject, facts)) : text, facts)
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
