import type Stripe from 'stripe'
import { z } from 'zod'
import { type ApiCall, apiCall } from './api-call.ts'
import { actionButton, factList, type Hosted, html, inMoney, type Visit, wholePage } from './page.ts'
import {
  flag,
  metadata,
  nestedParameters,
  noSuchIn,
  parameters,
  StripeError,
  text,
  webAddress,
} from './parameters.ts'
import { connectedBalance, platformBalance } from './payments/balance.ts'
import { accountAt } from './permissions.ts'
import type { Work } from './simulator.ts'
import { changeObject, findObject, insertObject, insertPage, lockObject, updateObject } from './store.ts'
import { type Account, newId } from './stripe-objects.ts'

/* Payout accounts: the calls, the onboarding pages, and the seller's own page with balance and payouts. */

const capability = z.strictObject({ requested: flag }).optional()

const capabilities = z.strictObject({ card_payments: capability, transfers: capability }).prefault({})

const newAccount = nestedParameters({
  capabilities,
  controller: z
    .strictObject({
      fees: z.strictObject({ payer: z.enum(['account', 'application']) }).optional(),
      losses: z.strictObject({ payments: z.enum(['application', 'stripe']) }).optional(),
      requirement_collection: z.enum(['application', 'stripe']).default('stripe'),
      stripe_dashboard: z.strictObject({ type: z.enum(['express', 'full', 'none']) }).optional(),
    })
    .optional(),
  country: z.literal('US').optional(),
  email: z.email().optional(),
  // simulator=verified: as if onboarding were done.
  metadata,
  type: z.literal('express').optional(),
})

// Stripe's links work once and for five minutes.
const LINK_S = 300
const HOUR_S = 3_600

export const accountCalls: readonly ApiCall[] = [
  apiCall('POST /accounts', newAccount, async (work, given) => {
    const { controller, email, metadata, type } = given
    if (type !== undefined && controller !== undefined) {
      throw new StripeError(400, 'You may only specify one of these parameters: type, controller.', {
        param: 'type',
      })
    }
    const account: Account = {
      id: newId('acct'),
      object: 'account',
      ...STATES.unfinished,
      capabilities: requestedOf(given.capabilities, 'inactive'),
      controller: controllerOf(given),
      created: work.now,
      default_currency: 'usd',
      email: email ?? null,
      metadata,
      type: controller === undefined ? 'express' : 'none',
    }
    await insertObject(work.db, account)
    return metadata.simulator === 'verified' ? moveTo(work, account, 'verified') : account
  }),
  apiCall(
    'POST /accounts/:id',
    nestedParameters({ capabilities, email: z.email().optional(), metadata }),
    async (work, given, { id }) => {
      await accountAt(work, id)
      const account = await lockObject(work.db, 'account', id)
      if (!account) throw new Error(`${id} is gone`)
      const status = account.payouts_enabled ? 'active' : 'inactive'
      const fields = {
        capabilities: { ...requestedOf(given.capabilities, status, []), ...account.capabilities },
        email: given.email ?? account.email,
        metadata: { ...account.metadata, ...given.metadata },
      }
      return changeObject(work, account, { fields, type: 'account.updated' })
    },
  ),
  apiCall('GET /accounts/:id', parameters({}), (work, _given, { id }) => accountAt(work, id)),
  apiCall(
    'POST /account_links',
    parameters({
      account: text,
      type: z.literal('account_onboarding'),
      refresh_url: webAddress,
      return_url: webAddress,
    }),
    async (work, { account, refresh_url, return_url }) => {
      const { db, now, simulator } = work
      if (!(await findObject(db, 'account', account))) throw noSuchIn('account', 'account', account)
      const path = await insertPage(work, 'setup', {
        subject: account,
        refresh_url,
        return_url,
        seconds: LINK_S,
      })
      return {
        object: 'account_link',
        created: now,
        expires_at: now + LINK_S,
        url: `${simulator.url}${path}`,
      }
    },
  ),
  apiCall('POST /accounts/:id/login_links', parameters({}), async (work, _given, { id }) => {
    const { now, simulator } = work
    const { details_submitted: isSubmitted } = await accountAt(work, id)
    if (!isSubmitted) {
      throw new StripeError(
        400,
        'Cannot create a login link for an account that has not completed onboarding.',
      )
    }
    const path = await insertPage(work, 'express', { subject: id, seconds: HOUR_S })
    return { object: 'login_link', created: now, url: `${simulator.url}${path}` }
  }),
  apiCall('GET /balance', parameters({}), async (work, _given, { account }) => {
    const { available, pending } =
      account === undefined
        ? await platformBalance(work)
        : await connectedBalance(work, await accountAt(work, account))
    const money = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }]
    return { object: 'balance', available: money(available), livemode: false, pending: money(pending) }
  }),
]

