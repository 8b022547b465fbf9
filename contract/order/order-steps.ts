/*
 * What an order can be and what can happen to it. One table, read by the server, the screens and the mails: a step that is
 * not in it is refused with 409 STATE.
 */

export const orderStates = [
  'quoting',
  'pending',
  'authorized',
  'capturing',
  'confirmed',
  'ready',
  'shipped',
  'delivered',
  'closed',
  'expired',
  'canceled',
  'not-found',
  'refunded',
] as const
export type OrderState = (typeof orderStates)[number]

/** Short names for lists and badges. */
export const orderStateLabels: Readonly<Record<OrderState, string>> = {
  quoting: 'Shipping price asked',
  pending: 'Waiting for payment',
  authorized: 'Waiting for the yard',
  capturing: 'Taking payment',
  confirmed: 'Confirmed',
  ready: 'Ready for pickup',
  shipped: 'Shipped',
  delivered: 'Delivered',
  closed: 'Closed',
  expired: 'Not paid in time',
  canceled: 'Canceled',
  'not-found': 'Part not found',
  refunded: 'Refunded',
}

/** What a badge says of an order: once the shipping price is named, it waits for its buyer. */
export const orderStateLabel = ({ state, total }: { state: OrderState; total: number | null }): string =>
  orderStateLabels[state === 'quoting' && total !== null ? 'pending' : state]

/** Ended without a sale, or with all of its money back. */
export const isEnded = (state: OrderState): boolean =>
  state === 'expired' || state === 'canceled' || state === 'not-found' || state === 'refunded'

/** The part is the buyer's unless the yard cannot find it: it cannot be ended, deleted or sold otherwise. */
export const isBinding = (state: OrderState): boolean =>
  state === 'authorized' || state === 'capturing' || isPaid(state)

/** The money was taken, and the part is on its way to the buyer. */
export const isPaid = (state: OrderState): boolean =>
  state === 'confirmed' ||
  state === 'ready' ||
  state === 'shipped' ||
  state === 'delivered' ||
  state === 'closed'

/** Neither ended nor delivered. An account with such an order cannot be closed. */
export const isOpen = (state: OrderState): boolean =>
  !isEnded(state) && state !== 'delivered' && state !== 'closed'

export type OrderSide = 'buyer' | 'seller' | 'admin' | 'provider' | 'clock'
export type Delivery = 'ship' | 'pickup'
/** Whether the yard looks for the part before the money is taken, or sells it at once. */
export type SaleMode = 'confirm' | 'instant'
/** What becomes of the others if one of several parts is not there. */
export const ifMissingChoices = ['send', 'cancel'] as const
export type IfMissing = (typeof ifMissingChoices)[number]

type Step = {
  readonly from: readonly OrderState[]
  readonly to: OrderState
  readonly by: OrderSide
  /** Only of orders with this delivery. */
  readonly delivery?: Delivery
  /** Only of orders of yards with this mode, in these states. */
  readonly mode?: { readonly of: SaleMode; readonly in: readonly OrderState[] }
}

/**
 * Everything that moves an order. Money that arrives after the hold ended revives an expired order if the part is still
 * there. `refund` and `ask-cancel` change no state: an order is `refunded` once every captured cent has come back. With a
 * lost dispute, `charge-back` ends an order whose part is still in the yard; any other goes on as it was.
 */
export const orderSteps = {
  quote: { from: ['quoting'], to: 'quoting', by: 'seller' },
  pay: { from: ['quoting', 'pending'], to: 'pending', by: 'buyer' },
  authorize: { from: ['pending', 'expired'], to: 'authorized', by: 'provider' },
  take: { from: ['pending', 'expired'], to: 'confirmed', by: 'provider' },
  confirm: { from: ['authorized'], to: 'capturing', by: 'seller' },
  capture: { from: ['capturing'], to: 'confirmed', by: 'provider' },
  lose: { from: ['authorized', 'capturing'], to: 'canceled', by: 'provider' },
  'not-found': {
    from: ['authorized', 'confirmed'],
    to: 'not-found',
    by: 'seller',
    mode: { of: 'instant', in: ['confirmed'] },
  },
  cancel: { from: ['quoting', 'pending', 'authorized'], to: 'canceled', by: 'buyer' },
  'ask-cancel': { from: ['confirmed'], to: 'confirmed', by: 'buyer' },
  drop: { from: ['quoting', 'pending', 'authorized'], to: 'canceled', by: 'admin' },
  expire: { from: ['quoting', 'pending'], to: 'expired', by: 'clock' },
  miss: { from: ['authorized'], to: 'canceled', by: 'clock' },
  delay: { from: ['confirmed'], to: 'confirmed', by: 'buyer' },
  ship: { from: ['confirmed'], to: 'shipped', by: 'seller', delivery: 'ship' },
  ready: { from: ['confirmed'], to: 'ready', by: 'seller', delivery: 'pickup' },
  'hand-over': { from: ['ready'], to: 'delivered', by: 'seller' },
  received: { from: ['shipped'], to: 'delivered', by: 'buyer' },
  arrive: { from: ['shipped'], to: 'delivered', by: 'clock' },
  refund: {
    from: ['confirmed', 'ready', 'shipped', 'delivered', 'closed'],
    to: 'refunded',
    by: 'seller',
  },
  'charge-back': { from: ['confirmed', 'ready'], to: 'canceled', by: 'provider' },
  close: { from: ['delivered'], to: 'closed', by: 'clock' },
} as const satisfies Record<string, Step>

