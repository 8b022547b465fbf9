import { sql } from 'kysely'
import type { Listing } from '#contract/listings.ts'
import type { BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import type { PurchaseForm, PurchaseOfParts } from '#contract/order/purchase.ts'
import { makeQuickListing } from './make-rows.ts'
import { press } from './payments.ts'
import type { SignedIn, TestApp } from './test-app.ts'

/* A yard that sells online, and buyers. */

export type Shop = { seller: SignedIn; listing: Listing }
export type Failed = {
  error: string
  code: string
  fields?: Record<string, string>
  quote?: { total: number }
}
export type PlacedOrder = { order: BuyerOrder; url: string; token: string }

let count = 0

export function openShop(app: TestApp) {
  /** A yard with verified payouts and one part. */
  async function yard(
    part: Record<string, unknown> = {},
    selling: Record<string, unknown> = {},
  ): Promise<Shop> {
    const seller = await app.signUp()
    await sql`
      update seller set connect_status = 'VERIFIED', can_transfer = true
      where id = ${await sellerIdOf(seller)}`.execute(app.db)
    await seller.api.put('/seller/yard', {
      street: '12 Mill Road',
      city: 'Tulsa',
      state: 'OK',
      zip: '74101',
      phone: '',
      timeZone: 'America/Chicago',
      hours: null,
      policy: { shipping: '', returns: '', warranty: '' },
    })
    const set = await seller.api.put<Failed>('/seller/selling', {
      enabled: true,
      mode: 'confirm',
      days: 2,
      ...selling,
    })
    if (set.status !== 200) throw new Error(set.body.error)
    return { seller, listing: await addPart(seller, part) }
  }

  const addPart = (seller: SignedIn, part: Record<string, unknown> = {}): Promise<Listing> =>
    makeQuickListing(seller.api, { partprice: '100', partshipping: '15', ...part })

  async function sellerIdOf({ person }: SignedIn): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      select m.seller_id as id from seller_member m join app_user u on u.id = m.user_id
      where u.email = ${person.email}`.execute(app.db)
    return rows[0]?.id ?? ''
  }

  /** Another buyer, in a network of their own. */
  function buyer() {
    count += 1
    const email = `buyer-${count}@garage.example`
    const api = app.visitor.as({ ip: `198.51.${Math.floor(count / 200)}.${(count % 200) + 1}` })
    const form = (more: Partial<PurchaseForm> = {}): PurchaseForm => ({
      email,
      name: 'Ruth Baker',
      delivery: 'ship',
      address: { line1: '1 Elm Street', city: 'Dallas', state: 'TX', zip: '75201' },
      expectedTotal: 115,
      ...more,
    })
    const order = <T = PlacedOrder>(
      slug: string,
      more: Partial<PurchaseForm> = {},
      key: string = crypto.randomUUID(),
    ) => api.post<T>(`/parts/${slug}/orders`, form(more), { 'idempotency-key': key })
    /** Several parts of one yard, at $100 and $15 to ship each. */
    const orderParts = <T = PlacedOrder>(
      slugs: readonly string[],
      more: Partial<PurchaseOfParts> = {},
      key: string = crypto.randomUUID(),
    ) => {
      const items = slugs.map((slug) => ({ slug }))
      const { quantity: _, ...buying } = form({ expectedTotal: slugs.length * 115 })
      const body = { ...buying, items, ifMissing: 'send', ...more }
      return api.post<T>('/orders/new', body, { 'idempotency-key': key })
    }
    return {
      email,
      api,
      order,
      orderParts,
      /** Places an order of several parts that has to succeed. */
      async buysParts(slugs: readonly string[], more: Partial<PurchaseOfParts> = {}): Promise<PlacedOrder> {
        const placed = await orderParts<PlacedOrder & Failed>(slugs, more)
        if (placed.status !== 201) throw new Error(`${placed.status} ${placed.body.error}`)
        return placed.body
      },
      /** Places an order that has to succeed. */
      async buys(slug: string, more: Partial<PurchaseForm> = {}): Promise<PlacedOrder> {
        const placed = await order<PlacedOrder & Failed>(slug, more)
        if (placed.status !== 201) throw new Error(`${placed.status} ${placed.body.error}`)
        return placed.body
      },
      read: (token: string) => api.post<BuyerOrder>('/orders/read', { token }),
      act: <T = BuyerOrder & Failed>(path: string, token: string, body: object = {}) =>
        api.post<T>(`/orders/${path}`, { token, ...body }),
    }
  }

  /** Pays at the provider, and waits until the order says so. */
  async function pay(placed: PlacedOrder, by: ReturnType<typeof buyer>): Promise<BuyerOrder> {
    await press(placed.url, 'pay')
    return untilNot(['pending'], placed, by)
  }

  async function untilNot(
    states: readonly string[],
    { token }: { token: string },
    by: ReturnType<typeof buyer>,
  ): Promise<BuyerOrder> {
    for (let tries = 0; tries < 100; tries += 1) {
      const { body } = await by.read(token)
      if (!states.includes(body.state)) return body
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error(`the order stays ${states.join(', ')}`)
  }

  const act = (seller: SignedIn, id: string, path: string, body: object = {}) =>
    seller.api.post<SellerOrder & Failed>(`/seller/orders/${id}/${path}`, body)

  return { yard, addPart, buyer, pay, act, untilNot, sellerIdOf }
}
