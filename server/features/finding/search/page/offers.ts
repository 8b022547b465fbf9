import type { PartsPage } from '#contract/search/parts-search.ts'
import { liveList } from '#server/features/finding/search/matches/ordered-lists.ts'
import { searchOf } from '#server/features/finding/search/query/conditions.ts'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { hasNoConditions } from '#server/features/finding/search/query/search.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import type { FilterChip } from './chips.ts'
import type { Lists } from './lists.ts'

type Offers = NonNullable<PartsPage['offers']>
type OfferDeps = { reads: Reads; readQuery: ReadPartsQuery; cards: Pick<Lists<unknown>, 'find'> }

/**
 * For a search without results: each filter whose removal alone would find parts, and how many. Most parts
 * first. One after the other, since each takes the database a few milliseconds and few pages are empty.
 */
export async function findOffers(
  { reads, readQuery, cards }: OfferDeps,
  filters: readonly FilterChip[],
): Promise<Offers> {
  const offers: Offers = []
  for (const { chip, query } of filters) {
    const { asked } = await reads((from) => readQuery(from, query))
    if (asked === 'nothing') continue
    const search = searchOf(asked)
    const { total, totalIsAtLeast } = await cards.find(
      hasNoConditions(search) ? 'everything' : search,
      liveList('newest'),
      { page: 1, perPage: 1 },
    )
    const { label, without } = chip
    if (total > 0) offers.push({ label, without, total, ...(totalIsAtLeast && { totalIsAtLeast }) })
  }
  return offers.sort((a, b) => b.total - a.total)
}
