import { type Answer, seeOther } from '#server/simulator/http/exchange.ts'
import { expireOverdueCheckouts, payCheckout } from '#server/simulator/life/checkout-life.ts'
import { soldIn } from '#server/simulator/objects/checkout-session.ts'
import type { CheckoutSession } from '#server/simulator/objects/stripe-objects.ts'
import { findObject } from '#server/simulator/state/object-queries.ts'
import type { Hosted, Visit } from './hosted.ts'
import { type Html, html } from './html.ts'
import { actionButton, factList, inMoney, showPage } from './page.ts'

export const checkoutPage: Hosted = {
  kind: 'checkout',
  path: 'checkout',
  show: async (visit) => {
    await expireOverdueCheckouts(visit.work)
    const session = await sessionOf(visit)
    return session.status === 'open' ? showOpen(visit, session) : showClosed(visit, session)
  },
  actions: {
    pay: async (visit) => {
      const session = await payCheckout(visit.work, visit.page.subject)
      return seeOther(session?.status === 'complete' ? afterwards(session) : visit.address)
    },
    decline: async ({ address }) => seeOther(`${address}?declined`),
    cancel: async ({ page, address }) => seeOther(page.refreshUrl ?? address),
  },
}

function showOpen({ work, address, query, page }: Visit, session: CheckoutSession): Answer {
  const { productName } = work.simulator
  const total = inMoney(session.amount_total ?? 0, session.currency ?? 'usd')
  const declined = html`<p role="alert">Your card was declined. Nothing was charged; pay with another card.</p>`
  return showPage({
    productName,
    title: `Subscribe to ${soldProduct(work, session)}`,
    content: html`
${query.has('declined') ? declined : undefined}
${factList([
  ['Total', `${total} a ${soldIn(session).price.recurring?.interval ?? 'month'}`],
  ...(session.customer_details?.email ? [['E-mail', session.customer_details.email] as const] : []),
  ['Card', 'Test card 4242'],
])}
${actionButton(`${address}/pay`, `Pay ${total}`, 'main')}
${actionButton(`${address}/decline`, 'Card declined')}
${page.refreshUrl === null ? undefined : actionButton(`${address}/cancel`, 'Cancel')}`,
  })
}

function showClosed({ work, page }: Visit, session: CheckoutSession): Answer {
  const { productName } = work.simulator
  if (session.status === 'complete') {
    const content = html`<p>There is nothing left to pay.</p><p>${wayBack(afterwards(session), productName)}</p>`
    return showPage({ productName, title: 'This checkout is paid', content })
  }
  const back = page.refreshUrl === null ? undefined : html`<p>${wayBack(page.refreshUrl, productName)}</p>`
  const content = html`<p>Nothing was charged. Begin again in ${productName}.</p>${back}`
  return showPage({ productName, title: 'This checkout has expired', content })
}

export function wayBack(url: string, productName: string): Html {
  return html`<a href="${url}">Return to ${productName}</a>`
}

/** Where a person goes who paid; the address may ask for the session's id. */
function afterwards(session: CheckoutSession): string {
  return (session.success_url ?? '').replaceAll('{CHECKOUT_SESSION_ID}', session.id)
}

function soldProduct({ simulator }: Visit['work'], session: CheckoutSession): string {
  const { product } = soldIn(session).price
  return simulator.catalogue.product(typeof product === 'string' ? product : product.id)?.name ?? 'a plan'
}

async function sessionOf({ work, page }: Visit): Promise<CheckoutSession> {
  const session = await findObject(work.db, 'checkout.session', page.subject)
  if (!session) throw new Error(`${page.subject} has a page and no session`)
  return session
}
