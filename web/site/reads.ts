import { createContext } from 'react-router'
import type { LandingPage, PageLink } from '#contract/landing.ts'
import type { Listing } from '#contract/listings.ts'
import type { Manufacturer } from '#contract/lookups.ts'
import type {
  FormProblems,
  FoundParts,
  HomePage,
  PageForm,
  PartCard,
  PublicReads,
  SiteFacts,
} from '#contract/pages/public-pages.ts'
import type { PublicSeller } from '#contract/pages/sellers.ts'
import type { routes } from '#contract/routes.ts'
import { currentSession } from '#web/api/session.ts'

/*
 * What the loaders of public pages read with. The contract's own client stays out: its schemas are 60 kB. The server puts its
 * use-cases into the context instead (server/features/pages/page-reads.ts).
 */

type Path = (typeof routes)[keyof typeof routes][1]
type Params = Record<string, string>

/** Fills in the parameters of one of the contract's paths. */
const apiPath = (path: Path, params: Params = {}): string =>
  `/api${path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(params[name] ?? ''))}`

const headersAs = (token: string | undefined): Record<string, string> => ({
  accept: 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
})

/** @throws Response of another status than 2xx */
async function read<T>(
  path: Path,
  { params, query, as }: { params?: Params; query?: URLSearchParams; as?: string | undefined } = {},
): Promise<T> {
  const headers = headersAs(as)
  // The browser may keep a reply, and has to ask whether it still holds: a change is seen at once.
  const response = await fetch(`${apiPath(path, params)}${query?.size ? `?${query}` : ''}`, {
    headers,
    cache: 'no-cache',
  })
  if (!response.ok) throw response
  return (await response.json()) as T
}

const filterOf = { category: 'categoryId', manufacturer: 'manuId', model: 'modelId' } as const

const browserReads: PublicReads = {
  async site() {
    const { productName, findPartsUrl, demo } = await read<Omit<SiteFacts, 'origin'>>('/site')
    return { productName, findPartsUrl, demo, origin: window.location.origin }
  },
  async home() {
    const [{ counts }, top, manufacturers, newest] = await Promise.all([
      read<Pick<HomePage, 'counts'>>('/site'),
      read<HomePage['top']>('/public/top-names'),
      read<Manufacturer[]>('/manufacturers'),
      read<FoundParts>('/parts', { query: new URLSearchParams({ perPage: NEWEST }) }),
    ])
    return {
      counts,
      top,
      manufacturers: manufacturers.map(({ id, manuname }) => ({ id, name: manuname })),
      newest: newest.items,
    }
  },
  searchParts: (query) =>
    read<FoundParts>('/parts', { query: new URLSearchParams([...query, ['facets', '1']]) }),
  async readPart(slug) {
    // With the token, since its seller sees a hidden part.
    const as = currentSession().token
    const listing = await read<Listing>('/auto-part/{slug}', { params: { slug }, as })
    const isForSale = listing.status === 'ACTIVE' && listing.endedAt === null
    const [related, similar, sameCar] = await Promise.all([
      listing.status === 'ACTIVE' ? read<PageLink[]>('/auto-part/{slug}/related', { params: { slug } }) : [],
      isForSale ? [] : readOthers(listing, { categoryId: listing.partcategoryId }),
      isForSale && listing.partmodelId ? readOthers(listing, {}) : [],
    ])
    return { listing, related, similar, sameCar }
  },
  async readLanding(kind, slug, query) {
    const page = await read<LandingPage>('/landing/{kind}/{slug}', { params: { kind, slug } })
    const filter = new URLSearchParams(query)
    filter.set(filterOf[kind], page.lookupId)
    if (page.manufacturer) filter.set('manuId', page.manufacturer.id)
    if (page.category) filter.set('categoryId', page.category.id)
    return { page, found: await read<FoundParts>('/parts', { query: filter }) }
  },
  async readSeller(slug, query) {
    const filter = new URLSearchParams(query)
    filter.set('seller', slug)
    const [seller, found] = await Promise.all([
      read<PublicSeller>('/sellers/{slug}', { params: { slug } }),
      read<FoundParts>('/parts', { query: filter }),
    ])
    return { seller, found }
  },
  async send(form, fields) {
    const response = await fetch(addressOf(form), {
      method: 'POST',
      headers: { ...headersAs(currentSession().token), 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }).catch(() => undefined)
    if (response?.ok) return {}
    const refusal: FormProblems = (await response?.json().catch(() => undefined)) ?? {}
    return { ...refusal, error: refusal.error || 'It could not be sent. Please try again.' }
  },
}

function addressOf(form: PageForm): string {
  if (form.kind === 'support') return apiPath('/support-messages')
  const { kind, slug } = form
  return apiPath(kind === 'message' ? '/parts/{slug}/messages' : '/parts/{slug}/reports', { slug })
}

const NEWEST = '8'
const SIMILAR = 4

/** Other parts for the same model, and of the same category if that is asked for. */
async function readOthers(
  { id, partmodelId }: Listing,
  { categoryId }: { categoryId?: string | null },
): Promise<PartCard[]> {
  const query = new URLSearchParams({
    ...(categoryId && { categoryId }),
    ...(partmodelId && { modelId: partmodelId }),
    perPage: String(SIMILAR + 1),
  })
  const { items } = await read<FoundParts>('/parts', { query })
  return items.filter((other) => other.id !== id).slice(0, SIMILAR)
}

/** In the context of every loader. */
export const reading = createContext<PublicReads>(browserReads)
