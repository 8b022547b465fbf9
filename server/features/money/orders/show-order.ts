import { sql } from 'kysely'
import type { OrderDispute } from '#contract/order/disputes/dispute-views.ts'
import { isForBuyer } from '#contract/order/money/release-words.ts'
import { type LineKind, lineKinds, type OrderAmount } from '#contract/order/order-quote.ts'
import {
  allowsStep,
  type BuyerAction,
  buyerActions,
  type Carrier,
  isEnded,
  isPaid,
  type OrderStep,
  type SellerAction,
  sellerActions,
} from '#contract/order/order-steps.ts'
import type {
  AdminOrder,
  BoughtPart,
  BuyerOrder,
  OrderRefund,
  SellerOrder,
} from '#contract/order/order-views.ts'
import { orderSentence } from '#contract/order/order-words.ts'
import { type TimelineReader, timelineText } from '#contract/order/timeline-words.ts'
import { pictureUrl } from '#server/features/market/pictures/picture-files.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type DisputeRow, listDisputes, needsEvidence, showToYard } from './disputes/dispute-rows.ts'
import { canRestock } from './fulfilment.ts'
import { deadlineOf, firstName, wordsOf } from './letters/order-words-of.ts'
import { pickupOf, shipmentOf } from './letters/telling.ts'
import { centsOfRefund, listRefunds, type RefundRow, totalOfRefund } from './money/refund-rows.ts'
import { isAllGoingBack, isRefundable } from './money/refunds.ts'
import { isPutAway } from './order-links.ts'
import {
  amountsOf,
  isBeforeTax,
  listEvents,
  type Order,
  type OrderEvent,
  type OrderLine,
  totalCents,
} from './orders.ts'
import { readSellingYard, type SellingYard } from './quotes.ts'
import { readYardMoney, type YardMoney } from './release/yard-money.ts'
import { listReturns, type ReturnRow } from './returns/return-rows.ts'
import { showChoices, showReturn } from './returns/show-returns.ts'
import { canReview, type Review, reviewsOf, showReview } from './reviews/reviews.ts'

/* An order as its buyer, the yard or an administrator sees it. Every field is listed here, so that no column can leak. */

type PartState = { slug: string | null; picture: string | null; categoryGroup: string | null }

type Around = {
  events: ReadonlyMap<string, OrderEvent[]>
  refunds: ReadonlyMap<string, RefundRow[]>
  disputes: ReadonlyMap<string, DisputeRow[]>
  returns: ReadonlyMap<string, ReturnRow[]>
  parts: ReadonlyMap<string, PartState>
  yards: ReadonlyMap<string, SellingYard>
  reviews: ReadonlyMap<string, Review>
}

/** What only the yard and administrators see. */
type YardAround = Around & { money: ReadonlyMap<string, YardMoney> }

/** What orders are shown with, in a few statements for a whole page. */
async function readAround(db: Db, orders: readonly Order[]): Promise<Around> {
  const ids = orders.map(({ id }) => id)
  const listingIds = orders.flatMap(({ lines }) => lines.map(({ listingId }) => listingId))
  const sellerIds = [...new Set(orders.map(({ sellerId }) => sellerId))]
  const [events, refunds, disputes, returns, parts, yards, reviews] = await Promise.all([
    listEvents(db, ids),
    listRefunds(db, ids),
    listDisputes(db, ids),
    listReturns(db, ids),
    readParts(db, listingIds),
    Promise.all(sellerIds.map(async (id) => [id, await readSellingYard(db, id)] as const)),
    reviewsOf(db, ids),
  ])
  return {
    events,
    refunds: Map.groupBy(refunds, ({ orderId }) => orderId),
    disputes: Map.groupBy(disputes, ({ orderId }) => orderId),
    returns: Map.groupBy(returns, ({ orderId }) => orderId),
    parts,
    yards: new Map(yards),
    reviews,
  }
}

