import type { Answer, Exchange } from '#server/simulator/http/exchange.ts'
import { FROM_A_PAGE, inWork, type Simulator, type Work } from '#server/simulator/simulator.ts'
import { findPage } from '#server/simulator/state/page-queries.ts'
import { checkoutPage } from './checkout-page.ts'
import { expressPage } from './express-page.ts'
import type { Hosted, Visit } from './hosted.ts'
import { html } from './html.ts'
import { accountLink, onboardingPage } from './onboarding-page.ts'
import { showPage } from './page.ts'
import { portalPage } from './portal-page.ts'

const PAGES: readonly Hosted[] = [checkoutPage, accountLink, onboardingPage, portalPage, expressPage]

/** Shows a page (GET /{kind}/{token}), or does what one of its buttons says (POST /{kind}/{token}/{action}). */
export async function answerPage(simulator: Simulator, exchange: Exchange): Promise<Answer> {
  const [, path = '', token = '', action = ''] = exchange.url.pathname.split('/')
  const hosted = PAGES.find((page) => page.path === path)
  const does = handlerOf(hosted, exchange.method, action)
  if (!hosted || !does) return nothingHere(simulator)
  return inWork(simulator, FROM_A_PAGE, async (work) => {
    const visit = await visitOf(work, hosted, { token, query: exchange.url.searchParams })
    return visit ? does(visit) : nothingHere(simulator)
  })
}

function handlerOf(hosted: Hosted | undefined, method: string, action: string) {
  if (method === 'GET' && action === '') return hosted?.show
  if (method === 'POST' && hosted && Object.hasOwn(hosted.actions, action)) return hosted.actions[action]
  return undefined
}

type Address = { readonly token: string; readonly query: URLSearchParams }

async function visitOf(work: Work, hosted: Hosted, { token, query }: Address): Promise<Visit | undefined> {
  const page = await findPage(work.db, hosted.kind, token)
  if (!page) return undefined
  const isOver = page.expiresAt.getTime() <= work.now * 1000
  return { work, page, address: `/${hosted.path}/${token}`, isOver, query }
}

function nothingHere({ productName }: Simulator): Answer {
  const content = html`<p>The address is not complete, or it belongs to another installation.</p>`
  return showPage({ productName, title: 'There is no such page', content, status: 404 })
}
