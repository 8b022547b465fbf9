import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type ApiCall, apiCall } from './api-call.ts'
import { actionButton, factList, type Hosted, html, inMoney, type Visit, wholePage } from './page.ts'
import { metadata, noSuchIn, parameters, StripeError, text, webAddress } from './parameters.ts'
import type { Work } from './simulator.ts'
import { changeObject, findObject, insertObject, insertPage, lockObject, updateObject } from './store.ts'
import { type Account, newId } from './stripe-objects.ts'

/* Payout accounts: the calls, the onboarding pages, and the seller's own page with balance and payouts. */

const capability = z.literal('true').optional()
// Stripe's links work once and for five minutes.
const LINK_S = 300
const HOUR_S = 3_600

export const accountCalls: readonly ApiCall[] = [
  apiCall(
    'POST /accounts',
    parameters({
      type: z.literal('express'),
      email: z.email().optional(),
      'capabilities[card_payments][requested]': capability,
      'capabilities[transfers][requested]': capability,
      // simulator=verified: as if onboarding were done.
      metadata,
    }),
    async (work, { email, metadata }) => {
      const account: Account = {
        id: newId('acct'),
        object: 'account',
        ...STATES.unfinished,
        created: work.now,
        default_currency: 'usd',
        email: email ?? null,
        metadata,
        type: 'express',
      }
      await insertObject(work.db, account)
      return metadata.simulator === 'verified' ? moveTo(work, account, 'verified') : account
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
    if (account === undefined)
      throw new StripeError(400, 'The simulator has balances of connected accounts only.')
    const { available, pending } = balanceOf(await accountAt(work, account))
    const money = (amount: number) => [{ amount, currency: 'usd', source_types: { card: amount } }]
    return { object: 'balance', available: money(available), livemode: false, pending: money(pending) }
  }),
]

/** Stripe does not distinguish a missing account from another platform's. */
async function accountAt({ db }: Work, id: string): Promise<Account> {
  const account = await findObject(db, 'account', id)
  if (account) return account
  throw new StripeError(
    403,
    `The provided key 'sk_test_****' does not have access to account '${id}' (or that account does not exist). Application access may have been revoked.`,
    { code: 'account_invalid' },
  )
}

type State = Pick<Account, 'charges_enabled' | 'details_submitted' | 'payouts_enabled' | 'requirements'>

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

function moveTo(work: Work, account: Account, to: keyof typeof STATES): Promise<Account> {
  const { requirements, ...flags } = STATES[to]
  const current_deadline = to === 'in need of a document' ? work.now + DEADLINE_S : null
  const fields = { ...flags, requirements: { ...requirements, current_deadline } }
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

async function finish({ work, page, isExpired }: Visit, to: keyof typeof STATES): Promise<string> {
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
    const { available, pending } = balanceOf(account)
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

/**
 * In cents. Accounts have no balance, because there are no sales in the simulator, except the demo's account: plausible
 * for a yard, and always the same.
 */
function balanceOf({ id, metadata }: Account): { available: number; pending: number } {
  if (metadata?.simulator !== 'verified') return { available: 0, pending: 0 }
  return {
    available: draw(`${id} available`, 48_000, 412_000),
    pending: draw(`${id} pending`, 9_000, 96_000),
  }
}

/** The same number for the same seed. */
function draw(seed: string, least: number, most: number): number {
  const part = createHash('sha256').update(seed).digest().readUInt32BE() / 2 ** 32
  return Math.round(least + part * (most - least))
}
