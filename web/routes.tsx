import {
  type ActionFunction,
  createBrowserRouter,
  createContext,
  createPath,
  type LoaderFunction,
  matchRoutes,
  type RouteObject,
  redirect,
} from 'react-router'
import type { LandingKind } from '#contract/landing.ts'
import { landingFolders, landingPath } from '#contract/pages/landing-addresses.ts'
import type { FoundParts, PageForm, PartPage, PublicReads } from '#contract/pages/public-pages.ts'
import { helpArticles } from '#contract/pages/site-paths.ts'
import { articleTexts } from '#web/screens/help/article-texts.ts'
import { movedQuery, partsParameters } from '#web/screens/parts/part-filters.ts'
import { Failure, PAST_THE_END } from '#web/site/failure.tsx'
import { type FormOutcome, INTENT } from '#web/site/form/sent-form.ts'
import { Frame } from '#web/site/frame/frame.tsx'
import { SITE_ROUTE } from '#web/site/head.tsx'
import { AroundPages } from '#web/site/missing-screen.tsx'
import { loadScreen, reloadAt } from './load-screen.ts'
import { paths } from './paths.ts'

type PageAddress = { params: Record<string, string>; query: URLSearchParams; search: string }

type PublicPage = {
  path: string
  /** The screen's files as Vite's manifest names them, from which the server links the page's styles and scripts. */
  files: readonly string[]
  load: () => Promise<Pick<RouteObject, 'Component' | 'element'>>
  read?: (reads: PublicReads, asked: PageAddress) => Promise<unknown>
  /** The form that a visitor sent, found by its name. */
  form?: (intent: string, asked: Pick<PageAddress, 'params'>) => PageForm
  /** Known query parameters. The server drops others, so that they don't fill its memory with copies of the page. */
  parameters?: readonly string[]
}

export const loadReads = async (): Promise<PublicReads> => (await import('#web/site/reads.ts')).browserReads

/** How loaders read data. The server sets its own use-cases here (server/features/finding/pages/page-reads.ts). */
export const reading = createContext<() => Promise<PublicReads>>(() => loadScreen(loadReads))

/** Rendered on the server, and then by the browser: plain elements, CSS modules and loader data. */
const publicPage = ({ path, files, load, read, form, parameters = [] }: PublicPage): RouteObject => ({
  path,
  handle: import.meta.env.SSR && { parameters, files },
  lazy: () => loadScreen(load),
  ...(read && {
    loader: (async ({ request, params, context }) => {
      const { search, searchParams } = new URL(request.url)
      return read(await context.get(reading)(), {
        params: params as PageAddress['params'],
        query: searchParams,
        search,
      })
    }) satisfies LoaderFunction,
  }),
  ...(form && {
    action: (async ({ request, params, context }): Promise<FormOutcome> => {
      const { [INTENT]: intent = '', ...fields } = Object.fromEntries(
        [...(await request.formData())].map(([name, value]) => [name, String(value)]),
      )
      const reads = await context.get(reading)()
      const problems = await reads.send(form(intent, { params: params as PageAddress['params'] }), fields)
      return { intent, form: fields, ...problems }
    }) satisfies ActionFunction,
    // Sending a form does not change what its page shows.
    shouldRevalidate: ({ formMethod, defaultShouldRevalidate }) => !formMethod && defaultShouldRevalidate,
  }),
})

/** A page without data. */
const textPage = (path: string, file: string, load: PublicPage['load']): RouteObject =>
  publicPage({ path, files: [`screens/${file}.tsx`], load })

/** Landing pages of one kind, whose slug has the segments `rest`. Old addresses redirect permanently. */
const landingPages = (
  kind: LandingKind,
  rest: `/${string}`,
  folder: string = landingFolders[kind],
): RouteObject =>
  publicPage({
    path: folder + rest,
    files: ['screens/parts/landing-screen.tsx'],
    load: () => import('#web/screens/parts/landing-screen.tsx'),
    async read(reads, { params, query, search }) {
      const slug = Object.values(params).join('/')
      const landing = await reads.readLanding(kind, slug, query)
      if (landing.page.slug !== slug) throw redirect(landingPath(kind, landing.page.slug) + search, 301)
      withoutLaterPages(landing.found)
      return landing
    },
    parameters: ['sort', 'page', 'perPage'],
  })

