import { createBrowserRouter, createPath, type LoaderFunction, type RouteObject } from 'react-router'
import type { PublicReads } from '#contract/public-pages.ts'
import { partsParameters } from '#web/screens/parts/part-filters.ts'
import { Failure } from '#web/site/failure.tsx'
import { SITE_ROUTE } from '#web/site/head.tsx'
import { SiteLayout } from '#web/site/layout.tsx'
import { AroundPages } from '#web/site/missing-screen.tsx'
import { reading } from '#web/site/reads.ts'
import { appArea } from './app-routes.ts'
import { loadScreen, reloadAt } from './load-screen.ts'
import { paths } from './paths.ts'

type Asked = { params: Record<string, string>; query: URLSearchParams }

type PublicPage = {
  path: string
  /** The screen's file as Vite's manifest names it, from which the server links the page's styles and scripts. */
  file: string
  load: () => Promise<Pick<RouteObject, 'Component'>>
  read?: (reads: PublicReads, asked: Asked) => Promise<unknown>
  /** Of the query; the server drops others, so that they do not fill its memory with copies of the page. */
  parameters?: readonly string[]
}

/** Rendered on the server, and then by the browser: plain elements, CSS modules and loader data. */
const publicPage = ({ path, file, load, read, parameters = [] }: PublicPage): RouteObject => ({
  id: file,
  path,
  handle: { parameters },
  lazy: () => loadScreen(load),
  ...(read && {
    loader: (({ request, params, context }) =>
      read(context.get(reading), {
        params: params as Asked['params'],
        query: new URL(request.url).searchParams,
      })) satisfies LoaderFunction,
  }),
})

const publicPages: RouteObject[] = [
  publicPage({
    path: paths.parts,
    file: 'screens/parts/parts-screen.tsx',
    load: () => import('#web/screens/parts/parts-screen.tsx'),
    read: (reads, { query }) => reads.searchParts(query),
    parameters: partsParameters,
  }),
]

const noPage: RouteObject = {
  path: '*',
  loader: () => {
    throw new Response(null, { status: 404 })
  },
}

const publicArea: RouteObject = {
  id: SITE_ROUTE,
  loader: ({ context }) => context.get(reading).site(),
  shouldRevalidate: () => false,
  Component: SiteLayout,
  children: [{ ErrorBoundary: Failure, children: [...publicPages, noPage] }],
}

export const routes: RouteObject[] = [
  {
    Component: AroundPages,
    ErrorBoundary: Failure,
    HydrateFallback: () => null,
    children: [publicArea, appArea],
  },
]

/** Whether the page is one of the app area, which the server does not render. */
export const isOfApp = ({ handle }: RouteObject): boolean => handle?.isApp === true

/** The parameters of the query that make another page. */
export const knownParameters = ({ handle }: RouteObject): readonly string[] => handle?.parameters ?? []

export function openRouter(): ReturnType<typeof createBrowserRouter> {
  const router = createBrowserRouter(routes)
  reloadAt(() => {
    const { location } = router.state.navigation
    return location && createPath(location)
  })
  return router
}
