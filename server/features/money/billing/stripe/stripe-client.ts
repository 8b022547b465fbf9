import { createHash, randomUUID } from 'node:crypto'
import Stripe from 'stripe'
import { z } from 'zod'
import {
  type Checkout,
  type Money,
  type PaymentCalls,
  type Price,
  type ProviderCalls,
  type ProviderEvent,
  ProviderFailure,
  type StripeClient,
  type ThinEvent,
  type TransferCalls,
} from '#server/features/money/billing/provider.ts'
import type { PayoutAccount, Subscription } from '#server/features/money/billing/provider-state.ts'
import { isLiveKey, type Payments } from '#server/payments-settings.ts'
import { hostIn } from '#server/platform/net/addresses.ts'
import { asker, TRY_MS } from './call-in-time.ts'
import { paymentCalls } from './payment-calls.ts'
import { transferCalls } from './transfer-calls.ts'

/* The calls the product makes; converts the SDK's objects to our own types. */

export type PaymentProvider = Exclude<Payments, { kind: 'off' }>

export function openStripeClient(payments: PaymentProvider): StripeClient {
  const stripe = openSdk(payments)
  const secrets = payments.webhookSecret.split(',')
  const { proPriceId: priceId, formerPriceIds, secretKey } = payments
  const proPriceIds = [priceId, ...formerPriceIds]
  const home = { mode: isLiveKey(secretKey) ? 'live' : 'test', account: undefined }
  return {
    priceId,
    proPriceIds,
    within: (ms) => callsOf({ stripe, proPriceIds, home, deadline: performance.now() + ms }),
    readEvent: (body, signature) => readDelivery(stripe, secrets, { body, signature }),
  }
}

/** For the setup checks, which make other calls. */
export type StripeSdk = Stripe

export function openSdk(payments: PaymentProvider): StripeSdk {
  return new Stripe(payments.secretKey, {
    ...(payments.kind === 'simulator' && addressOf(payments.url)),
    // `tryInTime` retries: the SDK would wait for its full timeout on every try.
    maxNetworkRetries: 0,
    timeout: TRY_MS,
    telemetry: false,
  })
}

function addressOf(url: string): { host: string; port: string; protocol: 'http' | 'https' } {
  const at = new URL(url)
  const { port, protocol } = at
  const isHttp = protocol === 'http:'
  return {
    host: hostIn(at),
    port: port || (isHttp ? '80' : '443'),
    protocol: isHttp ? 'http' : 'https',
  }
}

/* Webhooks: verifying that a delivery comes from the provider. */

type Delivered = { body: Buffer; signature: string | undefined }

/**
 * Tries each secret; returns undefined if the body is not an event, or its signature is missing, wrong, too old or in
 * the future.
 */
function readDelivery(
  stripe: Stripe,
  secrets: readonly string[],
  delivered: Delivered,
): ProviderEvent | ThinEvent | undefined {
  for (const secret of secrets) {
    const event = verifiedEvent(stripe, { ...delivered, secret })
    if (event) return event
  }
  return undefined
}

/** Identifies a signing secret without revealing it. */
export const secretName = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 8)

