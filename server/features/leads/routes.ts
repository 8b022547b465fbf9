import type { leadEndpoints } from '#contract/leads.ts'
import { findListingBySlug } from '#server/features/listings/listing-queries.ts'
import { listingNotFound, ownsListing } from '#server/features/listings/policy.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { countLeads, findLead, listLeads, presentLead, type ReadLead, updateLeadState } from './leads.ts'
import { answerLead, type Site, writeToSeller } from './messages.ts'
import { canBeAskedAfter, leadNotFound, noEmailAddress, ownListing, ownsLead } from './policy.ts'

export function leadRoutes(site: Site): Handlers<typeof leadEndpoints> {
  return {
    async writeToSeller(request) {
      const { db, actor, params, ip } = request
      const listing = await findListingBySlug(db, params.slug)
      if (!listing || !canBeAskedAfter(listing)) throw listingNotFound()
      if (actor && ownsListing(actor, listing)) throw ownListing()
      const message = await request.body()
      return async (db) => {
        await writeToSeller(db, { listing, message, ip }, site)
        return { ok: true }
      }
    },

    async listLeads({ db, actor, query }) {
      const { state, page, perPage } = query
      const [items, counts] = await Promise.all([
        listLeads(db, { sellerId: actor.sellerId, state, page, perPage }),
        countLeads(db, actor.sellerId),
      ])
      const total = state === undefined ? counts.new + counts.answered + counts.closed : counts[state]
      return { items: items.map(presentLead), total, page, perPage, counts }
    },

    readLead: async ({ db, actor, params }) => presentLead(await getOwnLead(db, actor, params.id)),

    async setLeadState(request) {
      const { db, actor, params } = request
      const { id } = await getOwnLead(db, actor, params.id)
      const { state } = await request.body()
      await updateLeadState(db, id, state)
      return presentLead(await getOwnLead(db, actor, id))
    },

    async answerLead(request) {
      const { actor } = request
      const lead = await getOwnLead(request.db, actor, request.params.id)
      const { email } = lead
      if (email === null) throw noEmailAddress(lead)
      const { message } = await request.body()
      return async (db) =>
        presentLead(await answerLead(db, { lead: { ...lead, email }, text: message, actor }, site))
    },
  }
}

async function getOwnLead(db: Db, actor: Actor, id: string): Promise<ReadLead> {
  const lead = await findLead(db, id)
  if (!lead || !ownsLead(actor, lead)) throw leadNotFound()
  return lead
}