/** @throws Response 404 with `PAST_THE_END` for a page after the last one; a list without parts has its first page */
function withoutLaterPages<Found extends Pick<FoundParts, 'page' | 'lastPage'>>(found: Found): Found {
  if (found.page <= Math.max(1, found.lastPage)) return found
  throw Response.json({ code: PAST_THE_END }, { status: 404 })
}

/** @throws Response 301 to the list's address with the current names, if one was renamed or merged; on the server only */
function withCurrentNames(path: string, query: URLSearchParams, found: FoundParts): void {
  // In the browser, links already have the current names, and this would load another file on every page.
  const moved = import.meta.env.SSR && movedQuery(query, found)
  if (moved) throw redirect(`${path}?${moved}`, 301)
}

/** As data, since a page is kept with what it was rendered from; the browser says the time instead. */
function withHeldMinutes(page: PartPage): PartPage & { heldMinutes?: number } {
  const { heldUntil } = page.listing
  if (heldUntil === null) return page
  return { ...page, heldMinutes: Math.max(1, Math.ceil((Date.parse(heldUntil) - Date.now()) / 60_000)) }
}

const beingBuilt = () => import('#web/screens/being-built/being-built-screen.tsx')

const publicPages: RouteObject[] = [
  publicPage({
    path: paths.home,
    files: ['screens/home/home-screen.tsx'],
    load: () => import('#web/screens/home/home-screen.tsx'),
    read: (reads) => reads.home(),
  }),
  publicPage({
    path: paths.parts,
    files: ['screens/parts/parts-screen.tsx'],
    load: () => import('#web/screens/parts/parts-screen.tsx'),
    async read(reads, { query }) {
      const found = withoutLaterPages(await reads.searchParts(query))
      withCurrentNames(paths.parts, query, found)
      return found
    },
    parameters: import.meta.env.SSR ? partsParameters : [],
  }),
  publicPage({
    path: paths.saveSearch,
    files: ['screens/saved-searches/save-search-screen.tsx'],
    load: () => import('#web/screens/saved-searches/save-search-screen.tsx'),
    read: (reads, { query }) => reads.describeSearch(query),
    form: () => ({ kind: 'search' }),
    parameters: import.meta.env.SSR ? partsParameters : [],
  }),
  landingPages('category', '/:slug'),
  landingPages('manufacturer', '/:slug'),
  landingPages('model', '/:make/:model'),
  landingPages('model', '/:make/:model/:category'),
  // The address of models before they moved below their makes.
  landingPages('model', '/:slug', '/parts/model'),
  publicPage({
    path: `${paths.parts}/:slug`,
    files: ['screens/parts/part/part-screen.tsx'],
    load: () => import('#web/screens/parts/part/part-screen.tsx'),
    async read(reads, { params: { slug = '' }, search }) {
      const page = await reads.readPart(slug)
      if (page.listing.partslug !== slug) throw redirect(paths.part(page.listing.partslug) + search, 301)
      return withHeldMinutes(page)
    },
    form: (intent, { params: { slug = '' } }) => ({ kind: intent === 'report' ? 'report' : 'message', slug }),
  }),
  publicPage({
    path: `${paths.parts}/:slug/buy`,
    files: ['screens/parts/part/buy/buy-screen.tsx'],
    load: () => import('#web/screens/parts/part/buy/buy-screen.tsx'),
    async read(reads, { params: { slug = '' } }) {
      const { listing, around } = await reads.readPart(slug)
      if (listing.partslug !== slug) throw redirect(paths.buy(listing.partslug), 301)
      return { listing, sellerSlug: around?.seller.slug }
    },
  }),
  // What is in it is known to the browser only.
  textPage(paths.cart, 'cart/cart-screen', () => import('#web/screens/cart/cart-screen.tsx')),
  // A buyer's order, by the token in the fragment: the server sends everyone the same page.
  textPage(paths.orders, 'orders/orders-screen', () => import('#web/screens/orders/orders-screen.tsx')),
  publicPage({
    path: '/sellers/:slug',
    files: ['screens/sellers/seller-screen.tsx'],
    load: () => import('#web/screens/sellers/seller-screen.tsx'),
    async read(reads, { params: { slug = '' }, query }) {
      const page = await reads.readSeller(slug, query)
      withoutLaterPages(page.found)
      withCurrentNames(paths.seller(slug), query, page.found)
      return page
    },
    parameters: import.meta.env.SSR ? partsParameters.filter((name) => name !== 'seller') : [],
  }),
  // The buyer's side of a conversation. Its link has the token in the fragment, so the server sends everyone the same page.
  textPage(
    paths.messages,
    'messages/messages-screen',
    () => import('#web/screens/messages/messages-screen.tsx'),
  ),
  textPage(paths.garage, 'garage/garage-screen', () => import('#web/screens/garage/garage-screen.tsx')),
  textPage(paths.help, 'help/help-screen', () => import('#web/screens/help/help-screen.tsx')),
  ...helpArticles.map((name) =>
    publicPage({
      path: paths.helpArticle(name),
      files: import.meta.env.SSR
        ? ['screens/help/article-screen.tsx', `screens/help/articles/${articleTexts[name].file}.tsx`]
        : [],
      load: async () => (await import('#web/screens/help/article-screen.tsx')).loadArticle(name),
    }),
  ),
  publicPage({
    path: paths.support,
    files: ['screens/support/support-screen.tsx'],
    load: () => import('#web/screens/support/support-screen.tsx'),
    form: () => ({ kind: 'support' }),
  }),
  textPage(
    paths.terms,
    'terms-of-service/terms-screen',
    () => import('#web/screens/terms-of-service/terms-screen.tsx'),
  ),
  textPage(
    paths.privacy,
    'privacy-policy/privacy-screen',
    () => import('#web/screens/privacy-policy/privacy-screen.tsx'),
  ),
  textPage(paths.about, 'about-us/about-screen', () => import('#web/screens/about-us/about-screen.tsx')),
  textPage(
    paths.contact,
    'contact-us/contact-screen',
    () => import('#web/screens/contact-us/contact-screen.tsx'),
  ),
  textPage(paths.careers, 'being-built/being-built-screen', beingBuilt),
  textPage(paths.press, 'being-built/being-built-screen', beingBuilt),
]

