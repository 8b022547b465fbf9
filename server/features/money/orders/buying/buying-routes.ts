import { randomBytes } from 'node:crypto'
import type { orderEndpoints } from '#contract/order/order-calls.ts'
import type { ProviderCalls, StripeClient } from '#server/features/money/billing/provider.ts'
import { getWatchedPart, watchPart } from '#server/features/money/orders/letters/held-watch.ts'
import type { PerformDeps } from '#server/features/money/orders/money/provider-steps.ts'
import { findAgreedCents } from '#server/features/money/orders/offers.ts'
import { getBuyerOrder } from '#server/features/money/orders/order-links.ts'
import { orderNotFound } from '#server/features/money/orders/orders.ts'
import {
  type Placing,
  type PlacingDeps,
  payOrder,
  placeOrder,
} from '#server/features/money/orders/placing.ts'
import {
  deliveriesOf,
  getSoldPart,
  getSoldParts,
  priceOf,
  quoteParts,
  showItem,
  stateOfZip,
} from '#server/features/money/orders/quotes.ts'
import { showToBuyer } from '#server/features/money/orders/show-order.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'

/* From the price of a part to the page on which it is paid. */

// A person waits; the job does what is left.
export const CLICK_MS = 9_000

export type OrderRouteDeps = {
  stripe: StripeClient | undefined
  /** ORDERS, if payments are on. */
  isOn: boolean
  /** STRIPE_TAX: new orders are taxed. */
  isTaxed: boolean
  site: PerformDeps['site']
  files: PerformDeps['files']
  now: () => Date
}

type Routes = Handlers<typeof orderEndpoints>

const openCalls = (stripe: StripeClient | undefined, ms: number) => (): ProviderCalls => {
  if (stripe) return stripe.within(ms)
  throw new AppError('NOT_SOLD_ONLINE', 'Payments are off here, so nothing can be bought.')
}

export const stepDeps = ({ site, files, now }: OrderRouteDeps, db: Db): PerformDeps => ({
  db,
  site,
  files,
  now,
})
const placingDeps = (deps: OrderRouteDeps, db: Db): PlacingDeps => ({
  ...stepDeps(deps, db),
  isOn: deps.isOn,
  isTaxed: deps.isTaxed,
  calls: openCalls(deps.stripe, CLICK_MS),
})

type BuyingRoutes = Pick<
  Routes,
  'readQuote' | 'placeOrder' | 'quoteParts' | 'placeOrderOfParts' | 'payOrder' | 'watchPart'
>

export function buyingRoutes(deps: OrderRouteDeps): BuyingRoutes {
  return {
    async readQuote({ db, params, query }) {
      const part = await getSoldPart(db, params.slug, deps.isOn)
      const delivery = query.delivery ?? deliveriesOf([part])[0] ?? 'ship'
      const state = query.zip === undefined ? undefined : await stateOfZip(db, query.zip, 'zip')
      const { accepted, quantity = 1 } = query
      const how = { delivery, state, isTaxed: deps.isTaxed }
      const agreed = accepted && (await findAgreedCents(db, { accepted, listingId: part.listing.id }))
      return agreed
        ? priceOf(db, [{ part, quantity: 1, priceCents: agreed }], how, deps.now())
        : quoteParts(db, [{ part, quantity, priceCents: part.listing.priceCents }], how, deps.now())
    },

    async placeOrder(request) {
      // Before the body: an unknown part is not found, whatever else is wrong.
      await getSoldPart(request.db, request.params.slug, deps.isOn)
      const { quantity, ...purchase } = await request.body()
      const wanted = [{ slug: request.params.slug, quantity }]
      return place(deps, request, { purchase, wanted, ifMissing: null })
    },

    async quoteParts({ db, body }) {
      const { items: wanted, zip, delivery } = await body()
      const parts = await getSoldParts(
        db,
        wanted.map(({ slug }) => slug),
        deps.isOn,
      )
      const state = zip === undefined ? undefined : await stateOfZip(db, zip, 'zip')
      const items = parts.map((part, at) => ({
        part,
        quantity: wanted[at]?.quantity ?? 1,
        priceCents: part.listing.priceCents,
      }))
      const how = { delivery: delivery ?? deliveriesOf(parts)[0] ?? 'ship', state, isTaxed: deps.isTaxed }
      return { ...(await quoteParts(db, items, how, deps.now())), parts: items.map(showItem) }
    },

    async placeOrderOfParts(request) {
      const { items: wanted, ifMissing = null, ...purchase } = await request.body()
      return place(deps, request, { purchase, wanted, ifMissing })
    },

    async watchPart({ db, params, ip, body }) {
      const id = await getWatchedPart(db, params.slug)
      const { email } = await body()
      return async (trx) => {
        await watchPart(trx, { id, email, ip })
        return { ok: true }
      }
    },

    async payOrder(request) {
      const { db, ip } = request
      const { expectedTotal, ...key } = await request.body()
      const { id } = await getBuyerOrder(db, key, { actor: request.actor, now: deps.now() })
      const order = await payOrder(placingDeps(deps, db), {
        orderId: id,
        expectedTotal,
        device: deviceOf(request),
        ip,
      })
      const [shown] = await showToBuyer(db, [order])
      if (!shown || order.sessionUrl === null) throw orderNotFound()
      return { ...shown, url: order.sessionUrl }
    },
  }
}

type PlaceRequest = Pick<
  HandlerRequest<(typeof orderEndpoints)['placeOrderOfParts']>,
  'db' | 'actor' | 'ip' | 'headers' | 'setHeader'
>

/** Places an order, and replies with its payment page. */
async function place(
  deps: OrderRouteDeps,
  request: PlaceRequest,
  asked: Pick<Placing, 'purchase' | 'wanted' | 'ifMissing'>,
) {
  const { db, actor, ip, headers } = request
  const key = headers['idempotency-key']
  const { order, url, token } = await placeOrder(placingDeps(deps, db), {
    ...asked,
    actor,
    key: typeof key === 'string' ? key : undefined,
    device: deviceOf(request),
    ip,
    publicUrl: deps.site.publicUrl,
  })
  const [shown] = await showToBuyer(db, [order])
  if (!shown) throw orderNotFound()
  const { id, number, state, lines, total, taxAdded, expiresAt } = shown
  return async () => ({
    order: { id, number, state, lines, total, taxAdded, expiresAt },
    ...(url && { url }),
    token,
  })
}

const DEVICE_COOKIE = /(?:^|;\s*)(?:__Secure-)?buyer=([\w-]{22})(?=;|$)/
const DEVICE_DAYS = 90

/** The browser of a buyer, by a cookie that says nothing else: caps count by it. */
function deviceOf({ headers, setHeader }: Pick<PlaceRequest, 'headers' | 'setHeader'>): string {
  const known = DEVICE_COOKIE.exec(headers.cookie?.toString() ?? '')?.[1]
  if (known !== undefined) return known
  const device = randomBytes(16).toString('base64url')
  setHeader(
    'set-cookie',
    `buyer=${device}; Path=/api/; Max-Age=${DEVICE_DAYS * 86_400}; HttpOnly; SameSite=Lax`,
  )
  return device
}
