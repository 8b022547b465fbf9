import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  matchRoutes,
  RouterContextProvider,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { PageRenderer } from '#contract/pages/public-pages.ts'
import { inScript } from '#web/site/head.tsx'
import { appArea } from './app-routes.ts'
import { isOfApp, knownParameters, reading, routesWith, screenFiles } from './routes.tsx'

/*
 * The web app's entry on the server: what `main.tsx` is in the browser. A page depends on its address and the data alone, never
 * on a person, so that anyone may keep it.
 */

const { query, dataRoutes } = createStaticHandler(routesWith([appArea]))

export const findPage: PageRenderer['findPage'] = ({ pathname, searchParams }) => {
  const matches = matchRoutes(dataRoutes, pathname) ?? []
  const { path } = matches.at(-1)?.route ?? {}
  if (path === undefined || path === '*') return undefined
  if (matches.some(({ route }) => isOfApp(route))) return { kind: 'app' }
  const known = matches.flatMap(({ route }) => knownParameters(route))
  const kept = known.flatMap((name) => {
    // A form without script repeats the name for each of its boxes.
    const value = searchParams.getAll(name).filter(Boolean).join(',')
    return value ? [[name, value]] : []
  })
  const parameters = new URLSearchParams(kept).toString()
  const address = pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname
  return { kind: 'public', address: parameters ? `${address}?${parameters}` : address }
}

export const render: PageRenderer['render'] = async (request, reads) => {
  const requestContext = new RouterContextProvider()
  requestContext.set(reading, async () => reads)
  const context = await query(request, { requestContext })
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/' }
  }
  const router = createStaticRouter(dataRoutes, context)
  const html = renderToString(
    <StrictMode>
      <div id="app">
        {/* Its own way to send the data is an inline script, which the security policy forbids. */}
        <StaticRouterProvider router={router} context={context} hydrate={false} />
      </div>
    </StrictMode>,
  )
  // React writes title, meta, link and picture preloads first, wherever they are in the tree.
  const start = html.indexOf('<div id="app">')
  const things: string[] = []
  const body = html.slice(start).replaceAll(DATA_BLOCK, (block) => {
    things.push(block)
    return ''
  })
  return {
    status: context.statusCode,
    head: html.slice(0, start) + things.join(''),
    body,
    data: inScript(hydrationData(context)),
    modules: context.matches.flatMap(({ route }) => screenFiles(route)),
  }
}

/** What search engines read, which the browser's tree does not have (web/site/head.tsx). JSON in it has no `<`. */
const DATA_BLOCK = /<script type="application\/ld\+json">[^<]*<\/script>/g

function hydrationData({ loaderData, actionData, errors }: StaticHandlerContext): object {
  const failures = Object.entries(errors ?? {}).map(([id, error]) => [
    id,
    // Of an unexpected error nothing is shown.
    isRouteErrorResponse(error)
      ? { ...error, __type: 'RouteErrorResponse' }
      : { message: '', __type: 'Error' },
  ])
  return { loaderData, actionData, errors: failures.length > 0 ? Object.fromEntries(failures) : null }
}
