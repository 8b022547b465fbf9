import { ProviderFailure } from '#server/features/money/billing/provider.ts'
import { asker } from '#server/features/money/billing/stripe/call-in-time.ts'
import { eachOf } from '#server/features/money/billing/stripe/payment-calls.ts'
import {
  openSdk,
  type PaymentProvider,
  type StripeSdk,
} from '#server/features/money/billing/stripe/stripe-client.ts'

/* Reads how the operator's Stripe account is set up, for `payments doctor`. Changes nothing there. */

export type Platform = {
  readonly id: string
  readonly chargesEnabled: boolean
  /** `manual`, or how often the provider pays out by itself. */
  readonly payoutSchedule: string
  /** How far the provider's clock is ahead of ours, to about a second. */
  readonly clockAheadMs: number
}

export type Endpoint = {
  readonly id: string
  readonly url: string
  readonly isEnabled: boolean
  /** Whether it receives events of connected accounts, or of the platform. */
  readonly isConnect: boolean
  /** `*` stands for all. */
  readonly events: readonly string[]
}

type Portal = { readonly canCancel: boolean; readonly canChangeCard: boolean }

/** One thing that a restricted key must be allowed to do, named as in Stripe's dashboard. */
type Probe = { readonly permission: string; readonly try: () => Promise<unknown> }

/** All throw ProviderFailure. */
export type StripeSetup = {
  getPlatform(): Promise<Platform>
  /** Fails if the account never signed up for Connect. */
  probeConnect(): Promise<void>
  listEndpoints(): Promise<Endpoint[]>
  findPortal(): Promise<Portal | undefined>
  /** Where the platform is registered for sales tax now: states, or other countries. */
  listTaxRegistrations(): Promise<string[]>
  /** The last event older than ten minutes that no endpoint accepted, if any. */
  findUndelivered(): Promise<{ id: string; type: string; at: Date } | undefined>
  readonly probes: readonly Probe[]
}

// A person is waiting at a terminal; every check has its own limit.
export const CHECK_MS = 15_000
const DELIVERING_MS = 10 * 60_000
// An id that never exists: a key with the permission gets "not found", and nothing happens.
const NOBODY = 'doctor_nobody'

export function openStripeSetup(payments: PaymentProvider): StripeSetup {
  const stripe = openSdk(payments)
  const ask: Ask = (call) => asker(performance.now() + CHECK_MS)(call)
  return {
    getPlatform: async () => {
      const account = await ask((options) => stripe.accounts.retrieveCurrent({}, options))
      const date = Date.parse(String(account.lastResponse.headers.date))
      return {
        id: account.id,
        chargesEnabled: account.charges_enabled,
        payoutSchedule: account.settings?.payouts?.schedule.interval ?? 'unknown',
        clockAheadMs: Number.isNaN(date) ? 0 : date - Date.now(),
      }
    },
    probeConnect: async () => {
      try {
        await ask((options) => stripe.accounts.retrieve(`acct_${NOBODY}`, {}, options))
      } catch (error) {
        if (!(error instanceof ProviderFailure && error.isAccountMissing)) throw error
      }
    },
    listEndpoints: async () => {
      const { data } = await ask((options) => stripe.webhookEndpoints.list({ limit: 100 }, options))
      return data.map(endpointOf)
    },
    findPortal: async () => {
      const params = { is_default: true, active: true, limit: 1 }
      const { data } = await ask((options) => stripe.billingPortal.configurations.list(params, options))
      const features = data[0]?.features
      return (
        features && {
          canCancel: features.subscription_cancel.enabled,
          canChangeCard: features.payment_method_update.enabled,
        }
      )
    },
    listTaxRegistrations: async () => {
      const found: string[] = []
      const list = (after: object) =>
        ask((options) => stripe.tax.registrations.list({ status: 'active', limit: 100, ...after }, options))
      for await (const { country, country_options } of eachOf(list)) {
        found.push(country_options.us?.state ?? country)
      }
      return [...new Set(found)].sort()
    },
    findUndelivered: async () => {
      const params = { delivery_success: false, limit: 10 }
      const { data } = await ask((options) => stripe.events.list(params, options))
      const late = data.find(({ created }) => created * 1_000 < Date.now() - DELIVERING_MS)
      return late && { id: late.id, type: late.type, at: new Date(late.created * 1_000) }
    },
    probes: probesOf(stripe, ask),
  }
}

type Ask = ReturnType<typeof asker>

function probesOf(stripe: StripeSdk, ask: Ask): readonly Probe[] {
  const probe = (permission: string, call: (options: object) => Promise<unknown>): Probe => ({
    permission,
    try: () => ask(call),
  })
  const url = 'https://example.com'
  return [
    probe('Customers: Write', (options) => stripe.customers.update(`cus_${NOBODY}`, {}, options)),
    probe('Subscriptions: Write', (options) => stripe.subscriptions.update(`sub_${NOBODY}`, {}, options)),
    probe('Checkout Sessions: Write', (options) =>
      stripe.checkout.sessions.expire(`cs_test_${NOBODY}`, {}, options),
    ),
    probe('Customer portal: Write', (options) =>
      stripe.billingPortal.sessions.create({ customer: `cus_${NOBODY}`, return_url: url }, options),
    ),
    probe('PaymentIntents: Write', (options) => stripe.paymentIntents.cancel(`pi_${NOBODY}`, {}, options)),
    probe('Charges and Refunds: Write', (options) =>
      stripe.refunds.create({ payment_intent: `pi_${NOBODY}` }, options),
    ),
    probe('Transfers: Write', (options) => stripe.transfers.createReversal(`tr_${NOBODY}`, {}, options)),
    probe('Payouts: Read', (options) => stripe.payouts.retrieve(`po_${NOBODY}`, {}, options)),
    probe('Balance: Read', (options) => stripe.balanceTransactions.list({ limit: 1 }, options)),
    probe('Prices: Read', (options) => stripe.prices.retrieve(`price_${NOBODY}`, {}, options)),
    probe('Connect, Accounts: Write', (options) =>
      stripe.accounts.update(`acct_${NOBODY}`, { metadata: { doctor: '1' } }, options),
    ),
    probe('Connect, Account Links: Write', (options) =>
      stripe.accountLinks.create(
        { account: `acct_${NOBODY}`, type: 'account_onboarding', refresh_url: url, return_url: url },
        options,
      ),
    ),
    probe('Balance: Read', (options) => stripe.balance.retrieve({}, options)),
  ]
}

type FoundEndpoint = Awaited<ReturnType<StripeSdk['webhookEndpoints']['list']>>['data'][number]

function endpointOf(found: FoundEndpoint): Endpoint {
  return {
    id: found.id,
    url: found.url,
    isEnabled: found.status === 'enabled',
    // Stripe has no other field that distinguishes the two kinds.
    isConnect: found.application !== null,
    events: found.enabled_events,
  }
}