type Given = z.output<typeof newAccount>
type CapabilityStatus = NonNullable<Account['capabilities']['transfers']>

/** The requested capabilities; without any, those an Express account has by the platform's settings. */
function requestedOf(
  given: Given['capabilities'],
  status: CapabilityStatus,
  otherwise: readonly (keyof Account['capabilities'])[] = ['card_payments', 'transfers'],
): Account['capabilities'] {
  const names = (['card_payments', 'transfers'] as const).filter((name) => given[name]?.requested)
  return Object.fromEntries((names.length === 0 ? otherwise : names).map((name) => [name, status]))
}

/** What an account of `type: express` has by itself. */
function controllerOf({ controller }: Given): Stripe.Account.Controller {
  return {
    fees: { payer: controller?.fees?.payer ?? (controller ? 'account' : 'application_express') },
    is_controller: true,
    losses: { payments: controller?.losses?.payments ?? (controller ? 'stripe' : 'application') },
    requirement_collection: controller?.requirement_collection ?? 'stripe',
    stripe_dashboard: { type: controller?.stripe_dashboard?.type ?? (controller ? 'full' : 'express') },
    type: 'application',
  }
}

type State = Pick<Account, 'charges_enabled' | 'details_submitted' | 'payouts_enabled' | 'requirements'>

/** The capabilities follow: pending while the account is being reviewed, active with payouts. */
function capabilityStatusOf({ payouts_enabled: isEnabled, requirements }: State): CapabilityStatus {
  if (isEnabled) return 'active'
  return requirements.disabled_reason === 'requirements.pending_verification' ? 'pending' : 'inactive'
}

function state(
  isSubmitted: boolean,
  isEnabled: boolean,
  requirements: Partial<State['requirements']>,
): State {
  return {
    charges_enabled: isEnabled,
    details_submitted: isSubmitted,
    payouts_enabled: isEnabled,
    requirements: {
      current_deadline: null,
      currently_due: [],
      disabled_reason: null,
      past_due: [],
      ...requirements,
    },
  }
}

const UNFINISHED = ['external_account', 'individual.id_number', 'tos_acceptance.date']

/** The stages of onboarding, in the fields of the account. */
const STATES = {
  unfinished: state(false, false, {
    currently_due: UNFINISHED,
    disabled_reason: 'requirements.past_due',
    past_due: UNFINISHED,
  }),
  'under review': state(true, false, { disabled_reason: 'requirements.pending_verification' }),
  verified: state(true, true, {}),
  'in need of a document': state(true, true, { currently_due: ['individual.verification.document'] }),
  paused: state(true, false, { disabled_reason: 'platform_paused' }),
  rejected: state(true, false, { disabled_reason: 'rejected.other' }),
} as const

// Stripe sets one some weeks ahead.
const DEADLINE_S = 14 * 24 * 3_600

export type Stage = keyof typeof STATES

export const STAGES = Object.keys(STATES) as Stage[]