export type OrderStep = keyof typeof orderSteps
export const orderStepNames = Object.keys(orderSteps) as OrderStep[]

export type StepContext = { readonly state: OrderState; readonly delivery: Delivery; readonly mode: SaleMode }

/** Whether the table allows a step. */
export function allowsStep(name: OrderStep, { state, delivery, mode }: StepContext): boolean {
  const step: Step = orderSteps[name]
  if (!step.from.includes(state)) return false
  if (step.delivery !== undefined && step.delivery !== delivery) return false
  return step.mode === undefined || !step.mode.in.includes(state) || step.mode.of === mode
}

/** What a person can do with an order now. */
export const buyerActions = [
  'pay',
  'cancel',
  'ask-cancel',
  'received',
  'delay',
  'new-code',
  /** Say what the yard is like, or change it before it is published. */
  'review',
] as const
export type BuyerAction = (typeof buyerActions)[number]
export const sellerActions = [
  'quote',
  'confirm',
  'not-found',
  'ship',
  'ready',
  'hand-over',
  'refund',
  /** Say whether the part of an ended order is on the shelf again. */
  'restock',
] as const
export type SellerAction = (typeof sellerActions)[number]
export const adminActions = ['hold', 'release', 'refund'] as const

/** The reason of a browser that came back from the payment page without paying: it cancels unpaid orders only. */
export const LEFT_PAYMENT = 'left the payment page'

/* Limits and deadlines. Reasons are in docs/decisions/0110. */

const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The provider's shortest session is 30 minutes; one more for the way there. */
export const UNPAID_MS = 31 * MINUTE_MS
/** An accepted offer holds the part. */
export const OFFER_HOLD_MS = 48 * HOUR_MS
/** The yard's time to find the part; at least one full opening day. */
export const CONFIRM_MS = 72 * HOUR_MS
/** An authorization is captured or dropped well before the bank lets go of it. */
export const BEFORE_CAPTURE_ENDS_MS = 12 * HOUR_MS
/** The yard's time to name a shipping price, and the buyer's to pay after it. */
export const QUOTE_MS = 72 * HOUR_MS
export const QUOTE_VALID_MS = 48 * HOUR_MS
/** "Did it arrive?" is asked twice; silence counts as yes. */
export const ASK_ARRIVED_DAYS = [7, 12] as const
export const ARRIVED_DAYS = 14
/** A part that is ready: a reminder, then the money back. */
export const PICKUP_REMINDER_DAYS = 7
export const PICKUP_DAYS = 10

/** Orders that are not paid, and parts in them. */
export const UNPAID_HOLDS = { byBuyer: 2, partsByBuyer: 10, byNetwork: 5, partsByNetwork: 20 } as const
/** No second hold on the same part after one lapsed. */
export const AGAIN_MS = 2 * HOUR_MS
/** Administrators get an email if more than this share of a yard's parts is in unpaid holds. */
export const MANY_HELD_SHARE = 0.1

export const carriers = {
  ups: 'UPS',
  fedex: 'FedEx',
  usps: 'USPS',
  dhl: 'DHL',
  freight: 'Freight',
  other: 'Other',
} as const
export type Carrier = keyof typeof carriers

/** Where the carrier shows a parcel, or null. */
export function trackingUrl(carrier: Carrier, tracking: string): string | null {
  const number = encodeURIComponent(tracking)
  const pages: Partial<Record<Carrier, string>> = {
    ups: `https://www.ups.com/track?tracknum=${number}`,
    fedex: `https://www.fedex.com/fedextrack/?trknbr=${number}`,
    usps: `https://tools.usps.com/go/TrackConfirmAction?tLabels=${number}`,
    dhl: `https://www.dhl.com/us-en/home/tracking.html?tracking-id=${number}`,
  }
  return tracking === '' ? null : (pages[carrier] ?? null)
}
