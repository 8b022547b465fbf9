import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import {
  accountEndpoints,
  closingEndpoints,
  factorEndpoints,
  ownDataEndpoints,
  savedViewEndpoints,
  type User,
} from '#contract/account/accounts.ts'
import { apiTokenEndpoints } from '#contract/account/api-tokens.ts'
import { billingEndpoints } from '#contract/account/billing.ts'
import { garageEndpoints } from '#contract/account/garage.ts'
import { automationEndpoints, jobScheduleEndpoints } from '#contract/admin/automation.ts'
import { adminListingEndpoints } from '#contract/admin/listings.ts'
import { operationsEndpoints } from '#contract/admin/operations.ts'
import { adminPeopleEndpoints } from '#contract/admin/people.ts'
import { textReviewEndpoints } from '#contract/admin/scripts.ts'
import { promotionEndpoints, stagingDeskEndpoints, stagingEndpoints } from '#contract/admin/staging.ts'
import { taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import { analyticsEndpoints } from '#contract/analytics.ts'
import type { Endpoint, Reply } from '#contract/endpoint.ts'
import type { ErrorCode } from '#contract/error-codes.ts'
import { importEndpoints } from '#contract/imports.ts'
import { landingEndpoints } from '#contract/landing.ts'
import { leadEndpoints } from '#contract/leads.ts'
import {
  type ReplyName,
  replyNameOf,
  specOf,
  type TermField,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import { pricingEndpoints } from '#contract/listing/pricing.ts'
import { type Listing, type ListingPage, listingEndpoints, ownBulkEndpoints } from '#contract/listings.ts'
import { adminLookupEndpoints, lookupEndpoints } from '#contract/lookups.ts'
import { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { releaseEndpoints } from '#contract/order/money/release-views.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { reviewEndpoints } from '#contract/order/review-calls.ts'
import { shippingEndpoints } from '#contract/order/shipping/shipping-list.ts'
import { conversationEndpoints } from '#contract/pages/conversations.ts'
import { type AroundPart, partPageEndpoints } from '#contract/pages/part-page.ts'
import { feedEndpoints, sellerEndpoints } from '#contract/pages/sellers.ts'
import { yardEndpoints } from '#contract/pages/yard.ts'
import { pictureEndpoints } from '#contract/pictures.ts'
import { reportEndpoints } from '#contract/reports.ts'
import type { RouteName } from '#contract/routes.ts'
import { interchangeEndpoints } from '#contract/search/interchange.ts'
import { searchEndpoints } from '#contract/search/parts-search.ts'
import { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { searchWordEndpoints } from '#contract/search/search-words.ts'
import { suggestionEndpoints } from '#contract/search/suggestions.ts'
import { siteEndpoints, webVitalEndpoints } from '#contract/site.ts'
import { listOf as wordsOfRow } from '#contract/trade-language/words.ts'
import { vinEndpoints } from '#contract/vehicle/vin.ts'
import { readCsv } from '#db/data/read-data.ts'

/** Every call of the API; one that is missing here does not compile. */
const routes = {
  ...accountEndpoints,
  ...factorEndpoints,
  ...adminListingEndpoints,
  ...adminPeopleEndpoints,
  ...analyticsEndpoints,
  ...apiTokenEndpoints,
  ...closingEndpoints,
  ...ownDataEndpoints,
  ...automationEndpoints,
  ...jobScheduleEndpoints,
  ...billingEndpoints,
  ...importEndpoints,
  ...landingEndpoints,
  ...leadEndpoints,
  ...conversationEndpoints,
  ...disputeEndpoints,
  ...orderEndpoints,
  ...bookEndpoints,
  ...reviewEndpoints,
  ...shippingEndpoints,
  ...returnEndpoints,
  ...listingEndpoints,
  ...ownBulkEndpoints,
  ...pricingEndpoints,
  ...adminLookupEndpoints,
  ...lookupEndpoints,
  ...pictureEndpoints,
  ...reportEndpoints,
  ...savedSearchEndpoints,
  ...savedViewEndpoints,
  ...searchEndpoints,
  ...operationsEndpoints,
  ...releaseEndpoints,
  ...searchWordEndpoints,
  ...interchangeEndpoints,
  ...suggestionEndpoints,
  ...sellerEndpoints,
  ...partPageEndpoints,
  ...feedEndpoints,
  ...yardEndpoints,
  ...garageEndpoints,
  ...siteEndpoints,
  ...promotionEndpoints,
  ...stagingDeskEndpoints,
  ...stagingEndpoints,
  ...taxonomyEndpoints,
  ...textReviewEndpoints,
  ...vinEndpoints,
  ...webVitalEndpoints,
} satisfies Record<RouteName, Endpoint>

type Routes = typeof routes

export type FakeRequest = {
  params: Record<string, string>
  query: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test knows what its screen sends
  body: any
  headers: Headers
}
type Answer<E extends Endpoint> = Reply<E> | Response
type Handler<E extends Endpoint> = (request: FakeRequest) => Answer<E> | Promise<Answer<E>>
export type Handlers = { [Name in RouteName]?: Answer<Routes[Name]> | Handler<Routes[Name]> }

/** A refusal, worded as the server's. */
export const refuse = (
  status: number,
  code: ErrorCode,
  error: string,
  { fields, headers }: { fields?: Record<string, string>; headers?: Record<string, string> } = {},
): Response =>
  Response.json(
    { ok: false, error, code, ...(fields && { fields }) },
    { status, ...(headers && { headers }) },
  )

/** The connection breaks before there is an answer. */
export const breakOff = (): never => {
  throw new TypeError('Failed to fetch')
}

export type FakeServer = {
  /** What was asked for so far of one route. */
  asked: (name: RouteName) => FakeRequest[]
  /** Answers from now on. */
  answer: (handlers: Handlers) => void
}

const patterns = Object.entries(routes as Record<string, Endpoint>).map(([name, { method, path }]) => ({
  name: name as RouteName,
  method,
  pattern: new URLPattern({ pathname: `/api${path.replace(/\{(\w+)\}/g, ':$1')}` }),
}))

const faults: string[] = []

/** What measures uploads, on top of this server's `fetch`. */
class FakeUpload {
  onload = (): void => undefined
  onerror = (): void => undefined
  onabort = (): void => undefined
  readonly upload: { onprogress: (event: { loaded: number; total: number }) => void } = {
    onprogress: () => undefined,
  }
  responseType = ''
  status = 0
  response: Blob | undefined
  #method = ''
  #url = ''
  #headers = new Headers()
  #replied = new Headers()
  readonly #stop = new AbortController()

  open(method: string, url: string): void {
    this.#method = method
    this.#url = url
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers.set(name, value)
  }
  getResponseHeader(name: string): string | null {
    return this.#replied.get(name)
  }
  abort(): void {
    this.#stop.abort()
  }
  async send(body: BodyInit): Promise<void> {
    const { signal } = this.#stop
    try {
      const request = { method: this.#method, headers: this.#headers, body, signal }
      this.upload.onprogress({ loaded: 1, total: 2 })
      const answer = await fetch(this.#url, request)
      this.#replied = answer.headers
      this.status = answer.status
      this.response = await answer.blob()
    } catch {
      return signal.aborted ? this.onabort() : this.onerror()
    }
    this.onload()
  }
}

/**
 * Stands where the network is: every call of the page is answered by these handlers, named as in the contract, whose
 * reply schema each answer has to keep. What nobody answers fails the test (see `expectNoFaults`).
 */
const dataFile = <Row>(name: string) => readCsv(pathToFileURL(`db/data/${name}`)) as Row[]

const tradeWords: Answer<Routes['readTradeWords']> = {
  language: dataFile('words.csv'),
  makes: dataFile<{ words: string; kind: string; means: string }>('trade-words.csv')
    .filter(({ kind }) => kind === 'make')
    .flatMap(({ words, means }) => wordsOfRow(words).map((word) => ({ word, means }))),
}

export function startFakeServer(given: Handlers): FakeServer {
  // Beside what a page is for, and without anything to say by default.
  const handlers: Handlers = {
    priceHelp: { range: null },
    agedPrices: { aged: {} },
    listReports: { items: [], total: 0, open: 0, page: 1, perPage: 1 },
    listReportedReviews: { items: [], total: 0, open: 0, page: 1, perPage: 20 },
    // Where a sign-in leads.
    readBalance: { available: [], pending: [] },
    listSellerOrders: { items: [], total: 0, page: 1, perPage: 1, counts: { todo: 0, open: 0 } },
    listAllOrders: { items: [], total: 0, page: 1, perPage: 1, counts: { attention: 0 } },
    listOrders: { items: [], total: 0, page: 1, perPage: 24 },
    listConversations: { items: [] },
    readSelling: notSelling,
    readSales: {
      enabled: false,
      days: 30,
      totals: { orders: 0, gross: 0 },
      previous: { orders: 0, gross: 0 },
    },
    listOwn: { items: [], total: 0, lastPage: 1, page: 1, perPage: 5, figures: {}, yardHasTerms: false },
    // What files are read with.
    readTradeWords: tradeWords,
    readShape: { mapping: {}, defaults: {}, answers: {} },
    ...given,
  }
  const calls: { name: RouteName; request: FakeRequest }[] = []
  globalThis.XMLHttpRequest = FakeUpload as unknown as typeof XMLHttpRequest
  globalThis.fetch = async (input, init) => {
    const url = new URL(String(input), window.location.href)
    const method = init?.method ?? 'GET'
    const found = patterns.find((route) => route.method === method && route.pattern.test(url))
    if (!found) return fault(`${method} ${url.pathname} is not in the contract`)
    const request = {
      params: (found.pattern.exec(url)?.pathname.groups ?? {}) as Record<string, string>,
      query: Object.fromEntries(url.searchParams),
      body: readBody(init?.body),
      headers: new Headers(init?.headers),
    }
    calls.push({ name: found.name, request })
    const handler = handlers[found.name] as unknown
    if (handler === undefined)
      return fault(`nobody answers ${found.name} (${method} ${url.pathname}${url.search})`)
    // Never in the same turn as the call, as no network does.
    await new Promise((resolve) => setTimeout(resolve, 0))
    const given = await untilAborted(init?.signal, async () =>
      typeof handler === 'function' ? await handler(request) : handler,
    )
    return reply(found.name, given)
  }
  return {
    asked: (wanted) => calls.filter(({ name }) => name === wanted).map(({ request }) => request),
    answer: (more) => void Object.assign(handlers, more),
  }
}

/** As a network does: whoever aborts a call waits no longer for its answer. */
async function untilAborted<T>(signal: AbortSignal | null | undefined, answer: () => Promise<T>): Promise<T> {
  signal?.throwIfAborted()
  const aborted = new Promise<never>((_, refuse) => {
    signal?.addEventListener('abort', () => refuse(signal.reason))
  })
  return Promise.race([answer(), aborted])
}

export function expectNoFaults(): void {
  expect(faults.splice(0), 'Calls that the fake server could not answer').toEqual([])
}

function fault(sentence: string): Response {
  faults.push(sentence)
  return refuse(500, 'INTERNAL', sentence)
}

function reply(name: RouteName, answer: unknown): Response {
  if (answer instanceof Response) return answer
  const endpoint: Endpoint = routes[name]
  if (endpoint.reply === 'binary')
    return fault(`${name} answers with a file, so its handler needs a Response`)
  const kept = endpoint.reply.safeParse(answer)
  if (kept.success) return Response.json(answer, { status: endpoint.status ?? 200 })
  if (endpoint.later?.safeParse(answer).success) return Response.json(answer, { status: 202 })
  return fault(`${name} never answers so: ${kept.error.message}`)
}

function readBody(body: BodyInit | null | undefined): unknown {
  if (typeof body === 'string') return JSON.parse(body)
  return body instanceof FormData ? Object.fromEntries(body) : body
}

/** Of an installation where nothing can be bought. */
const notSelling: Answer<Routes['readSelling']> = {
  available: false,
  enabled: false,
  mode: 'confirm',
  days: 2,
  combinedShipping: 'each',
  problem: null,
  royaltyPercent: 10,
  royaltyFloor: 1,
  acceptedAt: null,
}

let count = 0
/** An id as the database gives them. */
export const newId = (): string => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`

/** What the account settings ask for, of someone who has none of it. */
export const bareSettings: Handlers = {
  listFactors: { items: [], recoveryCodesLeft: 0, required: false, passkeysAt: null },
  listSessions: { items: [] },
  listTokens: { items: [] },
  readFeeds: { enabled: false, googleUrl: '', metaUrl: '', parts: 0, inFeeds: 0, problems: [] },
  readBalance: { available: [], pending: [] },
  readYard: {
    street: '',
    city: '',
    state: '',
    zip: '',
    phone: '',
    timeZone: 'America/Chicago',
    hours: null,
    policy: { shipping: '', returns: '', warranty: '' },
    slug: 'yard',
    hasPage: false,
  },
}

/** Somebody with an account. */
export const makeUser = (changes: Partial<User> = {}): User => ({
  id: newId(),
  name: 'Dana Whitfield',
  email: 'dana@yard.example',
  emailConfirmed: true,
  pendingEmail: null,
  role: 0,
  createdAt: '2026-01-05T10:00:00.000Z',
  sellerId: newId(),
  sellerSlug: 'dana-whitfield',
  sellerTier: 'FREE',
  subscriptionStatus: 'INACTIVE',
  subscriptionId: null,
  subscriptionPriceId: null,
  connectStatus: 'NOT_STARTED',
  royaltyPercent: 0,
  certified: false,
  subscriptionEndsAt: null,
  stripeCustomerId: null,
  stripe_seller: { charges_enabled: false },
  payoutNeeds: null,
  listingDefaults: {},
  notificationPrefs: { orderEmails: true, messageEmails: true, weeklySummary: false },
  communicationPrefs: { showPhonePublicly: false, preferredContact: 'email', takesOffers: true },
  ...changes,
})

export const proSeller = (): User => makeUser({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
export const admin = (): User => makeUser({ name: 'Admin', role: 1 })

const toyota = newId()
export const lookups = {
  toyota,
  camry: newId(),
  corolla: newId(),
  alternator: newId(),
  door: newId(),
}

/** Texts and terms that a seller left empty, so that a new field needs no edit here. */
const unstated = Object.fromEntries([
  ...textFields.map((field) => [replyNameOf(field), specOf(field).notNull ? '' : null]),
  ...termFields.map((field) => [field, specOf(field).type === 'yes' ? false : null]),
]) as Pick<Listing, ReplyName<TextField> | TermField>

/** A live part of somebody. */
export const makeListing = (changes: Partial<Listing> = {}): Listing => ({
  ...unstated,
  id: newId(),
  kind: 'quick',
  partslug: `starter-${count}`,
  partname: 'Starter',
  partdescription: 'Bench tested, gear clean.',
  partyear: '2012',
  partyearto: null,
  partmanuId: lookups.toyota,
  partmanuname: 'Toyota',
  partmodelId: lookups.camry,
  partmodel: 'Camry',
  parttrim: 'LE',
  partcategoryId: lookups.alternator,
  partcategory: { id: lookups.alternator, name: 'Alternator' },
  categoryGroup: 'Electrical',
  partgrade: 'B',
  partnum: `28100-${count}`,
  partprice: 41,
  currency: 'USD',
  partquantity: 1,
  partshipping: null,
  shippingKind: 'quote',
  partmiles: 90_000,
  partdamage: 'None',
  damageInWords: null,
  termsInWords: [],
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  latitude: null,
  longitude: null,
  dealername: 'Whitfield Auto Salvage',
  dealerphone: '(918) 555-0142',
  preferredContact: 'email',
  takesOffers: true,
  imageUrl: null,
  images: [],
  imageProblem: null,
  status: 'ACTIVE',
  version: 1,
  createdAt: '2026-02-01T10:00:00.000Z',
  updatedAt: '2026-02-01T10:00:00.000Z',
  endedAt: null,
  endedReason: null,
  availability: 'now',
  heldUntil: null,
  soldOnline: false,
  mine: false,
  ...changes,
})

/** The same as a card of a list. */
export function makeCard(changes: Partial<Listing> = {}) {
  const listing = makeListing(changes)
  const { shippingKind, partprice, partshipping } = listing
  return {
    ...listing,
    sellerSlug: 'whitfield',
    total: shippingKind === 'quote' ? null : partprice + (partshipping ?? 0),
  }
}

/** What is beside a part that has nothing beside it but its seller. */
export const makeAround = (changes: Partial<AroundPart> = {}): AroundPart => ({
  seller: {
    slug: 'whitfield-auto-salvage',
    name: 'Whitfield Auto Salvage',
    city: 'Tulsa',
    state: 'OK',
    since: '2024-03-01T10:00:00.000Z',
    parts: 87,
    answersWithinHours: null,
    policy: {},
    reviews: 0,
    stars: null,
    record: { badge: false, lines: [] },
  },
  trail: [{ name: 'Auto parts', path: '/parts' }],
  vehicle: { isSame: false, parts: [] },
  similar: [],
  related: [],
  fits: [],
  evidence: [],
  numbers: { same: [], replaces: [], replacedBy: [], sellerSays: [] },
  ...changes,
})

/** A page of a list that has all of these. */
export const listOf = (
  all: Listing[],
  { page = '1', perPage = '12' }: Record<string, string> = {},
): ListingPage => {
  const [size, lastPage] = [Number(perPage), Math.max(1, Math.ceil(all.length / Number(perPage)))]
  const from = (Number(page) - 1) * size
  return {
    items: all.slice(from, from + size),
    total: all.length,
    lastPage,
    page: Number(page),
    perPage: size,
  }
}

/** What every page may ask for. */
export const everyPage = (user: User | undefined): Handlers => ({
  site: {
    productName: 'PartHarbor',
    findPartsUrl: null,
    proPrice: '$149',
    demo: true,
    orders: true,
    payments: 'test',
    adminPreview: true,
    counts: { listings: 5_000, manufacturers: 40, models: 400, sellers: 20 },
  },
  categories: [
    { id: lookups.alternator, name: 'Alternator', group: 'Electrical', aliases: [], universal: false },
    { id: lookups.door, name: 'Front Door', group: 'Body', aliases: [], universal: false },
  ],
  manufacturers: [{ id: toyota, manuname: 'Toyota', aliases: [] }],
  carModels: [
    { id: lookups.camry, carname: 'Camry', manuId: toyota, categoryId: null, years: [] },
    { id: lookups.corolla, carname: 'Corolla', manuId: toyota, categoryId: null, years: [] },
  ],
  authCheck: () => (user ? { ok: true } : refuse(401, 'SIGNED_OUT', 'Sign in first')),
  adminCheck: () => {
    if (!user) return refuse(401, 'SIGNED_OUT', 'Sign in first')
    return user.role === 1 ? { ok: true } : refuse(403, 'NOT_ALLOWED', 'For administrators')
  },
  listFactors: { items: [], recoveryCodesLeft: 0, required: false, passkeysAt: null },
  listPictures: { pictures: [], max: 24 },
  readGarage: { vehicles: [], parts: [] },
  readFits: { items: [] },
  profile: () => user ?? refuse(401, 'SIGNED_OUT', 'Sign in first'),
  listLeads: { items: [], total: 0, page: 1, perPage: 1, counts: { new: 0, answered: 0, closed: 0 } },
})