const noPage: RouteObject = {
  path: '*',
  loader: () => {
    throw new Response(null, { status: 404 })
  },
}

/** Shown while the app area’s first page loads, which brings its own frame. */
const Nothing = () => null

/** The routes, with the app area once it is loaded. */
export const routesWith = (areas: readonly RouteObject[]): RouteObject[] => [
  {
    Component: AroundPages,
    ErrorBoundary: Failure,
    HydrateFallback: Nothing,
    children: [
      {
        id: SITE_ROUTE,
        loader: async ({ context }) => (await context.get(reading)()).site(),
        shouldRevalidate: () => false,
        Component: Frame,
        children: [{ ErrorBoundary: Failure, children: [...publicPages, noPage] }, ...areas],
      },
    ],
  },
]

/** Whether the page is one of the app area, which the server does not render. */
export const isOfApp = ({ handle }: RouteObject): boolean => handle?.isApp === true

/** The screen's files, as Vite's manifest names them. */
export const screenFiles = ({ handle }: RouteObject): readonly string[] => handle?.files ?? []

/** The query parameters that change what the page shows. */
export const knownParameters = ({ handle }: RouteObject): readonly string[] => handle?.parameters ?? []

/**
 * Starts with these areas. The table of the app's pages weighs as much as a public page's own script, so it is loaded only
 * when a visitor leaves the public pages.
 */
export function openRouter(areas: readonly RouteObject[] = []): ReturnType<typeof createBrowserRouter> {
  const routes = routesWith(areas)
  const router = createBrowserRouter(routes, {
    // Also called for public pages with a parameter, in case there is a better match.
    async patchRoutesOnNavigation({ path, patch }) {
      if (areas.length > 0 || matchRoutes(routes, path)?.at(-1)?.route !== noPage) return
      const { appArea } = await loadScreen(() => import('./app-routes.ts'), path)
      patch(SITE_ROUTE, [appArea])
    },
  })
  reloadAt(() => {
    const { location } = router.state.navigation
    return location && createPath(location)
  })
  return router
}
