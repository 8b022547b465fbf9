import { landingKinds } from '#contract/landing.ts'
import type { FlagsOf } from '#contract/scripts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { recordRange } from '#server/platform/scripts/script-program.ts'
import { countByModel, findListing } from './linked-listing-queries.ts'
import { type ListingBatch, listingBatches } from './listing-batches.ts'
import type { Subject } from './page-facts.ts'
import { findSubject, listSubjects } from './subject-queries.ts'

/** Whose links are chosen: pages first, then listings. */
export type ChosenForLinks = {
  readonly subjects: readonly Subject[]
  readonly listings: number
  /** Batches of the listings after those that are done. */
  readonly batches: (done: number) => Iterable<ListingBatch>
}

type Flags = FlagsOf<'internal-linking'>

/** Reads the flags that say which pages and listings; undefined where the target is nothing there is. */
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
