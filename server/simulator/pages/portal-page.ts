import { type Answer, seeOther } from '#server/simulator/http/exchange.ts'
import {
  cancelAtPeriodEnd,
  endSubscription,
  failNextPayment,
  payOpenInvoice,
  resumeSubscription,
} from '#server/simulator/life/subscription-life.ts'
import type { Subscription } from '#server/simulator/objects/stripe-objects.ts'
import { itemIn } from '#server/simulator/objects/subscription.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { listObjects, lockObject } from '#server/simulator/state/object-queries.ts'
import { wayBack } from './checkout-page.ts'
import type { Hosted, Visit } from './hosted.ts'
import { type Html, html } from './html.ts'
import { actionButton, factList, inDays, inMoney, showPage } from './page.ts'

/** What can happen to a subscription, when, and what does it. */
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

type Step = {
  readonly label: string
  readonly fits: (subscription: Subscription) => boolean
  readonly take: (work: Work, subscription: Subscription) => Promise<Subscription>
}

export const portalPage: Hosted = {
  kind: 'portal',
  path: 'portal',
  show: showPortal,
  actions: Object.fromEntries(
    Object.entries(STEPS).map(([name, step]) => [name, (visit) => take(visit, step)]),
  ),
}

async function take({ work, page, address, isOver, query }: Visit, step: Step): Promise<Answer> {
  const id = query.get('subscription') ?? ''
  const subscription = isOver ? undefined : await lockObject(work.db, 'subscription', id)
  // A second click on a button finds the subscription changed already; the page shows how it stands.
  if (subscription?.customer === page.subject && step.fits(subscription)) await step.take(work, subscription)
  return seeOther(address)
}

// A customer has one or two; the rest is history.
const SHOWN = 10

async function showPortal({ work, page, address, isOver }: Visit): Promise<Answer> {
  const { productName } = work.simulator
  const back = page.returnUrl === null ? undefined : html`<p>${wayBack(page.returnUrl, productName)}</p>`
  if (isOver) {
    const content = html`<p>Open it again from ${productName}.</p>${back}`
    return showPage({ productName, title: 'This page has expired', content })
  }
  const subscriptions = await listObjects(work.db, {
    kind: 'subscription',
    owner: page.subject,
    limit: SHOWN,
  })
  const content =
    subscriptions.length === 0
      ? html`<p>There is no subscription yet.</p>${back}`
      : html`${subscriptions.map((subscription) => section(work, subscription, address))}${back}`
  return showPage({ productName, title: 'Manage your subscription', content })
}

function section({ simulator }: Work, subscription: Subscription, address: string): Html {
  const { price, current_period_end: end } = itemIn(subscription)
  const product = typeof price.product === 'string' ? simulator.catalogue.product(price.product) : undefined
  const buttons = Object.entries(STEPS)
    .filter(([, { fits }]) => fits(subscription))
    .map(([name, { label }]) => actionButton(`${address}/${name}?subscription=${subscription.id}`, label))
  return html`<section>
<h2>${product?.name ?? price.id}</h2>
${factList([
  ['Price', `${inMoney(price.unit_amount ?? 0, price.currency)} a ${price.recurring?.interval ?? 'month'}`],
  ['Status', statusOf(subscription)],
  [subscription.status === 'canceled' ? 'Ended' : 'Period ends', inDays(subscription.ended_at ?? end)],
])}
${buttons}
</section>`
}

function statusOf({ status, cancel_at_period_end: isEnding }: Subscription): string {
  if (isEnding) return 'Active, ends with the period'
  const word = status.replaceAll('_', ' ')
  return word.charAt(0).toUpperCase() + word.slice(1)
}