async function readParts(db: Db, ids: readonly string[]): Promise<Map<string, PartState>> {
  const { rows } = await sql<PartState & { id: string; sha256: string | null }>`
    select l.id, case when l.deleted_at is null and l.status = 'ACTIVE' then l.slug end as slug, i.sha256,
           g.key as "categoryGroup"
    from listing l
    left join category c on c.id = l.category_id left join category_group g on g.id = c.group_id
    left join lateral (
      select sha256 from listing_image where listing_id = l.id and state = 'ready' order by position limit 1
    ) i on true
    where l.id = any(${[...ids]}::uuid[])`.execute(db)
  return new Map(
    rows.map(({ id, sha256, ...part }) => [
      id,
      { ...part, picture: sha256 && part.slug ? pictureUrl(id, sha256) : null },
    ]),
  )
}

const dollars = (cents: number): number => cents / 100
const amountsIn = (all: readonly { kind: LineKind; cents: number }[]): OrderAmount[] =>
  all.map(({ kind, cents }) => ({ kind, amount: dollars(cents) }))

function showPart(
  { parts }: Around,
  { id, listingId, quantity, priceCents, coreCents, state, facts }: OrderLine,
): BoughtPart {
  const part = parts.get(listingId)
  const { yard: _, returnDays: __, restockPct: ___, coreDays: ____, shelf: _____, ...said } = facts
  return {
    id,
    listingId,
    slug: part?.slug ?? null,
    imageUrl: part?.picture ?? null,
    categoryGroup: part?.categoryGroup ?? null,
    quantity,
    price: dollars(priceCents),
    core: dollars(coreCents),
    state,
    ...said,
  }
}

function showRefund(row: RefundRow): OrderRefund {
  const whole = centsOfRefund(row)
  for (const { kind, cents } of row.ofLines) whole[kind] -= cents
  const lines = [
    ...row.ofLines.map(({ kind, cents, line }) => ({ kind, amount: dollars(cents), line })),
    ...lineKinds.flatMap((kind) => (whole[kind] > 0 ? [{ kind, amount: dollars(whole[kind]) }] : [])),
  ]
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    amount: dollars(totalOfRefund(row)),
    lines,
    state: row.state,
    reason: row.reason,
  }
}

const disputeOf = ({ disputes }: Around, { id }: Order): DisputeRow | undefined => disputes.get(id)?.at(-1)

const showDispute = (row: DisputeRow | undefined): OrderDispute | null =>
  row === undefined
    ? null
    : { state: row.state, amount: dollars(row.amountCents), openedAt: row.createdAt.toISOString() }

const showReturns = (order: Order, { returns, yards }: Around, reader: TimelineReader) =>
  (returns.get(order.id) ?? []).map((row) => showReturn({ order, row }, yards.get(order.sellerId), reader))

function showShipment(order: Order): BuyerOrder['shipment'] {
  const shipment = shipmentOf(order)
  if (!shipment || !order.shippedAt || !order.carrier) return null
  return { ...shipment, carrier: order.carrier as Carrier, shippedAt: order.shippedAt.toISOString() }
}

