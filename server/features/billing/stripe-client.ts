import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import Stripe from 'stripe'
import { z } from 'zod'
import type { Payments } from '#server/payments-settings.ts'
import { hostIn } from '#server/platform/net/addresses.ts'
import {
  type Checkout,
  type Money,
  type ProviderCalls,
  type ProviderEvent,
  ProviderFailure,
  type StripeClient,
} from './provider.ts'
import type { PayoutAccount, Subscription } from './provider-state.ts'

export type Times = {
  /** When all tries must be over, by `performance.now()`. */
  readonly deadline: number
  /** How long one try may wait for a response. */
  readonly tryMs: number
  readonly pauseMs: number
}

const TRIES = 3
// Less time than this is not worth another try: a good call takes 0.2 to 1 s, including a new connection.
const MIN_TRY_MS = 1_500

/**
 * Calls up to three times, with a doubling pause, as long as the failure may pass and time is left; if another call with
 * the same key is in progress, until that one is done. Never beyond the deadline, no matter how slow the response.
 * @throws ProviderFailure
 */
export async function tryInTime<T>(ask: (timeoutMs: number) => Promise<T>, times: Times): Promise<T> {
  for (let tried = 1; ; tried += 1) {
    const left = times.deadline - performance.now()
    if (left <= 0) throw tooLate()
    try {
      return await withinTime(ask(Math.ceil(Math.min(left, times.tryMs))), left)
    } catch (error) {
      // Other clicks fail at the same moment; jitter keeps them from all retrying at the same moment.
      const pause = times.pauseMs * 2 ** (tried - 1) * (1 + Math.random() / 2)
      const mayTryAgain =
        error instanceof ProviderFailure && error.mayPass && (tried < TRIES || error.isUnderWay)
      if (!mayTryAgain || times.deadline - performance.now() < pause + MIN_TRY_MS) throw error
      await sleep(pause)
    }
  }
}

async function withinTime<T>(answer: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController()
  const late = sleep(ms, undefined, { signal: timer.signal }).then(() => {
    throw tooLate()
  })
  // Aborting the timer rejects it, too.
  late.catch(() => undefined)
  try {
    return await Promise.race([answer, late])
  } finally {
    timer.abort()
  }
}

function tooLate(): ProviderFailure {
  return new ProviderFailure('The payment provider did not respond in time', {
    code: undefined,
    status: undefined,
    mayPass: true,
    cause: undefined,
  })
}

/* The only file that knows the SDK: its objects are converted to our own types here. */

// Longer than a good call ever takes (1 s), short enough for a person to wait.
const TRY_MS = 8_000
const PAUSE_MS = 300

export function openStripeClient(payments: Exclude<Payments, { kind: 'off' }>): StripeClient {
  const stripe = new Stripe(payments.secretKey, {
    ...(payments.kind === 'simulator' && addressOf(payments.url)),
    // `tryInTime` retries: the SDK would wait for its full timeout on every try.
    maxNetworkRetries: 0,
    timeout: TRY_MS,
    telemetry: false,
  })
  const secrets = payments.webhookSecret.split(',')
  return {
    within: (ms) => callsOf({ stripe, priceId: payments.proPriceId, deadline: performance.now() + ms }),
    readEvent: (body, signature) => {
      for (const secret of secrets) {
        const event = verifiedEvent(stripe, { body, signature, secret })
        if (event) return event
      }
      return undefined
    },
  }
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

const words = z.string().min(1).max(255)
const eventShape = z.object({
  id: words,
  type: words,
  account: words.optional(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})

type Delivered = { body: Buffer; signature: string | undefined; secret: string }

function verifiedEvent(stripe: Stripe, { body, signature, secret }: Delivered): ProviderEvent | undefined {
  try {
    const { data, ...event } = eventShape.parse(stripe.webhooks.constructEvent(body, signature ?? '', secret))
    if (isDatedAhead(signature)) return undefined
    return { ...event, account: event.account, object: data.object }
  } catch {
    return undefined
  }
}

// As far back as the SDK accepts. It accepts any time ahead, and whoever captured such an event could replay it until then.
const CLOCK_SKEW_MS = 300_000

/** Each time in the header counts, however many there are: the SDK verifies only one of them. */
function isDatedAhead(signature = ''): boolean {
  const times = signature.split(',').flatMap((item) => {
    const [name, seconds = ''] = item.split('=')
    return name === 't' ? [Number.parseInt(seconds, 10) * 1_000] : []
  })
  return !times.every((at) => at <= Date.now() + CLOCK_SKEW_MS)
}

type Context = { stripe: Stripe; priceId: string; deadline: number }

function callsOf(context: Context): ProviderCalls {
  return { ...customerCalls(context), ...accountCalls(context) }
}

type CustomerCall =
  | 'createCustomer'
  | 'createSubscription'
  | 'listSubscriptions'
  | 'cancelSubscription'
  | 'createCheckout'
  | 'findCheckout'
  | 'createPortal'

function customerCalls({ stripe, priceId, deadline }: Context): Pick<ProviderCalls, CustomerCall> {
  const ask = asker(deadline)
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
        all.push(...page.data.map(subscriptionOf))
        after = page.data.at(-1)?.id
        if (!page.has_more || after === undefined) return all
      }
    },
    cancelSubscription: async (id) => {
      await ask((options) => stripe.subscriptions.cancel(id, {}, options))
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

function accountCalls({ stripe, deadline }: Context): Omit<ProviderCalls, CustomerCall> {
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

type Options = { timeout: number; idempotencyKey?: string }

/** Calls within the time left, with the same key on every try. */
function asker(deadline: number) {
  return <T>(call: (options: Options) => Promise<T>, key?: string): Promise<T> =>
    tryInTime(
      async (timeout) => {
        try {
          return await call({ timeout, ...(key !== undefined && { idempotencyKey: key }) })
        } catch (error) {
          throw failureOf(error)
        }
      },
      { deadline, tryMs: TRY_MS, pauseMs: PAUSE_MS },
    )
}

/** Converts the SDK's errors; any other is a bug of ours and stays as it is. */
function failureOf(error: unknown): unknown {
  if (!(error instanceof Stripe.errors.StripeError)) return error
  const { statusCode: status, headers, message } = error
  const isKeyUsed = error instanceof Stripe.errors.StripeIdempotencyError
  const answered = status !== undefined
  const mayPass =
    error instanceof Stripe.errors.StripeConnectionError ||
    (answered && (status === 409 || status === 429 || status >= 500))
  return new ProviderFailure(message, {
    code: isKeyUsed ? 'idempotency_error' : error.code,
    status,
    param: error.param,
    // The provider knows better: a failure that it stores with the key would repeat.
    mayPass: mayPass && headers?.['stripe-should-retry'] !== 'false',
    cause: error,
  })
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

function subscriptionOf(found: Stripe.Subscription): Subscription {
  const [item] = found.items.data
  return {
    id: found.id,
    status: found.status,
    priceId: item?.price.id ?? null,
    createdAt: new Date(found.created * 1_000),
    periodEnd: moment(item?.current_period_end),
    cancelAtPeriodEnd: found.cancel_at_period_end,
    cancelAt: moment(found.cancel_at),
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

function accountOf(found: Stripe.Account): PayoutAccount {
  return {
    id: found.id,
    detailsSubmitted: found.details_submitted,
    chargesEnabled: found.charges_enabled,
    payoutsEnabled: found.payouts_enabled,
    disabledReason: found.requirements?.disabled_reason ?? null,
  }
}

const moneyOf = ({ amount, currency }: Money): Money => ({ amount, currency })
