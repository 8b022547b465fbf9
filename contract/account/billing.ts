import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { sellerTiers, userReply } from './accounts.ts'

/** The payment provider's page to open next; none if payments are off. */
const handOver = z.union([z.object({ url: z.url() }), z.object({ mock: z.literal(true) })])

/** A checkout session; `url` is its page at the provider. */
const checkout = z.union([
  z.object({ sessionId: z.string(), url: z.url() }),
  z.object({ mock: z.literal(true) }),
])

const amount = z.object({
  /** In minor units (cents). */
  amount: z.number().int(),
  currency: z.string(),
})
export type Amount = z.infer<typeof amount>

const providerErrors = ['SIGNED_OUT', 'CONFLICT', 'PAYMENTS_UNREACHABLE'] as const

export const billingEndpoints = endpoints({
  choosePlan: {
    summary: 'Choose a plan; `next` is the next step. Nothing is charged or changed yet',
    body: z.object({ plan: z.enum(sellerTiers, 'Choose the plan FREE or PAID') }),
    reply: z.object({ user: userReply, next: z.enum(['connect', 'checkout', 'dashboard']) }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
  startFreeOnboarding: {
    summary: 'Start or continue payout onboarding during registration',
    reply: handOver,
    errors: providerErrors,
  },
  startCheckout: {
    summary: 'The checkout of Pro; returns the open one if there is one',
    reply: checkout,
    errors: providerErrors,
  },
  upgrade: {
    summary: 'The checkout of Pro, from a dashboard',
    reply: checkout,
    errors: providerErrors,
  },
  confirmCheckout: {
    summary: 'Read one of the user’s checkout sessions from the provider; `ok` if its subscription is active',
    body: z.object({ sessionId: z.string('sessionId is required').trim().min(1).max(200) }),
    reply: z.object({ ok: z.boolean(), user: userReply }),
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'PAYMENTS_UNREACHABLE'],
  },
  openBillingPortal: {
    summary: 'The provider’s page for managing the subscription',
    reply: handOver,
    errors: providerErrors,
  },
  refreshAccount: {
    summary: 'Read payout account and subscription from the provider again',
    reply: z.object({ user: userReply }),
    errors: providerErrors,
  },
  resumeOnboarding: {
    summary: 'A new link to payout onboarding; creates the account the first time',
    reply: handOver,
    errors: providerErrors,
  },
  readBalance: {
    summary: 'The payout account’s balance; empty lists if there is no account',
    reply: z.object({ available: z.array(amount), pending: z.array(amount) }),
    errors: providerErrors,
  },
  openPayoutSettings: {
    summary: 'The provider’s page for the payout account',
    reply: handOver,
    errors: [...providerErrors, 'REAUTH_NEEDED'],
  },
})
