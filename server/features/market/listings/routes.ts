import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ListingKind } from '#contract/listing/listing-fields.ts'
import type { Listing, listingEndpoints } from '#contract/listings.ts'
import { sellerClosed } from '#server/features/market/for-sale/for-sale.ts'
import { openPicture } from '#server/features/market/pictures/open-picture.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'
import { deleteListing, endListing, restoreListing } from './end-listing.ts'
import { findListing, findListingBySlug, type ReadListing } from './listing-queries.ts'
import { type LetGo, letGoOfHeld } from './ordered-parts.ts'
import { canSeeListing, isPublicListing, listingDeleted, listingNotFound, ownsListing } from './policy.ts'
import { presentListing } from './present-listing.ts'
import { readListingText, requireStatus, requireVersion, type SentListing } from './sent-listing.ts'
import type { ViewCounter } from './view-counter.ts'
import { createListing, editListing, type ListingEdit, prepareListing } from './write-listing.ts'

export type ListingRouteDeps = {
  files: FileStore
  views: ViewCounter
  log: Log
  now: () => Date
  letGo?: LetGo | undefined
}
/** Lists of listings: `server/features/finding/search/list-routes.ts`. */
type Routes = Omit<Handlers<typeof listingEndpoints>, ListCalls>
type ListCalls = 'listPublic' | 'countPublic' | 'listOwn' | 'countOwnGaps' | 'listOwnIds'

export function listingRoutes(deps: ListingRouteDeps): Routes {
  return { ...publicRoutes(deps), ...creatingRoutes(deps), ...ownRoutes(deps) }
}

type PublicRoutes = Pick<Routes, 'readPublic' | 'countView' | 'readImage'>

function publicRoutes({ files, views, log }: ListingRouteDeps): PublicRoutes {
  return {
    async readPublic({ db, params, actor }) {
      const listing = await findListingBySlug(db, params.slug)
      if (listing && canSeeListing(actor, listing)) return presentListing(listing, actor)
      throw listing?.sellerGone === 'closed' ? sellerClosed() : listingNotFound()
    },

    async countView({ db, params, ip, headers }) {
      const listing = await findListingBySlug(db, params.slug)
      if (!listing || !isPublicListing(listing)) throw listingNotFound()
      views.count(listing.id, { ip, userAgent: [headers['user-agent']].flat()[0] })
      return { ok: true }
    },

    readImage: ({ db, params, query, headers }) =>
      openPicture(db, files, {
        id: params.id,
        width: Number(query.width) || undefined,
        v: query.v,
        key: query.key,
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
    const prepared = await prepareListing(request.db, { kind, actor, text, picture }, deps)
    return async (db: Db) => presentListing(await createListing(db, prepared, request), actor)
  }
  return {
    createPart: (request) => create('ecommerce', request),
    createQuickListing: (request) => create('quick', request),
  }
}

type OwnRoutes = Pick<Routes, 'readOwn' | 'updateOwn' | 'deleteOwn' | 'endOwn' | 'restoreOwn'>

function ownRoutes(deps: ListingRouteDeps): OwnRoutes {
  return {
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
      const { held } = await getOwnListing(db, actor, params.id)
      if (held) await letGoOfHeld(db, [params.id], { letGo: deps.letGo, side: 'seller' })
      await deleteListing(db, { id: params.id, actor, requestId }, deps.now())
      return { ok: true }
    },

    async endOwn(request) {
      const { db, actor, params, requestId } = request
      const { held } = await getOwnListing(db, actor, params.id)
      const { reason } = await request.body()
      if (held) await letGoOfHeld(db, [params.id], { letGo: deps.letGo, side: 'seller' })
      const command = { id: params.id, actor, requestId }
      return presentListing(await endListing(db, command, { reason, now: deps.now() }), actor)
    },

    async restoreOwn({ db, actor, params, requestId }) {
      await getOwnListing(db, actor, params.id)
      return presentListing(await restoreListing(db, { id: params.id, actor, requestId }), actor)
    },
  }
}

type AdminRoutes = Pick<Handlers<typeof adminListingEndpoints>, 'readAny' | 'updateAny'>

/** Admin calls for single listings of any seller; those for many are in bulk-edit. */
export function adminListingRoutes(deps: ListingRouteDeps): AdminRoutes {
  return {
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