const words = z.string().min(1).max(255)
const eventShape = z.object({
  id: words,
  type: words,
  account: words.optional(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
const thinShape = z.object({ id: words, type: words })

function verifiedEvent(
  stripe: Stripe,
  { body, signature = '', secret }: Delivered & { secret: string },
): ProviderEvent | ThinEvent | undefined {
  try {
    const isThin = isThinBody(body)
    const event: unknown = isThin
      ? stripe.parseEventNotification(body, signature, secret)
      : stripe.webhooks.constructEvent(body, signature, secret)
    if (isDatedAhead(signature)) return undefined
    if (isThin) return { ...thinShape.parse(event), isThin }
    const { data, ...facts } = eventShape.parse(event)
    return { ...facts, account: facts.account, object: data.object, signedBy: secretName(secret) }
  } catch {
    return undefined
  }
}

/** The SDK verifies thin events and others by different calls, so the kind must be known first. */
function isThinBody(body: Buffer): boolean {
  const parsed: unknown = JSON.parse(body.toString())
  return (
    typeof parsed === 'object' && parsed !== null && 'object' in parsed && parsed.object === 'v2.core.event'
  )
}

// The SDK's own limit for old events. It accepts any future time, so a captured event dated ahead could be replayed
// until then.
const CLOCK_SKEW_MS = 300_000

/** Checks every time in the header, because the SDK verifies only one of them. */
function isDatedAhead(signature: string): boolean {
  const times = signature.split(',').flatMap((item) => {
    const [name, seconds = ''] = item.split('=')
    return name === 't' ? [Number.parseInt(seconds, 10) * 1_000] : []
  })
  return !times.every((at) => at <= Date.now() + CLOCK_SKEW_MS)
}

type Context = {
  stripe: Stripe
  /** The first is for sale; all give Pro. */
  proPriceIds: readonly string[]
  /** The first call that needs the account fills it in. */
  home: { mode: string; account: string | undefined }
  deadline: number
}

function callsOf(context: Context): ProviderCalls {
  return {
    ...platformCalls(context),
    ...customerCalls(context),
    ...accountCalls(context),
    ...paymentCalls(context),
    ...transferCalls(context),
  }
}

type CustomerCall =
  | 'createCustomer'
  | 'createSubscription'
  | 'listSubscriptions'
  | 'cancelSubscription'
  | 'endAtPeriodEnd'
  | 'updateCustomerEmail'
  | 'createCheckout'
  | 'findCheckout'
  | 'expireCheckout'
  | 'createPortal'

function customerCalls({ stripe, proPriceIds, deadline }: Context): Pick<ProviderCalls, CustomerCall> {
  const ask = asker(deadline)
  const [priceId = ''] = proPriceIds
  return {
    createCustomer: async ({ sellerId, name, email, paymentMethod }, key) => {
      const card = paymentMethod && {
        payment_method: paymentMethod,
        invoice_settings: { default_payment_method: paymentMethod },
      }
      const params = { name, email, metadata: { sellerId }, ...card }
      return (await ask((options) => stripe.customers.create(params, options), key)).id
    },
    createSubscription: async (customer, key) => {
      const params = { customer, items: [{ price: priceId }] }
      await ask((options) => stripe.subscriptions.create(params, options), key)
    },
    listSubscriptions: async (customer) => {
      const all: Subscription[] = []
      let after: string | undefined
      for (;;) {
        const params = {
          customer,
          status: 'all',
          limit: 100,
          ...(after && { starting_after: after }),
        } as const
        const page = await ask((options) => stripe.subscriptions.list(params, options))
        all.push(...page.data.map((found) => subscriptionOf(found, proPriceIds)))
        after = page.data.at(-1)?.id
        if (!page.has_more || after === undefined) return all
      }
    },
    cancelSubscription: async (id) => {
      await ask((options) => stripe.subscriptions.cancel(id, {}, options))
    },
    endAtPeriodEnd: async (id) => {
      const params = { cancel_at_period_end: true }
      await ask((options) => stripe.subscriptions.update(id, params, options), randomUUID())
    },
    updateCustomerEmail: async (id, email) => {
      await ask((options) => stripe.customers.update(id, { email }, options), randomUUID())
    },
    expireCheckout: async (id) => {
      await ask((options) => stripe.checkout.sessions.expire(id, {}, options), randomUUID())
    },
    createCheckout: async ({ sellerId, customerId, successUrl, cancelUrl }, key) => {
      const params: Stripe.Checkout.SessionCreateParams = {
        mode: 'subscription',
        customer: customerId,
        line_items: [{ price: priceId, quantity: 1 }],
        success_url: successUrl,
        cancel_url: cancelUrl,
        client_reference_id: sellerId,
      }
      return checkoutOf(await ask((options) => stripe.checkout.sessions.create(params, options), key))
    },
    findCheckout: async (id) =>
      orMissing(async () =>
        checkoutOf(await ask((options) => stripe.checkout.sessions.retrieve(id, {}, options))),
      ),
    createPortal: async (customer, returnUrl) => {
      const params = { customer, return_url: returnUrl }
      return (await ask((options) => stripe.billingPortal.sessions.create(params, options), randomUUID())).url
    },
  }
}

type PlatformCall = 'findPrice' | 'getHome'

function platformCalls({ stripe, proPriceIds, home, deadline }: Context): Pick<ProviderCalls, PlatformCall> {
  const ask = asker(deadline)
  return {
    findPrice: async () => {
      const [id = ''] = proPriceIds
      const params = { expand: ['product'] }
      return orMissing(async () =>
        priceOf(await ask((options) => stripe.prices.retrieve(id, params, options))),
      )
    },
    getHome: async () => {
      home.account ??= (await ask((options) => stripe.accounts.retrieveCurrent({}, options))).id
      return `${home.mode} ${home.account}`
    },
  }
}

type AccountCalls = Omit<
  ProviderCalls,
  CustomerCall | PlatformCall | keyof PaymentCalls | keyof TransferCalls
>

function accountCalls({ stripe, deadline }: Context): AccountCalls {
  const ask = asker(deadline)
  return {
    createAccount: async ({ sellerId, email, metadata }, key) => {
      const params: Stripe.AccountCreateParams = {
        type: 'express',
        email,
        capabilities: { transfers: { requested: true }, card_payments: { requested: true } },
        metadata: { sellerId, ...metadata },
      }
      return (await ask((options) => stripe.accounts.create(params, options), key)).id
    },
    getAccount: async (id) => accountOf(await ask((options) => stripe.accounts.retrieve(id, {}, options))),
    createOnboardingLink: async (account, { refreshUrl, returnUrl }) => {
      const params: Stripe.AccountLinkCreateParams = {
        account,
        type: 'account_onboarding',
        refresh_url: refreshUrl,
        return_url: returnUrl,
      }
      return (await ask((options) => stripe.accountLinks.create(params, options), randomUUID())).url
    },
    createLoginLink: async (account) =>
      (await ask((options) => stripe.accounts.createLoginLink(account, {}, options), randomUUID())).url,
    getBalance: async (account) => {
      const { available, pending } = await ask((options) =>
        stripe.balance.retrieve({}, { ...options, stripeAccount: account }),
      )
      return { available: available.map(moneyOf), pending: pending.map(moneyOf) }
    },
  }
}

async function orMissing<T>(find: () => Promise<T>): Promise<T | undefined> {
  try {
    return await find()
  } catch (error) {
    if (error instanceof ProviderFailure && error.isMissing) return undefined
    throw error
  }
}

const idOf = (ref: string | { id: string } | null): string | null =>
  typeof ref === 'string' ? ref : (ref?.id ?? null)
const moment = (seconds: number | null | undefined): Date | null =>
  seconds == null ? null : new Date(seconds * 1_000)

function subscriptionOf(found: Stripe.Subscription, proPriceIds: readonly string[]): Subscription {
  const items = found.items.data
  const item = items.find(({ price }) => proPriceIds.includes(price.id)) ?? items[0]
  return {
    id: found.id,
    status: found.status,
    priceId: item?.price.id ?? null,
    isOfPro: item !== undefined && proPriceIds.includes(item.price.id),
    createdAt: new Date(found.created * 1_000),
    periodEnd: moment(item?.current_period_end),
    cancelAtPeriodEnd: found.cancel_at_period_end,
    cancelAt: moment(found.cancel_at),
  }
}

function priceOf(found: Stripe.Price): Price {
  const { id, active, recurring, currency, product } = found
  const isProductActive = typeof product === 'string' || ('active' in product && product.active)
  return {
    id,
    isActive: active && isProductActive,
    isMonthly: recurring?.interval === 'month' && recurring.interval_count === 1,
    amount: recurring?.usage_type === 'metered' ? null : found.unit_amount,
    currency,
  }
}

const CHECKOUT_STATUSES = ['complete', 'expired'] as const

function checkoutOf(found: Stripe.Checkout.Session): Checkout {
  const { status } = found
  return {
    id: found.id,
    url: found.url,
    status: CHECKOUT_STATUSES.find((known) => known === status) ?? 'open',
    customerId: idOf(found.customer),
    subscriptionId: idOf(found.subscription),
  }
}

function accountOf({ requirements: needs, capabilities, ...found }: Stripe.Account): PayoutAccount {
  return {
    id: found.id,
    detailsSubmitted: found.details_submitted,
    chargesEnabled: found.charges_enabled,
    payoutsEnabled: found.payouts_enabled,
    canTransfer: capabilities?.transfers === 'active',
    disabledReason: needs?.disabled_reason ?? null,
    currentlyDue: needs?.currently_due ?? [],
    pastDue: needs?.past_due ?? [],
    deadline: moment(needs?.current_deadline),
  }
}

const moneyOf = ({ amount, currency }: Money): Money => ({ amount, currency })
