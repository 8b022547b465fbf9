import { StrictMode } from 'react'
import { renderToString } from 'react-dom/server'
import {
  createStaticHandler,
  createStaticRouter,
  isRouteErrorResponse,
  matchRoutes,
  type RouteObject,
  RouterContextProvider,
  type StaticHandler,
  type StaticHandlerContext,
  StaticRouterProvider,
} from 'react-router'
import type { PageRenderer, RenderedPage } from '#contract/pages/public-pages.ts'
import { inScript } from '#web/site/head.tsx'
import { appArea } from './app-routes.ts'
import { isOfApp, knownParameters, reading, routesWith, screenFiles } from './routes.tsx'

/*
 * The web app's entry point on the server, as `main.tsx` is in the browser. A page depends only on its address and the data,
 * never on the user, so any cache may keep it.
 */

const { dataRoutes } = createStaticHandler(routesWith([appArea]))

/** A page with only its parent routes: matching against all routes took as long as rendering ten cards. */
type Page = {
  /** With the same route ids as in the browser, because they key the data that is sent. */
  readonly branch: readonly RouteObject[]
  readonly path: string
  readonly open: () => StaticHandler
}

function pagesIn(routes: readonly RouteObject[], above: readonly RouteObject[] = []): Page[] {
  return routes.flatMap((route): Page[] => {
    const branch = [...above, route]
    if (route.children) return pagesIn(route.children, branch)
    const path = branch.flatMap((each) => each.path ?? []).reduce(below, '')
    let handler: StaticHandler | undefined
    const open = () => {
      handler ??= createStaticHandler(alone(branch))
      return handler
    }
    return [{ branch, path, open }]
  })
}

const below = (whole: string, part: string) => (part.startsWith('/') ? part : `${whole}/${part}`)

/** The same routes, each as the only child of the one above. */
const alone = (branch: readonly RouteObject[]): RouteObject[] =>
  branch.reduceRight<RouteObject[]>(
    (children, route) => [children.length > 0 ? ({ ...route, children } as RouteObject) : route],
    [],
  )

const pages = pagesIn(dataRoutes)
const isPlain = (path: string) => !/[:*]/.test(path)
const plainPages = new Map(
  pages.filter(({ path }) => isPlain(path)).map((page) => [page.path.toLowerCase(), page]),
)
const patterns = pages.filter(({ path }) => !isPlain(path)).map((page) => ({ path: page.path, handle: page }))

/** Finds a path's page as the browser's router would: paths without parameters come first. */
function pageAt(pathname: string): Page | undefined {
  return (
    plainPages.get(trimmed(pathname).toLowerCase()) ??
    (matchRoutes(patterns, pathname)?.at(-1)?.route.handle as Page | undefined)
  )
}

const trimmed = (pathname: string) => (pathname.length > 1 ? pathname.replace(/\/+$/, '') : pathname)

export const findPage: PageRenderer['findPage'] = ({ pathname, searchParams }) => {
  const page = pageAt(pathname)
  if (!page || page.path === '/*') return undefined
  if (page.branch.some(isOfApp)) return { kind: 'app' }
  const kept = page.branch.flatMap(knownParameters).flatMap((name) => {
    // Without script, a form repeats the name for each checked box.
    const value = searchParams.getAll(name).filter(Boolean).join(',')
    return value ? [[name, value]] : []
  })
  const parameters = new URLSearchParams(kept).toString()
  const address = trimmed(pathname)
  return { kind: 'public', address: parameters ? `${address}?${parameters}` : address }
}

export const load: PageRenderer['load'] = async (request, reads) => {
  const requestContext = new RouterContextProvider()
  requestContext.set(reading, async () => reads)
  const page = pageAt(new URL(request.url).pathname)
  if (!page) throw new Error(`no route matches ${request.url}`)
  const handler = page.open()
  const context = await handler.query(request, { requestContext })
  if (context instanceof Response) {
    return { status: context.status, location: context.headers.get('location') ?? '/' }
  }
  const data = inScript(hydrationData(context))
  return { status: context.statusCode, data, render: () => render(handler.dataRoutes, context, data) }
}

function render(routes: RouteObject[], context: StaticHandlerContext, data: string): RenderedPage {
  const router = createStaticRouter(routes, context)
  const html = renderToString(
    <StrictMode>
      <div id="app">
        {/* The router would send the data in an inline script, which the security policy forbids. */}
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
    head: html.slice(0, start) + things.join(''),
    body,
    data,
    modules: context.matches.flatMap(({ route }) => screenFiles(route)),
  }
}

/** Structured data, which the browser's tree does not have (web/site/head.tsx). Its JSON contains no `<`. */
const DATA_BLOCK = /<script type="application\/ld\+json">[^<]*<\/script>/g

function hydrationData({ loaderData, actionData, errors }: StaticHandlerContext): object {
  const failures = Object.entries(errors ?? {}).map(([id, error]) => [
    id,
    // Unexpected errors are sent without details.
    isRouteErrorResponse(error)
      ? { ...error, __type: 'RouteErrorResponse' }
      : { message: '', __type: 'Error' },
  ])
  return { loaderData, actionData, errors: failures.length > 0 ? Object.fromEntries(failures) : null }
}
