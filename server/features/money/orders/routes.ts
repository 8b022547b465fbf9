import { createHash } from 'node:crypto'
import type { Answer } from '#contract/endpoint.ts'
import { isId } from '#contract/endpoint.ts'
import type { orderEndpoints } from '#contract/order/order-calls.ts'
import { ProviderFailure } from '#server/features/money/billing/provider.ts'
import type { Actor } from '#server/platform/actor.ts'
import { auditActorOf, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import type { HandlerRequest, Handlers } from '#server/platform/http/handler.ts'
import { answerDelay, cancelOrder, disownOrder, findOrdersOfAddress, receiveOrder } from './buyer-deeds.ts'
import { buyingRoutes, CLICK_MS, type OrderRouteDeps, stepDeps } from './buying/buying-routes.ts'
import {
  confirmOrder,
  handOver,
  missOrder,
  quoteShipping,
  readyOrder,
  replaceCode,
  restock,
  shipOrder,
} from './fulfilment.ts'
import { mailLinks } from './letters/link-mails.ts'
import { readBalances, readLedger } from './money/ledger.ts'
import { performSteps, readOrderAtProvider } from './money/provider-steps.ts'
import { type RefundLine, requestRefund } from './money/refunds.ts'
import { getBuyerOrder, isPutAway, type OrderKey } from './order-links.ts'
import { getSellerOrder, listAllOrders, listBuyerOrders, listSellerOrders } from './order-lists.ts'
import { findOrderById, lockOrder, type Order, orderNotFound } from './orders.ts'
import { readSelling, setSelling } from './selling.ts'
import { showToAdmin, showToBuyer, showToSeller } from './show-order.ts'
import { endOrderLinks, holdOrder, releaseOrder } from './supervision.ts'

type Routes = Handlers<typeof orderEndpoints>

export function orderRoutes(deps: OrderRouteDeps): Omit<Routes, 'readPackingSlip' | 'readInvoice'> {
  return {
    ...buyingRoutes(deps),
    ...buyerRoutes(deps),
    ...sellerRoutes(deps),
    ...deedRoutes(deps),
    ...adminRoutes(deps),
  }
}

/** Does at once what was just asked for; what fails now is done by the job. */
export async function performNow(deps: OrderRouteDeps, db: Db, order: Order): Promise<Order> {
  if (deps.stripe) {
    await performSteps(stepDeps(deps, db), order.id, deps.stripe.within(CLICK_MS)).catch(ignoreOutage)
  }
  return (await findOrderById(db, order.id)) ?? order
}

function ignoreOutage(error: unknown): void {
  if (!(error instanceof ProviderFailure)) throw error
}

/* The buyer's order. */

type BuyerRoutes = Pick<
  Routes,
  | 'readOrder'
  | 'cancelOrder'
  | 'receiveOrder'
  | 'answerDelay'
  | 'replacePickupCode'
  | 'disownOrder'
  | 'mailOrderLinks'
  | 'listOrders'
>

// A page that waits for a payment asks every few seconds.
const READ_AGAIN_MS = 2_000

function buyerRoutes(deps: OrderRouteDeps): BuyerRoutes {
  const readAt = new Map<string, number>()

  /** Events can be lost: whoever waits for a payment causes a look at the provider. */
  async function lookAtProvider(db: Db, order: Order): Promise<Order> {
    const isWaiting = (order.state === 'pending' && order.sessionId !== null) || order.state === 'capturing'
    const now = Date.now()
    if (!deps.stripe || !isWaiting || now - (readAt.get(order.id) ?? 0) < READ_AGAIN_MS) return order
    if (readAt.size > 1_000) readAt.clear()
    readAt.set(order.id, now)
    await readOrderAtProvider(stepDeps(deps, db), order.id, deps.stripe.within(CLICK_MS)).catch(ignoreOutage)
    return (await findOrderById(db, order.id)) ?? order
  }

  const find = (db: Db, key: OrderKey, actor: Actor | undefined) =>
    getBuyerOrder(db, key, { actor, now: deps.now() })
  const show = async (db: Db, order: Order) => {
    const [shown] = await showToBuyer(db, [order], deps.now())
    if (!shown) throw orderNotFound()
    return shown
  }

  return {
    async readOrder({ db, actor, body }) {
      const order = await find(db, await body(), actor)
      return show(db, await lookAtProvider(db, order))
    },

    async cancelOrder({ db, actor, body }) {
      const { reason, ...key } = await body()
      const { id } = await find(db, key, actor)
      const order = await cancelOrder(db, { orderId: id, reason }, deps)
      return show(db, await performNow(deps, db, order))
    },

    async receiveOrder({ db, actor, body }) {
      const { id } = await find(db, await body(), actor)
      return show(db, await receiveOrder(db, { orderId: id }, deps))
    },

    async answerDelay({ db, actor, body }) {
      const { answer, ...key } = await body()
      const { id } = await find(db, key, actor)
      return show(db, await performNow(deps, db, await answerDelay(db, { orderId: id, answer }, deps)))
    },

    async replacePickupCode({ db, actor, body }) {
      const { id } = await find(db, await body(), actor)
      const by = { side: 'buyer' as const, userId: actor?.userId }
      return show(db, await replaceCode(db, { orderId: id, by }, deps))
    },

    async disownOrder({ db, body }) {
      const { id } = await find(db, await body(), undefined)
      await disownOrder(db, { orderId: id }, deps)
      return { ok: true }
    },

    async mailOrderLinks({ db, ip, body }) {
      const { email } = await body()
      await mailLinks(db, { email, ip, orderIds: await findOrdersOfAddress(db, email, deps.now()) }, deps)
      return { ok: true }
    },

    async listOrders({ db, actor, query }) {
      const { orders, total } = await listBuyerOrders(db, actor, query)
      const { page, perPage } = query
      return { items: await showToBuyer(db, orders, deps.now()), total, page, perPage }
    },
  }
}

/* The yard's side. */

type SellerRoutes = Pick<Routes, 'readSelling' | 'setSelling' | 'listSellerOrders' | 'readSellerOrder'>
type DeedRoutes = Pick<
  Routes,
  | 'quoteOrder'
  | 'confirmOrder'
  | 'missOrder'
  | 'shipOrder'
  | 'readyOrder'
  | 'handOverOrder'
  | 'refundOrder'
  | 'restockOrder'
>

function sellerRoutes(deps: OrderRouteDeps): SellerRoutes {
  return {
    readSelling: ({ db, actor }) => readSelling(db, actor.sellerId, deps.isOn),

    async setSelling(request) {
      const { db, actor } = request
      const setting = await request.body()
      const by = auditActorOf(request)
      return setSelling(db, { sellerId: actor.sellerId, setting, available: deps.isOn, by, now: deps.now() })
    },

    async listSellerOrders({ db, actor, query }) {
      const { orders, total, counts } = await listSellerOrders(db, actor.sellerId, query)
      return {
        items: await showToSeller(db, orders, deps.now()),
        total,
        page: query.page,
        perPage: query.perPage,
        counts,
      }
    },

    async readSellerOrder({ db, actor, params }) {
      const found = await getSellerOrder(db, actor, params.id)
      // Events can be lost: whoever looks while the money is being taken causes a look at the provider.
      const order = found.state === 'capturing' ? await performNow(deps, db, found) : found
      const [shown] = await showToSeller(db, [order], deps.now())
      if (!shown) throw orderNotFound()
      return shown
    },
  }
}

function deedRoutes(deps: OrderRouteDeps): DeedRoutes {
  const show = async (db: Db, order: Order) => {
    const [shown] = await showToSeller(db, [await performNow(deps, db, order)], deps.now())
    if (!shown) throw orderNotFound()
    return shown
  }
  const byOf = (actor: Actor) => ({ side: 'seller' as const, userId: actor.userId })

  return {
    async quoteOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { shipping, days } = await body()
      const shippingCents = Math.round(shipping * 100)
      return show(db, await quoteShipping(db, { orderId: id, by: byOf(actor), shippingCents, days }, deps))
    },

    async confirmOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { fitsVin, lines: found } = await body()
      return show(db, await confirmOrder(db, { orderId: id, by: byOf(actor), fitsVin, found }, deps))
    },

    async missOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { reason, lines: missing } = await body()
      return show(db, await missOrder(db, { orderId: id, by: byOf(actor), reason, missing }, deps))
    },

    async shipOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      return show(db, await shipOrder(db, { orderId: id, by: byOf(actor), ...(await body()) }, deps))
    },

    async readyOrder({ db, actor, params }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      return show(db, await readyOrder(db, { orderId: id, by: byOf(actor) }, deps))
    },

    async handOverOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { code } = await body()
      return show(db, await handOver(db, { orderId: id, by: byOf(actor), code }, deps))
    },

    async refundOrder({ db, actor, params, body, headers }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { lines, reason } = await body()
      const order = await refund(db, { id, lines, reason, by: byOf(actor), key: keyIn(headers) }, deps)
      return show(db, order)
    },

    async restockOrder({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const { answer } = await body()
      return show(db, await restock(db, { orderId: id, by: byOf(actor), answer }, deps))
    },
  }
}

