import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { landingPath } from '#contract/pages/landing-addresses.ts'
import { sitePaths } from '#contract/pages/site-paths.ts'
import {
  emptyLandingOf,
  type LandingText,
  landingHeading,
  landingOf,
  withOffer,
} from '#server/features/market/writing/landing-text.ts'
import { builtInWriter } from '#server/features/market/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { listLinks, withoutDuplicates } from './link-book.ts'
import { findModelParts, readModelPartsFacts } from './model-parts.ts'
import {
  type LiveFacts,
  NO_PARTS,
  openLiveFacts,
  type PageFacts,
  type Subject,
  type TopName,
  writableFacts,
} from './page-facts.ts'
import { findPage, findSlugs, type ShownPage } from './pages.ts'
import { findSubjectOfSlug } from './subjects.ts'

/**
 * Reads the page with this current or former slug, with live counts and prices.
 * @throws AppError NOT_FOUND
 */
export type LandingReader = (db: Db, kind: LandingKind, slug: string) => Promise<LandingPage>

export function openLandingReader(): LandingReader {
  const readFacts = openLiveFacts()
  return async (db, kind, slug) => {
    const found = await findAddressed(db, kind, slug)
    const facts = found && (await factsOf(db, found, readFacts))
    // A page without a stored row exists only while it has parts.
    if (!facts || (found.page.isUnwritten && !found.category && facts.parts === 0)) {
      throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
    }
    return presentPage(db, found, facts)
  }
}

type Shown = ShownPage & { readonly isUnwritten?: true }

/**
 * Finds the page at a current or former slug. A name without a stored page gets the template's text at its future
 * address.
 */
async function findShown(db: Db, kind: LandingKind, slug: string): Promise<Shown | undefined> {
  const written = await findPage(db, kind, slug)
  if (written) return written
  const subject = await findSubjectOfSlug(db, kind, slug)
  if (!subject) return undefined
  const { id, name, manufacturer, manufacturerId } = subject
  const its = await findSlugs(db, kind, [id])
  return {
    lookupId: id,
    slug: its.get(id) ?? slug,
    name,
    manufacturerId,
    manufacturer,
    text: emptyLandingOf(writableFacts(subject, NO_PARTS)),
    writer: builtInWriter.name,
    updatedAt: new Date(),
    isUnwritten: true,
  }
}

const factsOf = (db: Db, { kind, page, category }: Addressed, readFacts: LiveFacts): Promise<PageFacts> =>
  category ? readModelPartsFacts(db, { model: page, category }) : readFacts(db, kind, page.lookupId)

/** A page, optionally only a model's parts in one category. */
type Addressed = {
  readonly kind: LandingKind
  /** The current slug. */
  readonly slug: string
  readonly page: Shown
  readonly category: Shown | null
}

// Every slug has this format; anything else is rejected without a query.
const SLUG = /^[a-z0-9-]{1,200}(\/[a-z0-9-]{1,200}){0,2}$/

/** Finds the page at a current or former slug; "toyota/camry/alternator" is a model's page with a category. */
async function findAddressed(db: Db, kind: LandingKind, slug: string): Promise<Addressed | undefined> {
  if (!SLUG.test(slug)) return undefined
  const [make, model, category] = kind === 'model' ? slug.split('/') : []
  if (category !== undefined) {
    const found = await findModelParts(db, { model: `${make}/${model}`, category }, findShown)
    if (!found) return undefined
    return {
      kind,
      slug: withCategory(found.model.slug, found.category),
      page: found.model,
      category: found.category,
    }
  }
  const page = await findShown(db, kind, slug)
  return page && { kind, slug: page.slug, page, category: null }
}

const withCategory = (modelSlug: string, category: { slug: string }): string =>
  `${modelSlug}/${category.slug}`

async function presentPage(db: Db, addressed: Addressed, facts: PageFacts): Promise<LandingPage> {
  const { kind, slug, page, category } = addressed
  const { lookupId, name, manufacturerId, manufacturer } = page
  // Links are narrowed by the page's model or category.
  const part = category ?? (kind === 'category' ? page : null)
  const [topCategories, topManufacturers, topModels, makes, related] = await Promise.all([
    withSlugs(db, 'category', facts.topCategories, (own) => (kind === 'model' ? `${page.slug}/${own}` : own)),
    withSlugs(db, 'manufacturer', facts.topManufacturers),
    withSlugs(db, 'model', facts.topModels, (own) => (part ? withCategory(own, part) : own)),
    findSlugs(db, 'manufacturer', manufacturerId === null ? [] : [manufacturerId]),
    category ? [] : listLinks(db, { kind, id: lookupId }),
  ])
  const make =
    manufacturerId !== null && manufacturer !== null
      ? { id: manufacturerId, name: manufacturer, slug: makes.get(manufacturerId) ?? null }
      : null
  const subject = {
    kind,
    id: lookupId,
    name,
    manufacturerId,
    manufacturer,
    group: null,
    ...(category && { category: category.name }),
  }
  const breadcrumbs = breadcrumbsOf(addressed, make)
  return {
    kind,
    slug,
    name,
    heading: landingHeading(writableFacts(subject, facts)),
    breadcrumbs,
    lookupId,
    category: category && { id: category.lookupId, name: category.name },
    manufacturer: make,
    ...textOf(subject, category ? undefined : page, facts),
    parts: facts.parts,
    priceFrom: dollars(facts.priceFromCents),
    priceTo: dollars(facts.priceToCents),
    topCategories,
    topManufacturers,
    topModels,
    related: withoutDuplicates(
      related,
      [...breadcrumbs, ...facts.topCategories, ...facts.topManufacturers, ...facts.topModels].map(
        ({ name }) => name,
      ),
    ),
    updatedAt: page.updatedAt.toISOString(),
  }
}

function breadcrumbsOf(
  { kind, page, category }: Addressed,
  make: { name: string; slug: string | null } | null,
): LandingPage['breadcrumbs'] {
  const all = { name: 'Auto parts', path: sitePaths.parts }
  const ofMake = make?.slug
    ? [{ name: `${make.name} parts`, path: landingPath('manufacturer', make.slug) }]
    : []
  const ofModel = category
    ? [{ name: `${make ? `${make.name} ` : ''}${page.name} parts`, path: landingPath(kind, page.slug) }]
    : []
  return [all, ...ofMake, ...ofModel]
}

/**
 * Returns the text with live counts and prices. Stored text is used only if a language model wrote it; otherwise the
 * template writes it now.
 */
function textOf(subject: Subject, page: ShownPage | undefined, facts: PageFacts): LandingText {
  const writable = writableFacts(subject, facts)
  if (facts.parts === 0) return emptyLandingOf(writable)
  const isTemplate = page === undefined || page.writer === builtInWriter.name
  return withOffer(isTemplate ? landingOf(writable) : page.text, facts)
}

async function withSlugs(
  db: Db,
  kind: LandingKind,
  names: readonly TopName[],
  narrowed: (slug: string) => string = (slug) => slug,
) {
  const slugs = await findSlugs(
    db,
    kind,
    names.map(({ id }) => id),
  )
  return names.map(({ id, name, count }) => {
    const slug = slugs.get(id)
    return { name, count, slug: slug === undefined ? null : narrowed(slug) }
  })
}

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
