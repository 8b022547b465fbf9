import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ListingKind } from '#contract/listing/listing-fields.ts'
import {
  type ActivitySort,
  activitySorts,
  type Listing,
  type ListingPage,
  type listingEndpoints,
  OWN_BULK_MOST,
  type ownSorts,
} from '#contract/listings.ts'
import { openPicture } from '#server/features/pictures/open-picture.ts'
import { findByActivity } from '#server/features/search/lists/by-activity.ts'
import { openExport } from '#server/features/search/lists/export.ts'
import { everyList, liveList, sellerList } from '#server/features/search/lists/list-queries.ts'
import type { FoundListings, Lists, Page } from '#server/features/search/lists/lists.ts'
import { readYardHasTerms } from '#server/features/search/matches/gaps.ts'
import { countGaps } from '#server/features/search/matches/match-queries.ts'
import { readAdminSearch, readSearch } from '#server/features/search/query/read-query.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'
import { openStreamPlaces } from '#server/platform/http/limits/stream-places.ts'
import type { Log } from '#server/platform/log.ts'
import { deleteListing, endListing, restoreListing } from './end-listing.ts'
import { findListing, findListingBySlug, type ReadListing } from './listing-queries.ts'
import { canSeeListing, listingDeleted, listingNotFound, ownsListing } from './policy.ts'
import { presentListing, type Viewer } from './present-listing.ts'
import { readListingText, requireStatus, requireVersion, type SentListing } from './sent-listing.ts'
import { countOwnFigures, type ViewCounter } from './view-counter.ts'
import { createListing, editListing, type ListingEdit, prepareListing } from './write-listing.ts'

export type ListingRouteDeps = {
  files: FileStore
  views: ViewCounter
  lists: Lists<ReadListing>
  log: Log
  now: () => Date
}
type Routes = Handlers<typeof listingEndpoints>

export function listingRoutes(deps: ListingRouteDeps): Routes {
  return { ...publicRoutes(deps), ...creatingRoutes(deps), ...ownRoutes(deps) }
}

type PublicRoutes = Pick<Routes, 'listPublic' | 'countPublic' | 'readPublic' | 'countView' | 'readImage'>

function publicRoutes({ files, views, lists, log }: ListingRouteDeps): PublicRoutes {
  return {
    async listPublic({ params, query }) {
      const { items } = await lists.page(liveList('newest'), { page: params.page, perPage: query.perPage })
      return items.map((row) => presentListing(row, undefined))
    },
    countPublic: () => lists.countLive(),

    async readPublic({ db, params, actor }) {
      const listing = await findListingBySlug(db, params.slug)
      if (!listing || !canSeeListing(actor, listing)) throw listingNotFound()
      return presentListing(listing, actor)
    },

    async countView({ db, params, ip, headers }) {
      const listing = await findListingBySlug(db, params.slug)
      if (listing?.status !== 'ACTIVE') throw listingNotFound()
      views.count(listing.id, { ip, userAgent: [headers['user-agent']].flat()[0] })
      return { ok: true }
    },

    readImage: ({ db, params, query, headers }) =>
      openPicture(db, files, {
        id: params.id,
        width: Number(query.width) || undefined,
        v: query.v,
        headers,
        log,
      }),
  }
}

function creatingRoutes(deps: ListingRouteDeps): Pick<Routes, 'createPart' | 'createQuickListing'> {
  type Creating =
    | HandlerRequest<typeof listingEndpoints.createPart>
    | HandlerRequest<typeof listingEndpoints.createQuickListing>
  const create = async (kind: ListingKind, request: Creating) => {
    const { actor } = request
    const text = readListingText(await request.body())
    const picture = kind === 'ecommerce' ? (await request.file())?.bytes : undefined
    const prepared = await prepareListing(request.db, { kind, sellerId: actor.sellerId, text, picture }, deps)
    return async (db: Db) => presentListing(await createListing(db, prepared, request), actor)
  }
  return {
    createPart: (request) => create('ecommerce', request),
    createQuickListing: (request) => create('quick', request),
  }
}

type OwnRoutes = Pick<
  Routes,
  'listOwn' | 'countOwnGaps' | 'listOwnIds' | 'readOwn' | 'updateOwn' | 'deleteOwn' | 'endOwn' | 'restoreOwn'
>

