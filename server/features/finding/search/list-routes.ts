import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import {
  type ActivitySort,
  activitySorts,
  type ListingPage,
  type listingEndpoints,
  MAX_OWN_BULK,
  type ownSorts,
} from '#contract/listings.ts'
import type { ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { presentListing, type Viewer } from '#server/features/market/listings/present-listing.ts'
import { countOwnFigures } from '#server/features/market/listings/view-counter.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { openStreamSlots } from '#server/platform/http/limits/stream-slots.ts'
import { countGaps, readYardHasTerms } from './matches/gaps.ts'
import { everyList, liveList, sellerList } from './matches/ordered-lists.ts'
import { findByActivity } from './page/by-activity.ts'
import { openExport } from './page/export.ts'
import type { FoundListings, Lists, Page } from './page/lists.ts'
import { readAdminQuery, readQuery } from './query/read-query.ts'

/* Lists of full listings: all public ones, a seller's own, and all sellers' for administrators. */

type ListRouteDeps = { lists: Lists<ReadListing>; now: () => Date }
type Routes = Pick<
  Handlers<typeof listingEndpoints>,
  'listPublic' | 'countPublic' | 'listOwn' | 'countOwnGaps' | 'listOwnIds'
>

export function listRoutes({ lists, now }: ListRouteDeps): Routes {
  const findOwn = async ({
    db,
    actor,
    query,
  }: Pick<Parameters<Routes['listOwn']>[0], 'db' | 'actor' | 'query'>) => {
    const { state, sort } = query
    const seller = { id: actor.sellerId, state }
    const inOrder = isActivitySort(sort) ? 'newest' : sort
    const search = await readQuery(db, { ...query, sort: inOrder }, seller)
    return isActivitySort(sort)
      ? findByActivity(db, { seller, search, sort, page: query, now: now() })
      : lists.find(search, sellerList(seller.id, state, sort), query)
  }
  return {
    async listPublic({ params, query }) {
      const { items } = await lists.page(liveList('newest'), { page: params.page, perPage: query.perPage })
      return items.map((row) => presentListing(row, undefined))
    },
    countPublic: () => lists.countLive(),

    async listOwn({ db, actor, query }) {
      const found = await findOwn({ db, actor, query })
      const ids = found.items.map(({ id }) => id)
      return {
        ...presentPage(found, query, actor),
        figures: await countOwnFigures(db, ids, now()),
        yardHasTerms: await readYardHasTerms(db, actor.sellerId),
      }
    },

    async countOwnGaps({ db, actor, query }) {
      const seller = { id: actor.sellerId, state: query.state }
      const search = await readQuery(db, query, seller)
      return countGaps(db, sellerList(seller.id, seller.state), search)
    },

    async listOwnIds({ db, actor, query }) {
      const { items } = await findOwn({ db, actor, query: { ...query, page: 1, perPage: MAX_OWN_BULK } })
      return { ids: items.map(({ id }) => id) }
    },
  }
}

const EXPORTS = {
  all: 4,
  perCaller: 2,
  busy: 'Several lists are being downloaded right now. Please try again in a moment.',
}

export function adminListRoutes({
  lists,
  now,
}: ListRouteDeps): Pick<Handlers<typeof adminListingEndpoints>, 'listAll' | 'exportAll'> {
  const inPlace = openStreamSlots(EXPORTS)
  return {
    async listAll({ db, actor, query }) {
      const found = await lists.find(await readAdminQuery(db, query), everyList, query)
      return presentPage(found, query, actor)
    },

    async exportAll({ db, actor, query }) {
      const search = await readAdminQuery(db, query)
      const date = now().toISOString().slice(0, 10)
      return {
        stream: inPlace(actor.userId, () => openExport(db, search)),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="auto-parts-${date}.csv"`,
          'cache-control': 'no-store',
        },
      }
    },
  }
}

const isActivitySort = (sort: (typeof ownSorts)[number]): sort is ActivitySort =>
  activitySorts.some((one) => one === sort)

function presentPage(
  found: FoundListings<ReadListing>,
  { page, perPage }: Page,
  viewer: Viewer,
): ListingPage {
  return { ...found, items: found.items.map((row) => presentListing(row, viewer)), page, perPage }
}
