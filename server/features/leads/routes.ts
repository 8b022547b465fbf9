import type { leadEndpoints } from '#contract/leads.ts'
import { requireConfirmedEmail } from '#server/features/accounts/email/confirmed-email.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { countLeads, findLead, listLeads, presentLead, type ReadLead, updateLeadState } from './leads.ts'
import { findLinkedMessage } from './message-links.ts'
import { answerLead, confirmMessage, getAskedListing, type Site, writeToSeller } from './messages.ts'
import { leadNotFound, noEmailAddress, ownsLead, refuseLinks } from './policy.ts'

export function leadRoutes({ site, now }: { site: Site; now: () => Date }): Handlers<typeof leadEndpoints> {
  return {
    async writeToSeller(request) {
      const { db, actor: buyer, params, ip } = request
      const about = await getAskedListing(db, params.slug, { buyer })
      const message = await request.body()
      refuseLinks({ message: message.message, name: message.name }, { actor: buyer, now: now() })
      return async (db) => {
        await writeToSeller(db, { listing: about, message, ip, buyer, now: now() }, site)
        return { ok: true }
      }
    },

    async checkMessageLink({ db, body }) {
      const { token } = await body()
      return presentLink(await findLinkedMessage(db, { token, now: now() }))
    },

    async confirmMessage({ db, body }) {
      const { token } = await body()
      return presentLink(await confirmMessage(db, { token, now: now() }, site))
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
      requireConfirmedEmail(actor, 'before you email buyers.')
      const { message } = await request.body()
      refuseLinks({ message }, { actor, now: now() })
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

type LinkedMessage = Awaited<ReturnType<typeof findLinkedMessage>>

/** What the page of a confirmation link shows; of a message nothing more than its sender knows. */
const presentLink = ({ email, sellerName, title, slug }: LinkedMessage) => ({
  email,
  sellerName,
  listingTitle: title,
  slug,
})