function ownRoutes(deps: ListingRouteDeps): OwnRoutes {
  const findOwn = async ({
    db,
    actor,
    query,
  }: Pick<Parameters<Routes['listOwn']>[0], 'db' | 'actor' | 'query'>) => {
    const { state, sort } = query
    const seller = { id: actor.sellerId, state }
    const inOrder = isActivitySort(sort) ? 'newest' : sort
    const search = await readSearch(db, { ...query, sort: inOrder }, seller)
    return isActivitySort(sort)
      ? findByActivity(db, { seller, search, sort, page: query, now: deps.now() })
      : deps.lists.find(search, sellerList(seller.id, state, sort), query)
  }
  return {
    async listOwn({ db, actor, query }) {
      const found = await findOwn({ db, actor, query })
      const ids = found.items.map(({ id }) => id)
      return {
        ...presentPage(found, query, actor),
        figures: await countOwnFigures(db, ids, deps.now()),
        yardHasTerms: await readYardHasTerms(db, actor.sellerId),
      }
    },

    async countOwnGaps({ db, actor, query }) {
      const seller = { id: actor.sellerId, state: query.state }
      const search = await readSearch(db, query, seller)
      return countGaps(db, sellerList(seller.id, seller.state), search)
    },

    async listOwnIds({ db, actor, query }) {
      const { items } = await findOwn({ db, actor, query: { ...query, page: 1, perPage: OWN_BULK_MOST } })
      return { ids: items.map(({ id }) => id) }
    },

    async readOwn({ db, actor, params }) {
      const listing = await getOwnListing(db, actor, params.id)
      if (listing.deletedAt) throw listingDeleted()
      return presentListing(listing, actor)
    },

    async updateOwn(request) {
      const listing = await getOwnListing(request.db, request.actor, request.params.id)
      if (listing.deletedAt) throw listingDeleted()
      return saveEdit(request, { listing, sent: await request.body() }, deps)
    },

    async deleteOwn({ db, actor, params, requestId }) {
      await getOwnListing(db, actor, params.id)
      await deleteListing(db, { id: params.id, actor, requestId }, deps.now())
      return { ok: true }
    },

    async endOwn(request) {
      const { db, actor, params, requestId } = request
      await getOwnListing(db, actor, params.id)
      const { reason } = await request.body()
      const command = { id: params.id, actor, requestId }
      return presentListing(await endListing(db, command, { reason, now: deps.now() }), actor)
    },

    async restoreOwn({ db, actor, params, requestId }) {
      await getOwnListing(db, actor, params.id)
      return presentListing(await restoreListing(db, { id: params.id, actor, requestId }), actor)
    },
  }
}

type AdminRoutes = Pick<
  Handlers<typeof adminListingEndpoints>,
  'listAll' | 'exportAll' | 'readAny' | 'updateAny'
>

const EXPORTS = {
  all: 4,
  perCaller: 2,
  busy: 'Several lists are being downloaded right now. Please try again in a moment.',
}

/** Admin calls for single listings of any seller; those for many are in bulk-edit. */
export function adminListingRoutes(deps: ListingRouteDeps): AdminRoutes {
  const inPlace = openStreamPlaces(EXPORTS)
  return {
    async listAll({ db, actor, query }) {
      const found = await deps.lists.find(await readAdminSearch(db, query), everyList, query)
      return presentPage(found, query, actor)
    },

    async exportAll({ db, actor, query }) {
      const search = await readAdminSearch(db, query)
      const date = deps.now().toISOString().slice(0, 10)
      return {
        stream: inPlace(actor.userId, () => openExport(db, search)),
        headers: {
          'content-type': 'text/csv; charset=utf-8',
          'content-disposition': `attachment; filename="auto-parts-${date}.csv"`,
          'cache-control': 'no-store',
        },
      }
    },

    async readAny({ db, actor, params }) {
      return presentListing(await getListing(db, params.id), actor)
    },

    async updateAny(request) {
      const listing = await getListing(request.db, request.params.id)
      const sent = await request.body()
      return saveEdit(request, { listing, sent, status: requireStatus(sent.status), ip: request.ip }, deps)
    },
  }
}

type SentEdit = Pick<ListingEdit, 'listing' | 'status' | 'ip'> & { sent: SentListing }

async function saveEdit(
  request: HandlerRequest<typeof listingEndpoints.updateOwn | typeof adminListingEndpoints.updateAny>,
  { listing, sent, status, ip }: SentEdit,
  deps: ListingRouteDeps,
): Promise<Listing> {
  const { db, actor, requestId } = request
  const text = readListingText(sent)
  const version = requireVersion(sent.version)
  const picture = (await request.file())?.bytes
  const edit = { listing, text, version, picture, status, actor, requestId, ip }
  return presentListing(await editListing(db, edit, deps), actor)
}

async function getListing(db: Db, id: string): Promise<ReadListing> {
  const listing = await findListing(db, id)
  if (!listing) throw listingNotFound()
  if (listing.deletedAt) throw listingDeleted()
  return listing
}

/** Every call on one listing comes through here: a listing of another seller is not found. */
async function getOwnListing(db: Db, actor: Actor, id: string): Promise<ReadListing> {
  const listing = await findListing(db, id)
  if (!listing || !ownsListing(actor, listing)) throw listingNotFound()
  return listing
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
