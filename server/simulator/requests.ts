import { accountCalls, expressPage, onboardingPage, setupPage } from './accounts.ts'
import { type ApiCall, apiCall, listOf, replyToCall } from './api-call.ts'
import { misbehave, replyToControl } from './behavior.ts'
import { checkoutCalls, checkoutPage } from './checkout.ts'
import { type Exchange, isFromThisMachine, json, type NoReply, type Reply } from './http.ts'
import { type Hosted, html, showPage } from './page.ts'
import { listParameters, text } from './parameters.ts'
import { portalCalls, portalPage } from './portal.ts'
import { inWork, type Simulator } from './simulator.ts'
import { findObject, listObjects } from './store.ts'
import { subscriptionCalls } from './subscriptions.ts'

const eventCalls: readonly ApiCall[] = [
  apiCall({
    method: 'GET',
    path: '/v1/events',
    takes: listParameters({ type: text.optional() }),
    perform: async ({ db }, { type, limit, starting_after: after }) =>
      listOf(await listObjects(db, { kind: 'event', type, after, limit }), '/v1/events', limit),
  }),
]

const CALLS = [...subscriptionCalls, ...checkoutCalls, ...portalCalls, ...accountCalls, ...eventCalls]
const PAGES: readonly Hosted[] = [checkoutPage, setupPage, onboardingPage, portalPage, expressPage]

/** The API is under /v1, what tests control is under /simulator; everything else is pages for people. */
export async function handleRequest(simulator: Simulator, exchange: Exchange): Promise<Reply | NoReply> {
  if (!isFromThisMachine(exchange)) return json(403, { error: 'Test payments are for this machine only.' })
  const { pathname } = exchange.url
  if (pathname.startsWith('/simulator/')) return replyToControl(simulator, exchange)
  return misbehave(simulator, exchange, () =>
    pathname.startsWith('/v1/')
      ? replyToCall(simulator, exchange, CALLS)
      : replyWithPage(simulator, exchange),
  )
}

/** Shows a page (GET /{path}/{token}), or does what one of its buttons says (POST /{path}/{token}/{action}). */
function replyWithPage(simulator: Simulator, { method, url }: Exchange): Promise<Reply> {
  const [, path = '', token = '', action = ''] = url.pathname.split('/')
  const hosted = PAGES.find((one) => one.path === path)
  return inWork(simulator, async (work) => {
    const page = await findObject(work.db, 'page', token)
    const handler = hosted && page?.path === path ? handlerOf(hosted, method, action) : undefined
    if (!page || !handler) return notFound(simulator)
    const isExpired = page.expires_at <= work.now
    return handler({ work, page, address: `/${path}/${token}`, isExpired, query: url.searchParams })
  })
}

function handlerOf({ show, actions }: Hosted, method: string, action: string) {
  if (method === 'GET' && action === '') return show
  return method === 'POST' && Object.hasOwn(actions, action) ? actions[action] : undefined
}

function notFound({ productName }: Simulator): Reply {
  const content = html`<p>The address is incomplete, or it belongs to another installation.</p>`
  return showPage({ productName, title: 'Page not found', content, status: 404 })
}
