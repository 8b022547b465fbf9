import { type ApiCall, apiCall } from './api-call.ts'
import {
  actionButton,
  factList,
  type Hosted,
  type Html,
  html,
  inDays,
  inMoney,
  linkBack,
  type Visit,
  wholePage,
} from './page.ts'
import { parameters, text, webAddress } from './parameters.ts'
import type { Work } from './simulator.ts'
import { insertPage, listObjects, lockObject } from './store.ts'
import { newId, type Subscription } from './stripe-objects.ts'
import {
  cancelAtPeriodEnd,
  customerNamed,
  endSubscription,
  failNextPayment,
  itemIn,
  payOpenInvoice,
  resumeSubscription,
} from './subscriptions.ts'

/* The billing portal, where a customer changes or ends a subscription. */

const HOUR_S = 3_600

export const portalCalls: readonly ApiCall[] = [
  apiCall(
    'POST /billing_portal/sessions',
    parameters({ customer: text, return_url: webAddress }),
    async (work, { customer, return_url }) => {
      const { now, simulator } = work
      const { id: subject } = await customerNamed(work, customer)
      const path = await insertPage(work, 'portal', { subject, return_url, seconds: HOUR_S })
      return {
        id: newId('bps'),
        object: 'billing_portal.session',
        created: now,
        customer,
        livemode: false,
        return_url,
        url: `${simulator.url}${path}`,
      }
    },
  ),
]

type Step = {
  readonly label: string
  readonly fits: (subscription: Subscription) => boolean
  readonly take: (work: Work, subscription: Subscription) => Promise<Subscription>
}

/** The actions on a subscription: when each is available, and what it does. */
const STEPS: Readonly<Record<string, Step>> = {
  cancel: {
    label: 'Cancel at the end of the period',
    fits: ({ status, cancel_at_period_end: isEnding }) => status === 'active' && !isEnding,
    take: cancelAtPeriodEnd,
  },
  resume: {
    label: 'Resume the subscription',
    fits: ({ status, cancel_at_period_end: isEnding }) => status === 'active' && isEnding,
    take: resumeSubscription,
  },
  pay: {
    label: 'Pay the open invoice',
    fits: ({ status }) => status === 'past_due' || status === 'incomplete',
    take: payOpenInvoice,
  },
  'fail-payment': {
    label: 'The next payment fails',
    fits: ({ status, cancel_at_period_end: isEnding }) => status === 'active' && !isEnding,
    take: failNextPayment,
  },
  'end-period': {
    label: 'Let the period end now',
    fits: ({ status, cancel_at_period_end: isEnding }) => isEnding || status === 'past_due',
    take: endSubscription,
  },
}

export const portalPage: Hosted = {
  path: 'portal',
  show: showPortal,
  actions: Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, (visit) => take(visit, step)]),
  ),
}

async function take({ work, page, address, isExpired, query }: Visit, step: Step): Promise<string> {
  const subscription = isExpired
    ? undefined
    : await lockObject(work.db, 'subscription', query.subscription ?? '')
  // A second click finds the subscription changed already; the page shows its current state.
  if (subscription?.customer === page.subject && step.fits(subscription)) await step.take(work, subscription)
  return address
}

// A customer has one or two current subscriptions; the rest are old.
const SHOWN = 10

async function showPortal({ work, page, address, isExpired }: Visit): Promise<Html> {
  const { productName } = work.simulator
  const back = linkBack(page.return_url, productName)
  if (isExpired) {
    const content = html`<p>Open it again from ${productName}.</p>${back}`
    return wholePage(work.simulator, 'This page has expired', content)
  }
  const subscriptions = await listObjects(work.db, {
    kind: 'subscription',
    owner: page.subject,
    limit: SHOWN,
  })
  const sections = subscriptions.map((subscription) => section(work, subscription, address))
  const none = html`<p>There is no subscription yet.</p>`
  const content = html`${sections.length === 0 ? none : sections}${back}`
  return wholePage(work.simulator, 'Manage your subscription', content)
}

function section({ simulator: { plan } }: Work, subscription: Subscription, address: string): Html {
  const buttons = Object.entries(STEPS)
    .filter(([, { fits }]) => fits(subscription))
    .map(([name, { label }]) => actionButton(`${address}/${name}?subscription=${subscription.id}`, label))
  const end = subscription.ended_at ?? itemIn(subscription).current_period_end
  return html`<section>
<h2>${plan.productName}</h2>
${factList([
  ['Price', `${inMoney(plan.unitAmountCents)} a month`],
  ['Status', statusOf(subscription)],
  [subscription.status === 'canceled' ? 'Ended' : 'Period ends', inDays(end)],
])}
${buttons}
</section>`
}

function statusOf({ status, cancel_at_period_end: isEnding }: Subscription): string {
  if (isEnding) return 'Active, ends with the period'
  const words = status.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