export function moveTo(work: Work, account: Account, to: Stage): Promise<Account> {
  const { requirements, ...flags } = STATES[to]
  const status = capabilityStatusOf(STATES[to])
  const current_deadline = to === 'in need of a document' ? work.now + DEADLINE_S : null
  const fields = {
    ...flags,
    // An account of an earlier version has none: it had asked for both.
    capabilities: Object.fromEntries(
      Object.keys(account.capabilities ?? { card_payments: '', transfers: '' }).map((name) => [name, status]),
    ),
    requirements: { ...requirements, current_deadline },
  }
  return changeObject(work, account, { fields, type: 'account.updated' })
}

function statusOf({
  details_submitted: isSubmitted,
  charges_enabled: isEnabled,
  requirements,
}: Account): string {
  if (requirements.disabled_reason?.startsWith('rejected')) return 'Rejected'
  if (!isSubmitted) return 'Not finished'
  return isEnabled ? 'Verified' : 'Being reviewed'
}

/** The link given to the marketplace: it opens the form once, and afterwards leads back for a new link. */
export const setupPage: Hosted = {
  path: 'setup',
  show: async ({ work, page: { id, subject, return_url, refresh_url }, isExpired }) => {
    const page = await lockObject(work.db, 'page', id)
    if (isExpired || !page || page.used) return refresh_url ?? '/'
    await updateObject(work.db, { ...page, used: true })
    return insertPage(work, 'onboarding', { subject, return_url, refresh_url, seconds: HOUR_S })
  },
  actions: {},
}

export const onboardingPage: Hosted = {
  path: 'onboarding',
  show: async ({ work, page, address, isExpired }) => {
    if (isExpired) return page.refresh_url ?? '/'
    const account = await accountAt(work, page.subject)
    return wholePage(
      work.simulator,
      'Set up payouts',
      html`
<p>Here the provider would ask for business, identity and bank account. Choose the result.</p>
${factList([
  ['Account', account.id],
  ['Status', statusOf(account)],
])}
${actionButton(`${address}/complete`, 'Complete', 'main')}
${actionButton(`${address}/leave`, 'Leave unfinished')}
${actionButton(`${address}/submit`, 'Submit (review takes longer)')}
${actionButton(`${address}/ask`, 'Complete (a document is missing)')}
${actionButton(`${address}/pause`, 'Pause as the marketplace')}
${actionButton(`${address}/reject`, 'Reject')}`,
    )
  },
  actions: {
    complete: (visit) => finish(visit, 'verified'),
    submit: (visit) => finish(visit, 'under review'),
    ask: (visit) => finish(visit, 'in need of a document'),
    pause: (visit) => finish(visit, 'paused'),
    reject: (visit) => finish(visit, 'rejected'),
    leave: async ({ page }) => page.return_url ?? '/',
  },
}

async function finish({ work, page, isExpired }: Visit, to: Stage): Promise<string> {
  if (isExpired) return page.refresh_url ?? '/'
  const account = await lockObject(work.db, 'account', page.subject)
  if (account) await moveTo(work, account, to)
  return page.return_url ?? '/'
}

/** The seller's own page at the provider. */
export const expressPage: Hosted = {
  path: 'express',
  show: async ({ work, page, isExpired }) => {
    if (isExpired) {
      const content = html`<p>Open your payout settings again from ${work.simulator.productName}.</p>`
      return wholePage(work.simulator, 'This page has expired', content)
    }
    const account = await accountAt(work, page.subject)
    const { available, pending } = await connectedBalance(work, account)
    const content = html`
${factList([
  ['Account', account.id],
  ['Payouts', account.payouts_enabled ? 'Weekly, to the bank account ending in 6789' : 'Off'],
  ['Available', inMoney(available)],
  ['Pending', inMoney(pending)],
])}`
    return wholePage(work.simulator, 'Payout settings', content)
  },
  actions: {},
}
