import type { Lead } from '#contract/leads.ts'
import type { Listing } from '#contract/listings.ts'
import type { Conversation } from '#contract/pages/conversations.ts'
import { makeQuickListing } from './make-rows.ts'
import type { SignedIn, TestApp } from './test-app.ts'

export type Failure = { error: string; code: string; fields?: Record<string, string> }

/** Makes buyers without an account and sellers who talk about a part. */
export function openTalks(app: TestApp) {
  let count = 0
  const mailsTo = (email: string) =>
    app.db.selectFrom('mail').selectAll().where('recipient', '=', email).orderBy('id').execute()
  /** The token of the newest link that an address was sent. */
  const tokenFor = async (email: string, page: 'messages' | 'confirm-message' = 'messages') => {
    const bodies = (await mailsTo(email)).map(({ body }) => body)
    const links = bodies.flatMap((body) => new RegExp(`/${page}#([\\w-]{43})\\n`).exec(body)?.[1] ?? [])
    return links.at(-1) ?? 'no link'
  }
  return {
    mailsTo,
    tokenFor,
    /** A seller with a part. */
    async yard(price = '100'): Promise<{ seller: SignedIn; listing: Listing }> {
      const seller = await app.signUp()
      return { seller, listing: await makeQuickListing(seller.api, { partprice: price }) }
    },
    /** A first message about a part, as its seller finds it, from an address that is confirmed unless `strange`. */
    async ask(
      { seller, listing }: { seller: SignedIn; listing: Listing },
      { offer, strange = false, from }: { offer?: string; strange?: boolean; from?: string } = {},
    ) {
      count += 1
      const email = from ?? `talker-${count}@garage.example`
      const api = app.visitor.as({ ip: `203.0.113.${count}` })
      const message = { name: `Ruth ${count}`, email, message: 'Still there?', offer }
      const sent = await api.post<Failure>(`/parts/${listing.partslug}/messages`, message)
      if (sent.status !== 201) throw new Error(sent.body.error)
      const confirming = await tokenFor(email, 'confirm-message')
      if (!strange) await api.post('/messages/confirm', { token: confirming })
      const lead = async () => (await seller.api.get<Lead>(`/seller/leads/${id}`)).body
      const [{ id }] = (await seller.api.get<{ items: [Lead] }>('/seller/leads')).body.items
      const asSeller = <T = Lead>(path: string, body: object) =>
        seller.api.post<T & Failure>(`/seller/leads/${id}/${path}`, body)
      const asBuyer = (path: string, body: object, token = confirming) =>
        api.post<Conversation & Failure>(`/messages/${path}`, { token, ...body })
      return {
        id,
        email,
        /** A link's; all of a conversation open the same. */
        token: confirming,
        lead,
        asSeller,
        asBuyer,
        read: (token = confirming) => asBuyer('conversation', {}, token),
        say: (message: string) => asBuyer('reply', { message }),
        answer: (message: string) => asSeller('answers', { message }),
        offer: (price: number) => asBuyer('offer', { price }),
        counter: (price: number, more: object = {}) => asSeller('offers', { price, ...more }),
        /** Answers the newest offer of the other side. */
        async decide(side: 'buyer' | 'seller', answer: 'accept' | 'decline', more: object = {}) {
          const { messages } = await lead()
          const offerId = messages.findLast(({ kind }) => kind === 'offer')?.id
          const choice = { offerId, answer, ...more }
          return side === 'seller' ? asSeller('offer-answer', choice) : asBuyer('offer-answer', choice)
        },
      }
    },
  }
}