type Headers = HandlerRequest<(typeof orderEndpoints)['refundOrder']>['headers']

const keyIn = (headers: Headers): string | undefined => {
  const key = headers['idempotency-key']
  return typeof key === 'string' ? createHash('sha256').update(key).digest('hex') : undefined
}

type Refunding = {
  id: string
  lines: readonly RefundLine[]
  reason: string
  by: { side: 'seller' | 'admin'; userId: string }
  key: string | undefined
}

function refund(db: Db, { id, lines, reason, by, key }: Refunding, deps: OrderRouteDeps): Promise<Order> {
  return inTransaction(db, async (trx) => {
    const order = await lockOrder(trx, id)
    await requestRefund(trx, order, { ...by, lines, reason, ...(key !== undefined && { key }) }, deps)
    return lockOrder(trx, id)
  })
}

/* Administrators. */

type AdminRoutes = Pick<
  Routes,
  | 'listAllOrders'
  | 'readAnyOrder'
  | 'holdOrder'
  | 'releaseOrder'
  | 'endOrderLinks'
  | 'refundAnyOrder'
  | 'readOrderLedger'
>

async function getAnyOrder(db: Db, id: string): Promise<Order> {
  const found = await findOrderById(db, id)
  if (!found) throw orderNotFound()
  return found
}

