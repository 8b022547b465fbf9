import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { inWork, type Simulator, type Work } from './simulator.ts'
import { findObject } from './store.ts'
import type { HostedPage } from './stripe-objects.ts'

/** A visit to a hosted page. */
export type Visit = {
  readonly work: Work
  readonly page: HostedPage
  /** The page's own address without the query. */
  readonly address: string
  readonly isExpired: boolean
  readonly query: Readonly<Record<string, string>>
}

/** Returns a page, or the address to go to. */
type Handler = (visit: Visit) => Promise<Html | string>

/** A kind of hosted page: what it shows and what its buttons do. */
export type Hosted = {
  readonly path: HostedPage['path']
  readonly show: Handler
  readonly actions: Readonly<Record<string, Handler>>
}

/** Text that is HTML already. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Html | string | readonly Html[] | undefined

/** Joins the parts of a page, escaping everything that is not HTML already. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((written, place) => written + escaped(parts[place])).join(''))
}

function escaped(part: Part): string {
  if (part === undefined) return ''
  if (part instanceof Html) return part.text
  if (typeof part === 'object') return part.map(({ text }) => text).join('\n')
  return part.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Serves each page at /{path}/{token}, and what its buttons do at /{path}/{token}/{action}. */
export function servePages(app: FastifyInstance, simulator: Simulator, pages: readonly Hosted[]): void {
  const missing = html`<p>The address is incomplete, or it belongs to another installation.</p>`
  const notFound = (reply: FastifyReply) =>
    reply
      .code(404)
      .headers(HEADERS)
      .send(wholePage(simulator, 'Page not found', missing).text)
  const serve = (method: 'GET' | 'POST', { path }: Hosted, [action, handle]: readonly [string, Handler]) =>
    app.route<{ Params: { token: string }; Querystring: Record<string, string> }>({
      method,
      url: `/${path}/:token${action}`,
      handler: async ({ params: { token }, query }, reply) => {
        // Sent after the commit: a browser may call us again at once.
        const result = await inWork(simulator, async (work) => {
          const page = await findObject(work.db, 'page', token)
          if (page?.path !== path) return undefined
          const isExpired = page.expires_at <= work.now
          return handle({ work, page, address: `/${path}/${token}`, isExpired, query })
        })
        if (result === undefined) return notFound(reply)
        if (result instanceof Html) return reply.headers(HEADERS).send(result.text)
        return reply.code(303).headers({ location: result, 'cache-control': 'no-store' }).send()
      },
    })
  app.setNotFoundHandler((_request, reply) => notFound(reply))
  for (const page of pages) {
    serve('GET', page, ['', page.show])
    for (const [action, handle] of Object.entries(page.actions)) serve('POST', page, [`/${action}`, handle])
  }
}

/** A page without scripts: light or dark like the system, readable on a phone. */
export function wholePage({ productName }: Simulator, title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · ${productName} test payments</title>
<style>${STYLE}</style>
</head>
<body>
<p class="banner" role="note"><strong>Test payments</strong> – no money moves</p>
<header><p>${productName}</p></header>
<main>
<h1>${title}</h1>
${content}
</main>
<footer><p>This page replaces the payment provider’s. It belongs to this installation of ${productName} and never asks for a card.</p></footer>
</body>
</html>
`
}

/** A button that does something: a form without fields. */
export function actionButton(action: string, label: string, look: 'main' | 'plain' = 'plain'): Html {
  return html`<form method="post" action="${action}"><button class="${look}">${label}</button></form>`
}

export function linkBack(url: string | null, productName: string): Html | undefined {
  return url === null ? undefined : html`<p><a href="${url}">Return to ${productName}</a></p>`
}

export function factList(facts: readonly (readonly [name: string, value: string])[]): Html {
  return html`<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`
}

export function inMoney(cents: number): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' }).format(cents / 100)
}

export function inDays(seconds: number): string {
  return new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000)
}

// The marketplace's colors, so that people see where they are; every pair has a contrast of at least 4.5:1.
const CSS = `
:root { color-scheme: light dark; --ink: light-dark(#0d1b2a, #e9eef3); --soft: light-dark(#33475b, #b7c3cf);
  --line: light-dark(#dfe3e6, #223243); --paper: light-dark(#f6f5f1, #0b1520); --card: light-dark(#ffffff, #111f2d);
  --rust: light-dark(#c2410c, #ff8a4c); --on-rust: light-dark(#ffffff, #0d1b2a); --bad: light-dark(#b42318, #ff8a80) }
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif;
  font-variant-numeric: tabular-nums }
.banner { margin: 0; padding: 10px 16px; background: var(--rust); color: var(--on-rust); text-align: center }
header, main, footer { width: min(480px, 100% - 24px); margin: 0 auto; padding: 0 16px }
header p { margin: 24px 0 8px; color: var(--soft); font-weight: 650 }
main { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px }
h1 { margin: 0 0 12px; font-size: 24px; line-height: 1.25; overflow-wrap: anywhere }
h2 { margin: 20px 0 8px; font-size: 18px }
dl { margin: 16px 0 }
dl div { display: flex; justify-content: space-between; gap: 16px; padding: 8px 0; border-top: 1px solid var(--line) }
dt { color: var(--soft); overflow-wrap: anywhere }
dd { margin: 0; text-align: right; font-weight: 600; overflow-wrap: anywhere }
form { margin: 10px 0 0 }
button { width: 100%; min-height: 44px; padding: 8px 16px; border: 1px solid var(--soft); border-radius: 8px;
  background: transparent; color: var(--ink); font: inherit; cursor: pointer }
button.main { border-color: var(--rust); background: var(--rust); color: var(--on-rust); font-weight: 650 }
a { color: var(--rust) }
:focus-visible { outline: 3px solid var(--rust); outline-offset: 2px }
[role=alert] { padding: 10px 12px; border: 1px solid var(--bad); border-radius: 8px; color: var(--bad) }
footer { color: var(--soft); font-size: 14px }
`
const STYLE = new Html(CSS)

const HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  // No form-action: browsers would apply it to the redirect back to the marketplace as well.
  'content-security-policy': `default-src 'none'; style-src 'sha256-${createHash('sha256').update(CSS).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  // The address of a page is the right to use it.
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
}
