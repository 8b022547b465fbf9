import { z } from 'zod'
import { sellerTiers, userReply } from './accounts.ts'
import { endpoints } from './endpoint.ts'

/** Where the browser goes on: a page of the payment provider, or nowhere because payments are off here. */
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
    method: 'POST',
    path: '/onboarding/plan',
    summary: 'Choose a plan; `next` says what has to follow. Nothing is charged and nothing changes yet',
    access: 'user',
    limit: 'write',
    body: z.object({ plan: z.enum(sellerTiers, 'Choose the plan FREE or PAID') }),
    reply: z.object({ user: userReply, next: z.enum(['connect', 'checkout', 'dashboard']) }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
  startFreeOnboarding: {
    method: 'POST',
    path: '/onboarding/free/start',
    summary: 'Begin or go on with payout onboarding, on the way in',
    access: 'user',
    limit: 'payments',
    reply: handOver,
    errors: providerErrors,
  },
  startCheckout: {
    method: 'POST',
    path: '/subscription/checkout',
    summary: 'The checkout of Pro; an open one is answered again',
    access: 'user',
    limit: 'payments',
    reply: checkout,
    errors: providerErrors,
  },
  upgrade: {
    method: 'POST',
    path: '/subscription/upgrade',
    summary: 'The checkout of Pro, from a dashboard',
    access: 'user',
    limit: 'payments',
    reply: checkout,
    errors: providerErrors,
  },
  confirmCheckout: {
    method: 'POST',
    path: '/subscription/status',
    summary: 'Read a checkout session of one’s own from the provider; `ok` when its subscription is live',
    access: 'user',
    limit: 'payments',
    body: z.object({ sessionId: z.string('sessionId is required').trim().min(1).max(200) }),
    reply: z.object({ ok: z.boolean(), user: userReply }),
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'PAYMENTS_UNREACHABLE'],
  },
  openBillingPortal: {
    method: 'POST',
    path: '/subscription/portal',
    summary: 'The provider’s page where a subscription is managed',
    access: 'user',
    limit: 'payments',
    reply: handOver,
    errors: providerErrors,
  },
  refreshAccount: {
    method: 'POST',
    path: '/get-account-status',
    summary: 'Read payout account and subscription from the provider anew',
    access: 'user',
    limit: 'payments',
    reply: z.object({ user: userReply }),
    errors: providerErrors,
  },
  resumeOnboarding: {
    method: 'POST',
    path: '/create-connect-account',
    summary: 'A fresh link to payout onboarding; makes the account the first time',
    access: 'user',
    limit: 'payments',
    reply: handOver,
    errors: providerErrors,
  },
  readBalance: {
    method: 'POST',
    path: '/get-account-balance',
    summary: 'What the payout account holds; empty lists before there is one',
    access: 'user',
    limit: 'payments',
    reply: z.object({ available: z.array(amount), pending: z.array(amount) }),
    errors: providerErrors,
  },
  openPayoutSettings: {
    method: 'POST',
    path: '/payout-setting',
    summary: 'The provider’s page of the payout account',
    access: 'user',
    limit: 'payments',
    reply: handOver,
    errors: providerErrors,
  },
})