function adminRoutes(deps: OrderRouteDeps): AdminRoutes {
  const show = async (db: Db, order: Order, isTraced = false) => {
    const [shown] = await showToAdmin(db, [order], { isTraced, now: deps.now() })
    if (!shown) throw orderNotFound()
    return shown
  }
  const byOf = (actor: Actor) => ({ side: 'admin' as const, userId: actor.userId })

  return {
    async listAllOrders({ db, query }) {
      const { orders, total, counts } = await listAllOrders(db, query)
      const items = await showToAdmin(db, orders, { now: deps.now() })
      return { items, total, page: query.page, perPage: query.perPage, counts }
    },

    async readAnyOrder(request) {
      const { db, params } = request
      const order = await getAnyOrder(db, params.id)
      if (!isPutAway(order, deps.now())) return show(db, order)
      const detail = { number: order.number }
      await writeAudit(db, { action: 'old-order-read', target: order.id, detail, ...auditActorOf(request) })
      return show(db, order, true)
    },

    async holdOrder(request) {
      const { db, actor, params } = request
      const { id } = await getAnyOrder(db, params.id)
      const { reason } = await request.body()
      return show(
        db,
        await holdOrder(db, { orderId: id, by: byOf(actor), reason, audit: auditActorOf(request) }, deps),
      )
    },

    async releaseOrder(request) {
      const { db, actor, params } = request
      const { id } = await getAnyOrder(db, params.id)
      return show(
        db,
        await releaseOrder(db, { orderId: id, by: byOf(actor), audit: auditActorOf(request) }, deps),
      )
    },

    async endOrderLinks(request) {
      const { db, actor, params } = request
      const { id } = await getAnyOrder(db, params.id)
      const audit = auditActorOf(request)
      return show(db, await endOrderLinks(db, { orderId: id, by: byOf(actor), audit }, deps))
    },

    async refundAnyOrder(request) {
      const { db, actor, params, headers } = request
      const { id, number } = await getAnyOrder(db, params.id)
      const { lines, reason } = await request.body()
      const order = await refund(db, { id, lines, reason, by: byOf(actor), key: keyIn(headers) }, deps)
      await writeAudit(db, {
        action: 'order-refunded',
        target: id,
        detail: { number },
        ...auditActorOf(request),
      })
      return show(db, await performNow(deps, db, order))
    },

    async readOrderLedger({ db, params }) {
      const { id } = await getAnyOrder(db, params.id)
      return ledgerInDollars(await readLedger(db, id), await readBalances(db, id))
    },
  }
}

type LedgerReply = Answer<typeof orderEndpoints.readOrderLedger>

function ledgerInDollars(
  rows: Awaited<ReturnType<typeof readLedger>>,
  balances: Record<string, number>,
): LedgerReply {
  return {
    entries: rows.map(({ account, cents, at, why, providerId }) => ({
      account,
      amount: cents / 100,
      at: at.toISOString(),
      why,
      ...(!isId(providerId) && { provider: providerId }),
    })),
    balances: Object.fromEntries(Object.entries(balances).map(([account, cents]) => [account, cents / 100])),
    balance: rows.reduce((sum, { cents }) => sum + cents, 0) / 100,
  }
}
