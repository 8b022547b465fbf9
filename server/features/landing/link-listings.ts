import type { Db } from '#server/platform/database/database.ts'
import type { LinkEnd } from './link-book.ts'
import { isChanged, type LinkChange, type StoredLink } from './link-change.ts'
import type { Linking } from './link-pages.ts'
import { readLinks, writeLinks } from './link-queries.ts'
import {
  type LinkedListing,
  listLinkedListings,
  listNamedListings,
  type NamedListing,
} from './linked-listing-queries.ts'
import type { ListingBatch } from './listing-batches.ts'

type ListingLinking = Linking & {
  /** The last statement of the transaction of a batch. */
  readonly saveCheckpoint: (changed: number, done: number, trx: Db) => Promise<void>
}

/** Of a batch: the listings that it has room for. */
export type Linked = { readonly done: number; readonly changes: readonly LinkChange[] }

const MOST_ALIKE = 4

/** Chooses where listings lead, batch by batch: to their pages, to what else their model has, to listings like them. */
export async function* linkListings(
  batches: Iterable<ListingBatch>,
  linking: ListingLinking,
): AsyncGenerator<Linked> {
  for (const batch of batches) {
    linking.signal.throwIfAborted()
    yield await linkBatch(batch, linking)
  }
}

async function linkBatch(batch: ListingBatch, linking: ListingLinking): Promise<Linked> {
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
  { db, book, words, force }: ListingLinking,
): Promise<LinkChange[]> {
  const named = await nameAlike(db, listings)
  const changes: LinkChange[] = []
  for (const listing of listings) {
    const from: LinkEnd = { kind: 'listing', id: listing.id }
    const before = stored.get(listing.id) ?? []
    const targets = [
      ...book.relatedToListing(listing).map((page) => ({ page })),
      ...[...new Set(listing.alike)]
        .slice(0, MOST_ALIKE)
        .flatMap((id) => named.get(id) ?? [])
        .map((other) => ({ listing: other })),
    ]
    const after = await words.link(from, targets, force ? [] : before)
    changes.push({ from, name: listing.name, before, after })
  }
  return changes
}

/** Neighbours are of the same batch, but for those at its ends. */
async function nameAlike(db: Db, listings: readonly LinkedListing[]): Promise<Map<string, NamedListing>> {
  const named = new Map<string, NamedListing>(listings.map((listing) => [listing.id, listing]))
  const others = new Set(listings.flatMap(({ alike }) => alike).filter((id) => !named.has(id)))
  for (const listing of await listNamedListings(db, [...others])) named.set(listing.id, listing)
  return named
}
