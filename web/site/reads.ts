import type { LandingPage } from '#contract/landing.ts'
import type { Listing } from '#contract/listings.ts'
import type { Manufacturer } from '#contract/lookups.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type {
  FormProblems,
  FoundParts,
  HomePage,
  PageForm,
  PublicReads,
  SiteFacts,
} from '#contract/pages/public-pages.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import type { routes } from '#contract/routes.ts'
import { contentOf, randomKey, submissionKeys } from '#web/api/request-parts.ts'
import { currentSession } from '#web/api/session.ts'

/*
 * How the loaders of public pages read data. The contract's own client is left out: its schemas are 60 kB. A page from the
 * server comes with its data, so this is loaded only for the next one.
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

/** @throws Response with a status other than 2xx */
async function read<T>(
  path: Path,
  { params, query, as }: { params?: Params; query?: URLSearchParams; as?: string | undefined } = {},
): Promise<T> {
  const headers = headersAs(as)
  // The browser may cache a reply but has to revalidate it, so that changes show at once.
  const response = await fetch(`${apiPath(path, params)}${query?.size ? `?${query}` : ''}`, {
    headers,
    cache: 'no-cache',
  })
  if (!response.ok) throw response
  return (await response.json()) as T
}

/** As on the server: values that the API refuses are left out and reported. */
async function findParts(
  asked: readonly [name: string, value: string][],
  refused: FoundParts['refused'] = {},
): Promise<FoundParts> {
  const given = asked.filter(([name]) => !(name in refused))
  try {
    const found = await read<FoundParts>('/parts', { query: new URLSearchParams(given) })
    return { ...found, refused }
  } catch (failure) {
    const fields = failure instanceof Response ? await fieldsOf(failure) : {}
    if (!given.some(([name]) => name in fields)) throw failure
    return findParts(given, { ...refused, ...fields })
  }
}

const fieldsOf = async (refusal: Response): Promise<Record<string, string>> =>
  (
    (await refusal
      .clone()
      .json()
      .catch(() => undefined)) as FormProblems | undefined
  )?.fields ?? {}

const filterOf = { category: 'categoryId', manufacturer: 'manuId', model: 'modelId' } as const

export const browserReads: PublicReads = {
  async site() {
    const { productName, findPartsUrl, demo, orders, proPrice } =
      await read<Omit<SiteFacts, 'origin'>>('/site')
    return { productName, findPartsUrl, demo, orders, proPrice, origin: window.location.origin }
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
  searchParts: (query) => findParts([...query, ['facets', '1']]),
  async readPart(slug) {
    // With the token, since its seller sees a hidden part. That one has nothing around it.
    const as = currentSession().token
    const reading = read<Listing>('/auto-part/{slug}', { params: { slug }, as })
    const readAround = () =>
      read<AroundPart>('/parts/{slug}/around', { params: { slug } }).catch(unlessMissing)
    const beside =
      as === undefined
        ? readAround()
        : reading.then(({ status }) => (status === 'ACTIVE' ? readAround() : undefined))
    const [listing, around] = await Promise.all([reading, beside])
    return { listing, around }
  },
  async readLanding(kind, slug, query) {
    const page = await read<LandingPage>('/landing/{kind}/{slug}', { params: { kind, slug } })
    const filter = new URLSearchParams(query)
    filter.set(filterOf[kind], page.lookupId)
    if (page.manufacturer) filter.set('manuId', page.manufacturer.id)
    if (page.category) filter.set('categoryId', page.category.id)
    return { page, found: await findParts([...filter]) }
  },
  async readSeller(slug, query) {
    const filter = new URLSearchParams(query)
    filter.set('seller', slug)
    const [seller, found] = await Promise.all([
      read<PublicYard>('/sellers/{slug}', { params: { slug } }),
      browserReads.searchParts(filter),
    ])
    return { seller, found }
  },
  describeSearch: (query) =>
    read('/saved-searches/title', { query: new URLSearchParams({ query: String(query) }) }),
  send(form, fields) {
    const address = addressOf(form)
    const content = contentOf(address, fields, undefined)
    const running =
      sending.get(content) ?? post(address, fields, content).finally(() => sending.delete(content))
    sending.set(content, running)
    return running
  },
}

/** The forms on their way: a second click while one is being sent waits for its result. */
const sending = new Map<string, Promise<FormProblems>>()
const submissions = submissionKeys(randomKey)

async function post(address: string, fields: object, content: string): Promise<FormProblems> {
  const response = await fetch(address, {
    method: 'POST',
    headers: {
      ...headersAs(currentSession().token),
      'content-type': 'application/json',
      'idempotency-key': submissions.keyFor(content),
    },
    body: JSON.stringify(fields),
  }).catch(() => undefined)
  if (response) submissions.settle(content, response.status)
  const answer: FormProblems = (await response?.json().catch(() => undefined)) ?? {}
  if (response?.ok) return answer.notice ? { notice: answer.notice } : {}
  return { ...answer, error: answer.error || 'It could not be sent. Please try again.' }
}

function addressOf(form: PageForm): string {
  if (!('slug' in form)) return apiPath(form.kind === 'support' ? '/support-messages' : '/saved-searches/new')
  const { kind, slug } = form
  return apiPath(kind === 'message' ? '/parts/{slug}/messages' : '/parts/{slug}/reports', { slug })
}

const NEWEST = '8'

/** Turns a 404 into undefined and rethrows other failures. */
function unlessMissing(failure: unknown): undefined {
  if (!(failure instanceof Response) || failure.status !== 404) throw failure
}
