import type { LandingKind, LandingPage, TopNames } from '#contract/landing.ts'
import type { Listing } from '#contract/listings.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import type { Card, PartsPage as SearchedParts } from '#contract/search/parts-search.ts'

/*
 * Types that the server and the scripts of public pages share. No values: schemas would bring zod, 60 kB, to every visitor.
 */

/** What every public page knows about this installation; it changes with a restart only. */
export type SiteFacts = {
  productName: string
  /** Of absolute addresses: `https://parts.example`. */
  origin: string
  /** Target of "Find Auto Parts"; null for our own list. */
  findPartsUrl: string | null
  demo: boolean
  /** What Pro costs a month, such as "$149". */
  proPrice: string
}

type SiteCounts = { listings: number; manufacturers: number; models: number; sellers: number }

/** What a list shows of a part, also of a sold one. */
export type PartCard = Omit<Card, 'status'> & { status: Card['status'] | 'SOLD' }

export type FoundParts = SearchedParts

type Choice = { id: string; name: string }
export type HomePage = {
  counts: SiteCounts
  top: TopNames
  /** For the picker, by name. */
  manufacturers: Choice[]
  newest: PartCard[]
}
/** A hidden part, which only its seller and administrators see, has nothing around it. */
export type PartPage = { listing: Listing; around: AroundPart | undefined }
export type SellerParts = { seller: PublicYard; found: FoundParts }
/** A search in words, and why it cannot be saved. */
export type SearchToSave = { title: string; problem: string | null }
export type LandingParts = { page: LandingPage; found: FoundParts }

/** A form of a page, and what it is about. */
export type PageForm = { kind: 'message' | 'report'; slug: string } | { kind: 'support' | 'search' }
/** Its fields, as typed. */
export type FormFields = Record<string, string>
/** What is wrong with it, by field; without an error it was sent. */
export type FormProblems = { error?: string; fields?: Record<string, string> }

/**
 * What the loaders and actions of public pages read and write with: the API in the browser, the use-cases themselves on the
 * server. A read that fails throws a Response with the status and the API's error as JSON.
 */
export type PublicReads = {
  site(): Promise<SiteFacts>
  home(): Promise<HomePage>
  /** With facets. `query` is the page's own; the API's parameters have the same names. */
  searchParts(query: URLSearchParams): Promise<FoundParts>
  /** A former slug finds the part under its current one. */
  readPart(slug: string): Promise<PartPage>
  readLanding(kind: LandingKind, slug: string, query: URLSearchParams): Promise<LandingParts>
  readSeller(slug: string, query: URLSearchParams): Promise<SellerParts>
  /** `query` is that of the parts list. */
  describeSearch(query: URLSearchParams): Promise<SearchToSave>
  send(form: PageForm, fields: FormFields): Promise<FormProblems>
}

/** What `web/render.tsx`, built for the server, exports. */
export type PageRenderer = {
  /**
   * The page at an address: a public one with its normalized address (known parameters only, in one order), the app's (not
   * rendered on the server), or undefined if there is none.
   */
  findPage(url: URL): { kind: 'public'; address: string } | { kind: 'app' } | undefined
  /** Reads what the page shows. */
  load(request: Request, reads: PublicReads): Promise<LoadedPage | PageRedirect>
}

type LoadedPage = {
  status: number
  /** JSON for hydration, safe inside of a script element. With the address it is all that the page is made from. */
  data: string
  render(): RenderedPage
}

type PageRedirect = { status: number; location: string }
export type RenderedPage = {
  /** Elements of the head. */
  head: string
  body: string
  data: string
  /** Keys of the page's modules in Vite's manifest. */
  modules: string[]
}
