import { z } from 'zod'
import {
  cents,
  flag,
  integer,
  metadata,
  StripeError,
  text,
  usd,
  webAddress,
} from '#server/simulator/parameters.ts'
import type { Work } from '#server/simulator/simulator.ts'
import {
  changeObject,
  findObject,
  insertObject,
  insertPage,
  lockObject,
  setDue,
  updateObject,
} from '#server/simulator/store.ts'
import {
  type Basket,
  basketOf,
  type Charge,
  type CheckoutSession,
  type Customer,
  type LineItem,
  newId,
  type PaymentIntent,
} from '#server/simulator/stripe-objects.ts'
import { cancel, confirm, decline, insertIntent } from './payment-intents.ts'

/* Checkout Sessions in payment mode: what they may ask for, and what paying does. */

const MINUTE_S = 60
const HOUR_S = 60 * MINUTE_S
// Sessions that nobody reads expire by themselves, and a payment may be under way at the last moment.
const UNREAD_MS = 5 * MINUTE_S * 1_000

const line = z.strictObject({
  price_data: z.strictObject({
    currency: usd,
    product_data: z.strictObject({
      description: text.optional(),
      images: z.array(webAddress).max(8).optional(),
      metadata: metadata.optional(),
      name: text,
      tax_code: z
        .string()
        .regex(/^txcd_\d{8}$/)
        .optional(),
    }),
    tax_behavior: z.enum(['exclusive', 'inclusive', 'unspecified']).optional(),
    unit_amount: integer.pipe(z.number().max(99_999_999)),
  }),
  quantity: integer.pipe(z.number().min(1).max(999_999)),
})

export const paymentSession = z.strictObject({
  automatic_tax: z
    .strictObject({
      enabled: flag,
      liability: z.strictObject({ type: z.literal('self') }).optional(),
    })
    .optional(),
  allowed_payment_method_types: z.array(text).min(1).optional(),
  cancel_url: webAddress.nullable().default(null),
  client_reference_id: z.string().min(1).max(200).nullable().default(null),
  customer: text.optional(),
  customer_email: z.email().optional(),
  expires_at: integer.optional(),
  line_items: z.array(line).min(1).max(100),
  locale: z
    .string()
    .regex(/^(auto|[a-z]{2,3}(-[A-Z0-9]{2,3})?)$/)
    .nullable()
    .default(null),
  metadata,
  mode: z.literal('payment'),
  payment_intent_data: z
    .strictObject({
      capture_method: z.enum(['automatic', 'automatic_async', 'manual']).default('automatic_async'),
      description: z.string().min(1).max(1_000).nullable().default(null),
      metadata,
      statement_descriptor_suffix: text.nullable().default(null),
      transfer_group: text.nullable().default(null),
    })
    .prefault({}),
  payment_method_configuration: z
    .string()
    .regex(/^pmc_\w+$/)
    .optional(),
  phone_number_collection: z.strictObject({ enabled: flag }).default({ enabled: false }),
  submit_type: z.enum(['auto', 'book', 'donate', 'pay']).nullable().default(null),
  success_url: webAddress,
})

type Given = z.output<typeof paymentSession>

export async function openPayment(work: Work, given: Given): Promise<CheckoutSession> {
  const { now, simulator } = work
  refusePairs(given)
  checkExpiry(work, given.expires_at)
  checkSuffix(work, given.payment_intent_data.statement_descriptor_suffix)
  const customer = await customerOf(work, given.customer)
  const lines = linesOf(work, given, customer)
  const id = newId('cs_test')
  const expires_at = given.expires_at ?? now + 24 * HOUR_S
  const path = await insertPage(work, 'checkout', { subject: id, seconds: expires_at - now })
  const session: CheckoutSession = {
    id,
    object: 'checkout.session',
    ...amountsOf(lines),
    automatic_tax: taxOf(given, customer),
    cancel_url: given.cancel_url,
    client_reference_id: given.client_reference_id,
    created: now,
    currency: 'usd',
    customer: customer?.id ?? null,
    customer_details: null,
    customer_email: given.customer_email ?? null,
    expires_at,
    livemode: false,
    locale: given.locale,
    metadata: given.metadata,
    mode: 'payment',
    payment_intent: null,
    payment_method_types: given.allowed_payment_method_types ?? ['card'],
    payment_status: 'unpaid',
    phone_number_collection: given.phone_number_collection,
    status: 'open',
    submit_type: given.submit_type,
    subscription: null,
    success_url: given.success_url,
    url: `${simulator.url}${path}`,
  }
  await insertObject(work.db, session, customer?.id)
  const basket = { id: basketOf(id), object: 'basket', lines, intent: given.payment_intent_data } as const
  await insertObject(work.db, basket)
  await setDue(work.db, id, expires_at * 1_000 + UNREAD_MS)
  return session
}

