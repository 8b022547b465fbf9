import type { LandingKind, LandingPage, TopNames } from '#contract/landing.ts'
import type { Listing } from '#contract/listings.ts'
import type { AroundPart } from '#contract/pages/part-page.ts'
import type { PublicYard } from '#contract/pages/sellers.ts'
import type { Card, PartsPage as SearchedParts } from '#contract/search/parts-search.ts'

/*
 * Types shared by the server and the scripts of public pages. No values: schemas would load zod, 60 kB, for every
 * visitor.
 */

/** Facts about this installation for every public page; they change only with a restart. */
export type SiteFacts = {
  productName: string
  /** Origin of absolute URLs: `https://parts.example`. */
  origin: string
  /** Target of "Find Auto Parts"; null for our own list. */
  findPartsUrl: string | null
  demo: boolean
  /** Whether parts can be bought here. */
  orders: boolean
  /** The monthly price of Pro, such as "$149". */
  proPrice: string
}

export type SiteCounts = { listings: number; manufacturers: number; models: number; sellers: number }

/** A card in a list, possibly of a sold part. */
export type PartCard = Omit<Card, 'status'> & { status: Card['status'] | 'SOLD' }

/** The list of an address, without the values that cannot be used: `refused` has the reason for each parameter. */
export type FoundParts = SearchedParts & { refused?: Readonly<Record<string, string>> }

type Choice = { id: string; name: string }
export type HomePage = {
  counts: SiteCounts
  top: TopNames
  /** For the picker, by name. */
  manufacturers: Choice[]
  newest: PartCard[]
}
/** `around` is undefined for a hidden part, which only its seller and administrators see. */
export type PartPage = { listing: Listing; around: AroundPart | undefined }
export type SellerParts = { seller: PublicYard; found: FoundParts }
/** A search in words, and why it cannot be saved. */
export type SearchToSave = { title: string; problem: string | null }
export type LandingParts = { page: LandingPage; found: FoundParts }

/** A page's form and its subject. */
export type PageForm = { kind: 'message' | 'report'; slug: string } | { kind: 'support' | 'search' }
/** Its fields, as typed. */
export type FormFields = Record<string, string>
/** Problems by field; without an error, the form was sent. `notice`: what did not work nevertheless. */
export type FormProblems = { error?: string; fields?: Record<string, string>; notice?: string }

/**
 * Data access for loaders and actions of public pages: the API in the browser, use cases called directly on the server.
 * A failed read throws a Response with the status and the API's error as JSON.
 */
export type PublicReads = {
  site(): Promise<SiteFacts>
  home(): Promise<HomePage>
  /** Includes facets. `query` is the page's query; the API's parameters have the same names. */
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
   * Finds the page at a URL: a public page with its normalized address (known parameters in a fixed order), an app page
   * (not rendered on the server), or undefined.
   */
  findPage(url: URL): { kind: 'public'; address: string } | { kind: 'app' } | undefined
  /** Reads what the page shows. */
  load(request: Request, reads: PublicReads): Promise<LoadedPage | PageRedirect>
}

type LoadedPage = {
  status: number
  /** JSON for hydration, safe inside a script element. Address and data fully determine the page. */
  data: string
  render(): RenderedPage
}

type PageRedirect = { status: number; location: string }
export type RenderedPage = {
  /** Elements for the document's head. */
  head: string
  body: string
  data: string
  /** Keys of the page's modules in Vite's manifest. */
  modules: string[]
}
