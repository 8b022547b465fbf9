import type { FlagsOf } from '#contract/admin/scripts.ts'
import { type LandingKind, landingKinds } from '#contract/landing.ts'
import type { Problem } from '#server/features/market/writing/fact-check.ts'
import { type AnchorFacts, anchorsOf } from '#server/features/market/writing/landing-text.ts'
import type { Writer } from '#server/features/market/writing/writer.ts'
import type { Db } from '#server/platform/database/database.ts'
import { recordRange } from '#server/platform/scripts/script-program.ts'
import {
  type AnchoredLink,
  anchorKey,
  type BookedPage,
  isChanged,
  keyOfEnd,
  type LinkBook,
  type LinkChange,
  type LinkEnd,
  readLinks,
  type StoredLink,
  writeLinks,
} from './link-book.ts'
import {
  countByModel,
  findListing,
  type LinkedListing,
  type ListingBatch,
  listingBatches,
  listLinkedListings,
  listNamedListings,
  listNewestOf,
  type NamedListing,
} from './linked-listings.ts'
import type { Subject } from './page-facts.ts'
import { findSubject, listSubjects } from './subjects.ts'

/** A page or a listing to link to. */
export type Target = { readonly page: BookedPage } | { readonly listing: NamedListing }

const endOf = (target: Target): LinkEnd =>
  'page' in target
    ? { kind: target.page.kind, id: target.page.id }
    : { kind: 'listing', id: target.listing.id }

const MAX_REMEMBERED = 50_000

/** Called with the name of a link's target and why its anchor text was rejected. */
type OnRefused = (name: string, problems: readonly Problem[]) => void

/** Writes the anchor texts of links, and caches those of the language model. */
export class LinkWords {
  readonly #writer: Writer
  readonly #onRefused: OnRefused
  readonly #known = new Map<string, string>()

  constructor(writer: Writer, onRefused: OnRefused) {
    this.#writer = writer
    this.#onRefused = onRefused
  }