/** The fields that every reader sees. Administrators read the yard's sentence, and a timeline of their own. */
function showFacts(order: Order, around: Around, reader: TimelineReader) {
  const refunds = around.refunds.get(order.id) ?? []
  const words = wordsOf(order, refunds)
  const deadline = deadlineOf(order)
  const total = totalCents(order)
  const yard = around.yards.get(order.sellerId)
  const isConfirmed = order.capturedCents > 0
  const dispute = disputeOf(around, order)
  return {
    id: order.id,
    number: order.number,
    state: order.state,
    lines: amountsIn(amountsOf(order) ?? []),
    total: total === undefined ? null : dollars(total),
    taxAdded: isBeforeTax(order),
    expiresAt: order.expiresAt?.toISOString() ?? null,
    mode: order.mode,
    delivery: order.delivery,
    held: order.heldAt !== null,
    disputed: order.disputed,
    dispute: showDispute(dispute),
    needsAttention: order.attention !== null || (dispute !== undefined && needsEvidence(dispute)),
    returns: showReturns(order, around, reader),
    returnUntil: order.returnUntil?.toISOString() ?? null,
    createdAt: order.createdAt.toISOString(),
    sentence: orderSentence(words, reader === 'buyer' ? 'buyer' : 'seller'),
    deadline: deadline && { at: deadline.toISOString(), zone: order.timeZone },
    parts: order.lines.map((line) => showPart(around, line)),
    ifMissing: order.ifMissing,
    shipsBy: words.shipsBy,
    shipment: showShipment(order),
    refunds: refunds.map(showRefund),
    timeline: (around.events.get(order.id) ?? [])
      .filter(({ kind }) => reader !== 'buyer' || isForBuyer(kind))
      .map(({ at, kind, side, detail }) => ({
        at: at.toISOString(),
        kind,
        by: side,
        text: timelineText({ kind, side, detail }, words, reader),
      })),
    yard: {
      name: order.sellerName,
      slug: yard?.slug ?? null,
      phone: isConfirmed ? (yard?.phone ?? null) : null,
      pickup: isConfirmed && order.delivery === 'pickup' && yard ? pickupOf(yard) : null,
    },
    vin: order.vin,
    vinConfirmed: order.vinConfirmed,
    review: showReview(around.reviews.get(order.id), reader),
  }
}

/** An order's `pay` is the buyer's once the price is known. */
const BUYER_STEPS: Record<BuyerAction, (order: Order, around: Around) => boolean> = {
  pay: (order) => allowsStep('pay', order) && totalCents(order) !== undefined,
  cancel: (order) => allowsStep('cancel', order),
  'ask-cancel': (order) => allowsStep('ask-cancel', order) && order.cancelAskedAt === null,
  received: (order) => allowsStep('received', order),
  delay: (order) => allowsStep('delay', order) && order.delayToldAt !== null,
  'new-code': (order) => order.state === 'ready',
  review: (order, { reviews }) => canReview(order, reviews.get(order.id)),
}

export async function showToBuyer(db: Db, orders: readonly Order[], now = new Date()): Promise<BuyerOrder[]> {
  const around = await readAround(db, orders)
  return orders.map((order) => ({
    ...showFacts(order, around, 'buyer'),
    actions: buyerActions.filter(
      (action) =>
        BUYER_STEPS[action](order, around) &&
        // While the bank decides, the buyer has nothing to do; the page says it.
        !(order.disputed && action !== 'review') &&
        !(STOPPED_BY_REFUND.includes(action) && isAllGoingBack(order, around.refunds.get(order.id) ?? [])),
    ),
    money: { captured: dollars(order.capturedCents), refunded: dollars(order.refundedCents) },
    name: order.name,
    email: order.email,
    phone: order.phone,
    address: addressOf(order),
    pickupCode: order.state === 'ready' ? order.pickupCode : null,
    returnChoices: showChoices(order, {
      now,
      rows: around.returns.get(order.id) ?? [],
      arrivedSilently: (around.events.get(order.id) ?? []).some(({ kind }) => kind === 'arrive'),
    }),
  }))
}

function addressOf({ line1, line2, city, region, zip }: Order): BuyerOrder['address'] {
  if (line1 === null || city === null || region === null || zip === null) return null
  return { line1, line2: line2 ?? '', city, state: region, zip }
}

const STOPPED_BY_HOLD: readonly OrderStep[] = ['confirm', 'ship', 'ready', 'hand-over']

/** No longer wanted once the buyer gets everything back. */
const STOPPED_BY_REFUND: readonly (SellerAction | BuyerAction)[] = [
  'ship',
  'ready',
  'hand-over',
  'refund',
  'ask-cancel',
  'delay',
]

