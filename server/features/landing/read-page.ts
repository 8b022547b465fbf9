import type { LandingKind, LandingPage } from '#contract/landing.ts'
import { slugOf } from '#server/features/addresses/addresses.ts'
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
import {
  fullName,
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
 * Reads the page with this current or former slug, with the counts and prices of this moment.
 * @throws AppError NOT_FOUND
 */
export type LandingReader = (db: Db, kind: LandingKind, slug: string) => Promise<LandingPage>

export function openLandingReader(): LandingReader {
  const readFacts = openLiveFacts()
  return async (db, kind, slug) => {
    const written = await findPage(db, kind, slug)
    const page = written ?? (await findUnwritten(db, kind, slug))
    const facts = page && (await readFacts(db, kind, page.lookupId))
    // A page that no script has written is worth its address only with parts on it.
    if (!page || !facts || (!written && facts.parts === 0)) {
      throw new AppError('NOT_FOUND', 'There is no such page. Search all parts instead.')
    }
    return presentPage(db, { kind, page, facts })
  }
}

/** The page of a name that no script has written yet, in the template's words, at the address it will have. */
async function findUnwritten(db: Db, kind: LandingKind, slug: string): Promise<ShownPage | undefined> {
  const subject = await findSubjectOfSlug(db, kind, slug)
  if (!subject) return undefined
  const { id, name, manufacturer, manufacturerId } = subject
  const its = (await findSlugs(db, kind, [id])).get(id)
  return {
    lookupId: id,
    slug: its ?? slugOf({ kind, id, fullName: fullName(subject) }),
    name,
    manufacturerId,
    manufacturer,
    text: emptyLandingOf(writableFacts(subject, NO_PARTS)),
    writer: builtInWriter.name,
    updatedAt: new Date(),
  }
}

type PageNow = { readonly kind: LandingKind; readonly page: ShownPage; readonly facts: PageFacts }

async function presentPage(db: Db, { kind, page, facts }: PageNow): Promise<LandingPage> {
  const { lookupId, slug, name, manufacturerId, manufacturer } = page
  const [topCategories, topManufacturers, topModels, makes, related] = await Promise.all([
    withSlugs(db, 'category', facts.topCategories),
    withSlugs(db, 'manufacturer', facts.topManufacturers),
    withSlugs(db, 'model', facts.topModels, kind === 'manufacturer' ? `${name} ` : ''),
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
        ? {
            id: manufacturerId,
            name: manufacturer,
            slug:
              makes.get(manufacturerId) ??
              slugOf({ kind: 'manufacturer', id: manufacturerId, fullName: manufacturer }),
          }
        : null,
    ...textOf({ kind, id: lookupId, name, manufacturerId, manufacturer, group: null }, page, facts),
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

/** `before` is what the names leave out of their full names: a make's own page names its models without it. */
async function withSlugs(db: Db, kind: LandingKind, names: readonly TopName[], before = '') {
  const slugs = await findSlugs(
    db,
    kind,
    names.map(({ id }) => id),
  )
  return names.map(({ id, name, count }) => ({
    name,
    count,
    slug: slugs.get(id) ?? slugOf({ kind, id, fullName: before + name }),
  }))
}

const dollars = (cents: number | null) => (cents === null ? null : cents / 100)