function amountsOf(
  lines: readonly LineItem[],
): Pick<CheckoutSession, 'amount_subtotal' | 'amount_total' | 'total_details'> {
  const sum = (of: (item: LineItem) => number) => lines.reduce((total, item) => total + of(item), 0)
  const amount_total = sum((item) => item.amount_total)
  if (!cents.safeParse(String(amount_total)).success || amount_total < LEAST_CENTS) {
    throw new StripeError(400, "The Checkout Session's total amount due must add up to at least $0.50 usd", {
      code: 'amount_too_small',
    })
  }
  return {
    amount_subtotal: sum((item) => item.amount_subtotal),
    amount_total,
    total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: sum((item) => item.amount_tax) },
  }
}

function taxOf(
  { automatic_tax: tax }: Given,
  customer: Customer | undefined,
): CheckoutSession['automatic_tax'] {
  if (!tax?.enabled) return { enabled: false, liability: null, provider: null, status: null }
  const status = customer ? 'complete' : 'requires_location_inputs'
  return { enabled: true, liability: { type: 'self' }, provider: 'stripe', status }
}

// Stripe's least charge in US dollars.
const LEAST_CENTS = 50

function refusePairs(given: Given): void {
  const pairs = [
    ['customer', 'customer_email'],
    ['allowed_payment_method_types', 'payment_method_configuration'],
  ] as const
  for (const [one, other] of pairs) {
    if (given[one] !== undefined && given[other] !== undefined) {
      throw new StripeError(400, `You may only specify one of these parameters: ${one}, ${other}.`, {
        param: one,
      })
    }
  }
}

function checkExpiry({ now }: Work, at: number | undefined): void {
  if (at === undefined) return
  const facts = { param: 'expires_at' }
  if (at < now + 30 * MINUTE_S) {
    throw new StripeError(
      400,
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      facts,
    )
  }
  if (at > now + 24 * HOUR_S) {
    throw new StripeError(
      400,
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      facts,
    )
  }
}

// What card networks print.
const LONGEST_DESCRIPTOR = 22

