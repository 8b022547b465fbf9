import type { leadEndpoints } from '#contract/leads.ts'
import type { Conversation, conversationEndpoints, OwnConversation } from '#contract/pages/conversations.ts'
import { pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import { requireConfirmedEmail } from '#server/features/people/accounts/email/confirmed-email.ts'
import { rememberMailbox } from '#server/features/people/accounts/known-devices.ts'
import { requireOwnName } from '#server/features/people/accounts/registration.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { answerLead, closeAsSold, confirmMessage } from './answers.ts'
import {
  countLeads,
  findLead,
  listLeads,
  listLeadsOf,
  mayDo,
  presentLead,
  presentMessages,
  type ReadLead,
  titleOf,
  updateLeadState,
} from './leads.ts'
import { findLinkedLead, LINK_KEPT_MS, type MailedTo, openLink, stopConversation } from './message-links.ts'
import { getAskedListing, replyToSeller, type Site, writeToSeller } from './messages.ts'
import { answerCounterOffer, answerOffer, counterOffer, offerToSeller } from './offers.ts'
import { emailsStopped, leadNotFound, noEmailAddress, ownsLead, refuseLinks } from './policy.ts'
import { readQuickReplies, setQuickReplies } from './quick-replies.ts'

type Deps = { site: Site; now: () => Date }

export function leadRoutes(deps: Deps): Handlers<typeof leadEndpoints> {
  return { ...firstMessageRoutes(deps), ...inboxRoutes(deps), ...answerRoutes(deps) }
}

type Routes = Handlers<typeof leadEndpoints>

function firstMessageRoutes({
  site,
  now,
}: Deps): Pick<Routes, 'writeToSeller' | 'checkMessageLink' | 'confirmMessage'> {
  return {
    async writeToSeller(request) {
      const { db, actor: buyer, params, ip } = request
      const cookie = request.headers.cookie?.toString()
      const about = await getAskedListing(db, params.slug, { buyer })
      const message = await request.body()
      refuseLinks({ message: message.message, name: message.name }, { actor: buyer, now: now() })
      requireOwnName(message.name, site.productName)
      return async (db) => {
        const sent = { listing: about, message, ip, cookie, buyer, now: now() }
        const notice = await writeToSeller(db, sent, site)
        return { ok: true, ...(notice && { notice }) }
      }
    },

    async checkMessageLink({ db, body }) {
      const { token } = await body()
      return presentLink(await findLinkedLead(db, { token, now: now() }))
    },

    async confirmMessage(request) {
      const { token } = await request.body()
      const lead = await confirmMessage(request.db, { token, now: now() }, site)
      await rememberMailbox(request, { email: lead.email, publicUrl: site.publicUrl, now: now() })
      return presentLink(lead)
    },
  }
}

type InboxRoutes = Pick<
  Routes,
  'listLeads' | 'readLead' | 'setLeadState' | 'readQuickReplies' | 'setQuickReplies'
>

function inboxRoutes({ now }: Deps): InboxRoutes {
  return {
    async listLeads({ db, actor, query }) {
      const { state, page, perPage } = query
      const [items, counts] = await Promise.all([
        listLeads(db, { sellerId: actor.sellerId, state, page, perPage, now: now() }),
        countLeads(db, actor.sellerId),
      ])
      const total = state === undefined ? counts.new + counts.answered + counts.closed : counts[state]
      return { items: items.map((lead) => presentLead(lead, now())), total, page, perPage, counts }
    },

    readLead: async ({ db, actor, params }) =>
      presentLead(await getOwnLead(db, actor, { id: params.id, now: now() }), now()),

    async setLeadState(request) {
      const { db, actor, params } = request
      const asked = { id: params.id, now: now() }
      await getOwnLead(db, actor, asked)
      const { state } = await request.body()
      await updateLeadState(db, params.id, state)
      return presentLead(await getOwnLead(db, actor, asked), now())
    },

    readQuickReplies: ({ db, actor }) => readQuickReplies(db, actor.sellerId),

    async setQuickReplies({ db, actor, body }) {
      const { replies } = await body()
      return setQuickReplies(db, actor.sellerId, replies)
    },
  }
}

type AnswerRoutes = Pick<Routes, 'answerLead' | 'counterOffer' | 'answerOffer' | 'closeAsSold'>

/** Calls that email the buyer. */
function answerRoutes({ site, now }: Deps): AnswerRoutes {
  /** Checked before the body is read. */
  const getAnswerable = async (db: Db, actor: Actor, id: string): Promise<ReadLead> => {
    const lead = await getOwnLead(db, actor, { id, now: now() })
    if (lead.email === null) throw noEmailAddress(lead)
    if (lead.emailsStopped) throw emailsStopped(lead)
    requireConfirmedEmail(actor, BEFORE)
    return lead
  }
  return {
    async answerLead(request) {
      const { actor } = request
      const lead = await getAnswerable(request.db, actor, request.params.id)
      const { message: text } = await request.body()
      refuseLinks({ message: text }, { actor, now: now() })
      return async (db) => presentLead(await answerLead(db, { lead, actor, text, now }, site), now())
    },

    async counterOffer(request) {
      const { actor } = request
      const lead = await getAnswerable(request.db, actor, request.params.id)
      const { message: text, ...offer } = await request.body()
      refuseLinks({ message: text }, { actor, now: now() })
      return async (db) =>
        presentLead(await counterOffer(db, { ...offer, lead, actor, text, now }, site), now())
    },

    async answerOffer(request) {
      const { actor } = request
      const lead = await getAnswerable(request.db, actor, request.params.id)
      const { message: text, ...answer } = await request.body()
      refuseLinks({ message: text }, { actor, now: now() })
      return async (db) =>
        presentLead(await answerOffer(db, { ...answer, lead, actor, text, now }, site), now())
    },

    async closeAsSold(request) {
      const { actor, requestId } = request
      const lead = await getOwnLead(request.db, actor, { id: request.params.id, now: now() })
      requireConfirmedEmail(actor, BEFORE)
      const sold = await request.body()
      return async (db) => {
        const closed = await closeAsSold(db, { ...sold, lead, actor, now, requestId }, site)
        return { ...closed, lead: presentLead(closed.lead, now()) }
      }
    },
  }
}

const BEFORE = 'before you email buyers.'

/** The buyer's side, authenticated only by the token of an emailed link. */
export function conversationRoutes({ site, now }: Deps): Handlers<typeof conversationEndpoints> {
  const present = (lead: ReadLead) => presentConversation(lead, now())
  return {
    async listConversations({ db, actor: { email, emailConfirmed } }) {
      const since = new Date(now().getTime() - LINK_KEPT_MS)
      const leads = emailConfirmed ? await listLeadsOf(db, { email, since, now: now() }) : []
      return { items: leads.flatMap((lead) => presentOwn(lead, now())) }
    },

    async openConversation({ db, actor: { email, emailConfirmed }, params: { id } }) {
      const lead = emailConfirmed ? await findLead(db, id, now()) : undefined
      if (lead?.email?.toLowerCase() !== email.toLowerCase()) throw leadNotFound()
      return { token: await openLink(db, id, now()) }
    },

    async readConversation({ db, body }) {
      const { token } = await body()
      return present(await findLinkedLead(db, { token, now: now() }))
    },

    async replyToSeller({ body }) {
      const { token, message: text } = await body()
      refuseLinks({ message: text }, { actor: undefined, now: now() })
      return async (db) => present(await replyToSeller(db, { token, text, now }, site))
    },

    async offerToSeller({ body }) {
      const { token, price, message: text } = await body()
      refuseLinks({ message: text }, { actor: undefined, now: now() })
      return async (db) => present(await offerToSeller(db, { token, price, text, now }, site))
    },

    async answerCounterOffer({ body }) {
      const answer = await body()
      return async (db) => present(await answerCounterOffer(db, { ...answer, now }, site))
    },

    async stopConversation({ db, body }) {
      await stopConversation(db, { ...(await body()), now: now() })
      return { ok: true }
    },
  }
}

async function getOwnLead(db: Db, actor: Actor, { id, now }: { id: string; now: Date }): Promise<ReadLead> {
  const lead = await findLead(db, id, now)
  if (!lead || !ownsLead(actor, lead)) throw leadNotFound()
  return lead
}

/** What a confirmation page shows: only what the sender of the message knows anyway. */
function presentLink(lead: MailedTo) {
  const [{ priceCents = null, currency = null } = {}] = lead.messages
  return {
    email: lead.email,
    sellerName: lead.sellerName,
    listingTitle: titleOf(lead),
    slug: lead.part?.slug ?? null,
    confirmed: lead.emailConfirmed,
    offer: priceCents === null || currency === null ? null : { price: priceCents / 100, currency },
  }
}

/** The conversation as the buyer sees it, without their own address, which a holder of the link need not know. */
function presentConversation(lead: ReadLead, now: Date): Conversation {
  const { part } = lead
  return {
    sellerName: lead.sellerName,
    sellerPhone: part?.dealerPhone ?? null,
    sellerGone: lead.sellerGone,
    part: {
      title: titleOf(lead),
      slug: part?.slug ?? null,
      price: part && part.priceCents / 100,
      currency: part?.currency ?? null,
      imageUrl: part?.picture ? pictureUrl(part.id, part.picture) : null,
      categoryGroup: part?.categoryGroup ?? null,
      forSale: part?.forSale ?? false,
    },
    messages: presentMessages(lead, now).map(({ mailed: _, ...message }) => message),
    may: mayDo('buyer', lead, now),
    pay: payable(lead),
    emailsStopped: lead.emailsStopped,
  }
}

/** As a line of the buyer's list. */
function presentOwn(lead: ReadLead, now: Date): OwnConversation[] {
  const last = presentMessages(lead, now).at(-1)
  if (last === undefined) return []
  const { kind, from, price, currency, createdAt } = last
  return [
    {
      id: lead.id,
      sellerName: lead.sellerName,
      title: titleOf(lead),
      last: { kind, from, price, currency, createdAt },
      payable: payable(lead) !== null,
    },
  ]
}

function payable({ payUntil, messages }: ReadLead): Conversation['pay'] {
  const agreed = messages.findLast(({ kind }) => kind === 'accept' || kind === 'offer')
  if (payUntil === null || agreed?.kind !== 'accept' || agreed.priceCents === null) return null
  return { price: agreed.priceCents / 100, until: payUntil.toISOString() }
}