  /**
   * Returns a page's links in order, each target once, at most `mostListings` to listings. Links in `kept` keep their
   * anchor text. Anchor texts are unique: a target without an unused text gets no link.
   */
  async link(
    from: LinkEnd,
    targets: readonly Target[],
    { kept, mostListings }: { kept: readonly StoredLink[]; mostListings: number },
  ): Promise<AnchoredLink[]> {
    const words = new Map(kept.map(({ to, anchor }) => [keyOfEnd(to), anchor]))
    const byEnd = new Map(targets.map((target) => [keyOfEnd(endOf(target)), target]))
    const used = new Set<string>()
    const links: AnchoredLink[] = []
    let listings = 0
    for (const [end, target] of byEnd) {
      const isListing = 'listing' in target
      if (isListing && listings === mostListings) continue
      const best = words.get(end) ?? (await this.#wordsFor(from, target))
      const anchor = [best, ...anchorsOf(factsOf(target))].find((text) => !used.has(anchorKey(text)))
      if (anchor === undefined) continue
      used.add(anchorKey(anchor))
      links.push({ to: endOf(target), anchor })
      if (isListing) listings += 1
    }
    return links
  }

  async #wordsFor(from: LinkEnd, target: Target): Promise<string> {
    const facts = factsOf(target)
    const [template = facts.name] = anchorsOf(facts)
    // Listings use the template: a language model for a million listings would cost more than it brings in.
    if (from.kind === 'listing') return template
    const key = keyOfEnd(endOf(target))
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const written = await this.#writer.writeAnchor(facts)
    if (!written.ok) this.#onRefused(facts.name, written.problems)
    const anchor = written.ok ? written.text : template
    if (this.#known.size >= MAX_REMEMBERED) this.#known.clear()
    this.#known.set(key, anchor)
    return anchor
  }
}

function factsOf(target: Target): AnchorFacts {
  if ('listing' in target) {
    const { name, manufacturer, model, yearFrom, yearTo, partNumber, city } = target.listing
    const years = yearFrom !== null && yearTo !== null && { yearFrom, yearTo }
    const number = partNumber && { partNumber }
    return { kind: 'listing', name, manufacturer, model, ...years, ...number, ...(city && { city }) }
  }
  const { kind, name, manufacturer } = target.page
  return { kind, name, ...(manufacturer !== null && { manufacturer }) }
}

export type LinkingOptions = {
  readonly db: Db
  readonly book: LinkBook
  readonly words: LinkWords
  readonly dryRun: boolean
  /** Also rewrite existing links, with new anchor texts. */
  readonly force: boolean
  readonly inOneTransaction: <T>(work: (trx: Db) => Promise<T>) => Promise<T>
  readonly signal: AbortSignal
}

type PageLinkingOptions = LinkingOptions & {
  /** Runs last in the transaction that writes the links of pages. */
  readonly saveCheckpoint: (pages: readonly BookedPage[], changed: number, trx: Db) => Promise<void>
}

export type LinkedPages = { readonly pages: readonly BookedPage[]; readonly changes: readonly LinkChange[] }

const PAGES_AT_ONCE = 50
const NEWEST = 3
// Spares, because listings with the same name as another are skipped.
const NEWEST_READ = 8

/** Links the pages of lookups to related pages and to their newest listings. */
export async function* linkPages(
  pages: readonly BookedPage[],
  linking: PageLinkingOptions,
): AsyncGenerator<LinkedPages> {
  for (const [kind, its] of Map.groupBy(pages, (page) => page.kind)) {
    for (let from = 0; from < its.length; from += PAGES_AT_ONCE) {
      linking.signal.throwIfAborted()
      yield await linkSome(kind, its.slice(from, from + PAGES_AT_ONCE), linking)
    }
  }
}

async function linkSome(
  kind: LandingKind,
  pages: readonly BookedPage[],
  linking: PageLinkingOptions,
): Promise<LinkedPages> {
  const { db, book, words, force, dryRun, inOneTransaction, saveCheckpoint } = linking
  const ids = pages.map(({ id }) => id)
  const newest = await listNewestOf(db, kind, { ids, most: NEWEST_READ })
  const stored = await readLinks(db, kind, ids)
  const changes: LinkChange[] = []
  for (const page of pages) {
    const from: LinkEnd = { kind, id: page.id }
    const before = stored.get(page.id) ?? []
    const targets = [
      ...book.relatedTo(page).map((related) => ({ page: related })),
      ...(newest.get(page.id) ?? []).map((listing) => ({ listing })),
    ]
    const after = await words.link(from, targets, { kept: force ? [] : before, mostListings: NEWEST })
    changes.push({ from, name: page.name, before, after })
  }
  const changed = changes.filter(isChanged)
  if (!dryRun) {
    await inOneTransaction(async (trx) => {
      await writeLinks(trx, changed)
      await saveCheckpoint(pages, changed.length, trx)
    })
  }
  return { pages, changes: changed }
}

type ListingLinkingOptions = LinkingOptions & {
  /** Runs last in a batch's transaction. */
  readonly saveCheckpoint: (changed: number, done: number, trx: Db) => Promise<void>
}

/** `done` is the number of listings in the batch. */
export type LinkedBatch = { readonly done: number; readonly changes: readonly LinkChange[] }

const SIMILAR_LINKS = 4

/** Links listings, batch by batch, to their pages, to other categories of their model and to similar listings. */
export async function* linkListings(
  batches: Iterable<ListingBatch>,
  linking: ListingLinkingOptions,
): AsyncGenerator<LinkedBatch> {
  for (const batch of batches) {
    linking.signal.throwIfAborted()
    yield await linkBatch(batch, linking)
  }
}

async function linkBatch(batch: ListingBatch, linking: ListingLinkingOptions): Promise<LinkedBatch> {
  const { db, force, dryRun, inOneTransaction, saveCheckpoint } = linking
  const listings = await listLinkedListings(db, batch)
  const stored = await readLinks(
    db,
    'listing',
    listings.map(({ id }) => id),
  )
  const open = force ? listings : listings.filter(({ id }) => !isWellLinked(stored.get(id)))
  const changed = (await changesOf(open, stored, linking)).filter(isChanged)
  if (!dryRun) {
    await inOneTransaction(async (trx) => {
      await writeLinks(trx, changed)
      await saveCheckpoint(changed.length, batch.limit, trx)
    })
  }
  return { done: batch.limit, changes: changed }
}

const isWellLinked = (links: readonly StoredLink[] | undefined) => links?.every(({ leads }) => leads) === true

async function changesOf(
  listings: readonly LinkedListing[],
  stored: ReadonlyMap<string, readonly StoredLink[]>,
  { db, book, words, force }: ListingLinkingOptions,
): Promise<LinkChange[]> {
  const named = await nameAlike(db, listings)
  const changes: LinkChange[] = []
  for (const listing of listings) {
    const from: LinkEnd = { kind: 'listing', id: listing.id }
    const before = stored.get(listing.id) ?? []
    const targets = [
      ...book.relatedToListing(listing).map((page) => ({ page })),
      ...[...new Set(listing.alike)]
        .flatMap((id) => named.get(id) ?? [])
        .map((other) => ({ listing: other })),
    ]
    const kept = force ? [] : before
    const after = await words.link(from, targets, { kept, mostListings: SIMILAR_LINKS })
    changes.push({ from, name: listing.name, before, after })
  }
  return changes
}

/** Neighbors are in the same batch, except at its edges. */
async function nameAlike(db: Db, listings: readonly LinkedListing[]): Promise<Map<string, NamedListing>> {
  const named = new Map<string, NamedListing>(listings.map((listing) => [listing.id, listing]))
  const others = new Set(listings.flatMap(({ alike }) => alike).filter((id) => !named.has(id)))
  for (const listing of await listNamedListings(db, [...others])) named.set(listing.id, listing)
  return named
}

/** What to link: pages first, then listings. */
export type ChosenForLinks = {
  readonly subjects: readonly Subject[]
  readonly listings: number
  /** Batches of the listings after the first `done`. */
  readonly batches: (done: number) => Iterable<ListingBatch>
}

type Flags = FlagsOf<'internal-linking'>

/** The pages and listings that the flags choose, or undefined if the target does not exist. */
export async function chooseLinked(db: Db, flags: Flags): Promise<ChosenForLinks | undefined> {
  const kinds = flags.type === undefined ? landingKinds : [flags.type]
  if (flags.target !== undefined) return chooseTarget(db, { ...flags, target: flags.target, kinds })
  const pages: Subject[] = []
  for (const kind of kinds) pages.push(...(await listSubjects(db, kind)))
  const models = flags.type === undefined ? await countByModel(db) : []
  const listings = models.reduce((sum, { count }) => sum + count, 0)
  const { from, to } = recordRange(flags, pages.length + listings)
  const range = { from: Math.max(from - pages.length, 0), to: Math.max(to - pages.length, 0) }
  return {
    subjects: pages.slice(from, to),
    listings: range.to - range.from,
    batches: (done) => listingBatches(models, { from: range.from + done, to: range.to }),
  }
}

async function chooseTarget(
  db: Db,
  {
    target,
    kinds,
    type,
  }: Pick<Flags, 'type'> & { target: string; kinds: typeof landingKinds | Subject['kind'][] },
): Promise<ChosenForLinks | undefined> {
  for (const kind of kinds) {
    const found = await findSubject(db, kind, target)
    if (found) return { subjects: [found], listings: 0, batches: () => [] }
  }
  const listing = type === undefined ? await findListing(db, target) : undefined
  if (!listing) return undefined
  const batch = { modelIds: [listing.modelId], offset: 0, limit: 1, only: listing.id }
  return { subjects: [], listings: 1, batches: (done) => (done === 0 ? [batch] : []) }
}