function checkSuffix({ simulator }: Work, suffix: string | null): void {
  if (suffix === null) return
  const refuse = (message: string) =>
    new StripeError(400, message, { param: 'payment_intent_data[statement_descriptor_suffix]' })
  if (/[<>\\'"*]/.test(suffix)) {
    throw refuse('The statement descriptor suffix cannot contain any of these characters: < > \\ \' " *')
  }
  if (!/^[\u0020-\u007e]+$/.test(suffix)) {
    throw refuse('The statement descriptor suffix must contain only Latin characters.')
  }
  if (!/[A-Za-z]/.test(suffix)) {
    throw refuse('The statement descriptor suffix must contain at least one letter.')
  }
  const whole = `${simulator.behavior.setup.statementPrefix}* ${suffix}`
  if (whole.length > LONGEST_DESCRIPTOR) {
    throw refuse(
      `The statement descriptor must be at most ${LONGEST_DESCRIPTOR} characters. '${whole}' has ${whole.length}.`,
    )
  }
}

async function customerOf({ db }: Work, id: string | undefined): Promise<Customer | undefined> {
  if (id === undefined) return undefined
  const customer = await findObject(db, 'customer', id)
  if (customer) return customer
  throw new StripeError(400, `No such customer: '${id}'`, { code: 'resource_missing', param: 'customer' })
}

function linesOf(work: Work, given: Given, customer: Customer | undefined): LineItem[] {
  const rate = given.automatic_tax?.enabled ? taxRateOf(work, customer) : 0
  return given.line_items.map(({ price_data: price, quantity }) => {
    const subtotal = price.unit_amount * quantity
    // What the tax settings of the platform say of unspecified prices.
    const isInclusive = price.tax_behavior === 'inclusive'
    const tax = Math.round(isInclusive ? subtotal - subtotal / (1 + rate) : subtotal * rate)
    return {
      id: newId('li'),
      object: 'item',
      amount_discount: 0,
      amount_subtotal: subtotal,
      amount_tax: tax,
      amount_total: isInclusive ? subtotal : subtotal + tax,
      currency: 'usd',
      description: price.product_data.name,
      price: {
        id: newId('price'),
        object: 'price',
        currency: 'usd',
        tax_behavior: price.tax_behavior ?? 'unspecified',
        type: 'one_time',
        unit_amount: price.unit_amount,
      },
      quantity,
    }
  })
}

/** 0 without a registration for the state: Stripe reports no error. */
function taxRateOf({ simulator }: Work, customer: Customer | undefined): number {
  if (!customer) return 0
  const address = customer.shipping?.address ?? customer.address
  if (!address?.country || !address.postal_code) {
    throw new StripeError(
      400,
      "Automatic tax calculation in Checkout requires a valid address on the Customer. Add a valid address to the Customer or set either `customer_update[address]` to 'auto' or `customer_update[shipping]` to 'auto' to save the address entered in Checkout to the Customer.",
      { code: 'customer_tax_location_invalid', param: 'automatic_tax[enabled]' },
    )
  }
  const { taxStates, taxRate } = simulator.behavior.setup
  return taxStates.includes(address.state ?? '') ? taxRate : 0
}

/** Pays an open session; a card that Radar blocks leaves it open. */
export async function payPayment(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  const billing = await billingOf(work, session)
  const intent = await confirm(work, await intentOf(work, session), billing)
  if (intent.status !== 'requires_payment_method') return complete(work, session, { intent, billing })
  return keep(work, { ...session, payment_intent: intent.id })
}

/** Pays by a bank debit that takes days: `finishDelayed` ends it. It cannot be authorized first. */
export async function payDelayed(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  const intent = await intentOf(work, session)
  if (intent.capture_method === 'manual') return session
  const fields = { status: 'processing' } as const
  const begun = await changeObject(work, intent, { fields, type: 'payment_intent.processing' })
  return complete(work, session, { intent: begun, billing: await billingOf(work, session) })
}

/** The bank debit of a complete session succeeds or fails. */
export async function finishDelayed(
  work: Work,
  session: CheckoutSession,
  outcome: 'succeeded' | 'failed',
): Promise<CheckoutSession> {
  const intent = await lockObject(work.db, 'payment_intent', session.payment_intent ?? '')
  if (intent?.status !== 'processing') throw new StripeError(400, `${session.id} awaits no bank.`)
  const end = outcome === 'succeeded' ? confirm : decline
  await end(work, intent, await billingOf(work, session))
  return changeObject(work, session, {
    fields: outcome === 'succeeded' ? { payment_status: 'paid' } : {},
    type: `checkout.session.async_payment_${outcome}`,
  })
}

type Payment = { readonly intent: PaymentIntent; readonly billing: Charge['billing_details'] }

async function complete(
  work: Work,
  session: CheckoutSession,
  { intent, billing }: Payment,
): Promise<CheckoutSession> {
  const { address, email, name, phone } = billing
  await setDue(work.db, session.id, null)
  return changeObject(work, session, {
    fields: {
      customer_details: {
        address,
        business_name: null,
        email,
        individual_name: null,
        name,
        phone,
        tax_exempt: 'none',
        tax_ids: [],
      },
      payment_intent: intent.id,
      payment_status: intent.status === 'succeeded' ? 'paid' : 'unpaid',
      status: 'complete',
      url: null,
    },
    type: 'checkout.session.completed',
  })
}

export async function declinePayment(work: Work, session: CheckoutSession): Promise<CheckoutSession> {
  const { id } = await decline(work, await intentOf(work, session), await billingOf(work, session))
  return keep(work, { ...session, payment_intent: id })
}

async function keep({ db }: Work, session: CheckoutSession): Promise<CheckoutSession> {
  await updateObject(db, session)
  return session
}

/** Cancels what an expired session left behind. */
export async function endIntentOf(work: Work, { payment_intent: id }: CheckoutSession): Promise<void> {
  const intent = id === null ? undefined : await lockObject(work.db, 'payment_intent', id)
  if (intent?.status === 'requires_payment_method') await cancel(work, intent, 'expired')
}

/** The session's PaymentIntent, which exists from the first attempt to pay. */
async function intentOf(work: Work, session: CheckoutSession): Promise<PaymentIntent> {
  const { id, amount_total: amount, customer, payment_intent } = session
  const made =
    payment_intent === null ? undefined : await lockObject(work.db, 'payment_intent', payment_intent)
  if (made) return made
  const basket = await findBasket(work, id)
  return insertIntent(work, { ...basket.intent, amount: amount ?? 0, customer })
}

export async function findBasket({ db }: Work, session: string): Promise<Basket> {
  const basket = await findObject(db, 'basket', basketOf(session))
  if (!basket) throw new Error(`${session} has no basket`)
  return basket
}

async function billingOf({ db }: Work, session: CheckoutSession): Promise<Charge['billing_details']> {
  const customer = session.customer === null ? undefined : await findObject(db, 'customer', session.customer)
  return {
    address: customer?.address ?? customer?.shipping?.address ?? null,
    email: customer?.email ?? session.customer_email,
    name: customer?.name ?? null,
    phone: customer?.phone ?? null,
    tax_id: null,
  }
}