function sellerActionsOf(order: Order, { refunds }: Around): SellerAction[] {
  const isGoingBack = isAllGoingBack(order, refunds.get(order.id) ?? [])
  return sellerActions.filter((action) => {
    if (action === 'restock') return canRestock(order)
    if (order.disputed || (isGoingBack && STOPPED_BY_REFUND.includes(action))) return false
    if (action === 'refund') return isRefundable(order)
    return allowsStep(action, order) && !(order.heldAt !== null && STOPPED_BY_HOLD.includes(action))
  })
}

/** Street, phone and email are the yard's only once the order is confirmed, and until 90 days after it was closed. */
const showsBuyer = (order: Order, now: Date): boolean =>
  order.capturedCents > 0 && (isPaid(order.state) || order.state === 'refunded') && !isPutAway(order, now)

const buyerForYard = (order: Order, now: Date): SellerOrder['buyer'] => {
  const address = addressOf(order)
  return showsBuyer(order, now)
    ? buyerInFull(order)
    : {
        name: firstName(order.name),
        email: null,
        phone: null,
        address: address && { line2: '', city: address.city, state: address.state, zip: address.zip },
      }
}

const buyerInFull = (order: Order): SellerOrder['buyer'] => ({
  name: order.name,
  email: order.email,
  phone: order.phone,
  address: addressOf(order),
})

type Reading = { reader: 'seller' | 'admin'; now: Date }

function showSeller(order: Order, around: YardAround, { reader, now }: Reading): SellerOrder {
  const money = around.money.get(order.id)
  const dispute = disputeOf(around, order)
  return {
    ...showFacts(order, around, reader),
    dispute: dispute ? showToYard(dispute, order) : null,
    actions: sellerActionsOf(order, around),
    money: {
      gross: dollars(order.capturedCents),
      royalty: dollars(order.royaltyCents),
      fee: order.feeCents === null ? null : dollars(order.feeCents),
      refunded: dollars(order.refundedCents),
      transferred: dollars(money?.transferredCents ?? 0),
    },
    payout: money?.payout ?? null,
    buyer: buyerForYard(order, now),
    shelf: shelvesOf(order),
    cancelAsked:
      order.cancelAskedAt !== null && order.state === 'confirmed' ? (order.cancelReason ?? '') : null,
  }
}

async function readYardAround(db: Db, orders: readonly Order[]): Promise<YardAround> {
  const [around, money] = await Promise.all([readAround(db, orders), readYardMoney(db, orders)])
  return { ...around, money }
}

export async function showToSeller(db: Db, orders: readonly Order[], now: Date): Promise<SellerOrder[]> {
  const around = await readYardAround(db, orders)
  return orders.map((order) => showSeller(order, around, { reader: 'seller', now }))
}

function shelvesOf({ lines }: Order): string | null {
  const shelves = new Set(lines.flatMap(({ facts }) => facts.shelf ?? []))
  return shelves.size === 0 ? null : [...shelves].join(', ')
}

function holdActionsOf({ state, heldAt }: Order): ('hold' | 'release')[] {
  if (isEnded(state)) return []
  return heldAt === null ? ['hold'] : ['release']
}

/** Of an order that was put away, the buyer only where `isTraced`: whoever reads it has left an entry in the audit log. */
export async function showToAdmin(
  db: Db,
  orders: readonly Order[],
  { isTraced = false, now }: { isTraced?: boolean; now: Date },
): Promise<AdminOrder[]> {
  const around = await readYardAround(db, orders)
  return orders.map((order) => ({
    ...showSeller(order, around, { reader: 'admin', now }),
    actions: [
      ...holdActionsOf(order),
      ...sellerActionsOf(order, around).filter((action) => action === 'refund'),
    ],
    buyer: isTraced || !isPutAway(order, now) ? buyerInFull(order) : buyerForYard(order, now),
    sellerId: order.sellerId,
    heldReason: order.heldReason,
    attention: order.attention,
    provider: { session: order.sessionId, payment: order.paymentId },
  }))
}
