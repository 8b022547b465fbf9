import { setTimeout as sleep } from 'node:timers/promises'
import type { Listing } from '#contract/listings.ts'
import type { CarModel, Category } from '#contract/lookups.ts'
import type { BuyerOrder, SellerOrder } from '#contract/order/order-views.ts'
import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import type { ApiClient } from './api-client.ts'
import { someLookups } from './make-rows.ts'

/*
 * Many buyers and some yards at once, over HTTP: they buy, pay, decline, leave, pay late, cancel; confirm, do not find, ship,
 * hand over and refund. Calls that get no answer are sent again under the same key, as browsers and people do.
 */

export type CrowdYard = { readonly token: string; readonly parts: readonly CrowdPart[] }
export type CrowdPart = {
  readonly id: string
  readonly slug: string
  readonly quantity: number
  readonly isFreight: boolean
  /** Its core charge, in dollars. */
  readonly core: number
}

export type Crowd = {
  /** An address of the api; another one each time, if there are several. */
  readonly address: () => string
  readonly yards: readonly CrowdYard[]
  readonly purchases: number
  /** Continues until this many orders are placed, even beyond `purchases`, since some attempts fail because the part is gone. */
  readonly orders?: number
  /** At once. */
  readonly buyers: number
  readonly seed: string
  /** Buyers and yards take this long to think. */
  readonly pauseMs: number
  readonly signal: AbortSignal
  /** With sales tax there is no other choice. */
  readonly allOrNothing?: boolean
  /** Nobody comes after this. */
  readonly shuts?: AbortSignal
}

/** What happened, by name. */
type Tally = Map<string, number>

const count = (tally: Tally, what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)

type Reply<T> = { status: number; body: T & { code?: string; error?: string } }
type Sent = { body?: unknown; token?: string; ip?: string; key?: string }

const SILENCE_MS = 12_000
const AGAIN_MS = 150
/** The first of two calls is still at work, or the provider is away. */
const isPassing = ({ status, body }: Reply<unknown>) =>
  status >= 500 || status === 429 || body.code === 'STILL_RUNNING' || body.code === 'PAYMENTS_UNREACHABLE'

export class Caller {
  readonly #crowd: Pick<Crowd, 'address' | 'signal'>
  readonly tally: Tally = new Map()

  constructor(crowd: Pick<Crowd, 'address' | 'signal'>) {
    this.#crowd = crowd
  }

  address(): string {
    return this.#crowd.address()
  }

  /** Sends until there is an answer. */
  async ask<T>(method: 'GET' | 'POST', path: string, sent: Sent = {}): Promise<Reply<T>> {
    for (;;) {
      const reply = await this.#try<T>(method, path, sent)
      if (reply && !isPassing(reply)) return reply
      // A bug of ours: processes that are killed do not answer at all.
      if (reply?.status === 500) count(this.tally, '500')
      count(this.tally, `again: ${reply?.body.code ?? 'no answer'}`)
      this.#crowd.signal.throwIfAborted()
      await sleep(AGAIN_MS)
    }
  }

  async #try<T>(method: string, path: string, { body, token, ip, key }: Sent) {
    try {
      const response = await fetch(`${this.#crowd.address()}/api${path}`, {
        method,
        headers: {
          cookie: 'wrote=1',
          ...(ip !== undefined && { 'x-forwarded-for': ip }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(SILENCE_MS),
      })
      return { status: response.status, body: (await response.json()) as Reply<T>['body'] }
    } catch {
      return undefined
    }
  }
}

/* Buyers. */

const manners = {
  pays: 55,
  'pays twice': 5,
  'declines, then pays': 8,
  'declines and goes': 5,
  leaves: 9,
  'goes away': 6,
  'pays late': 6,
  'pays and cancels': 6,
} as const
type Manner = keyof typeof manners
const chooseManner = weightedChoice(Object.keys(manners) as Manner[], (manner) => manners[manner])

type Placed = { order: { id: string; state: string }; url?: string; token: string }

/** Presses a button of the payment page, until it is answered. */
async function press(page: string, action: string, signal: AbortSignal): Promise<void> {
  for (;;) {
    const done = await fetch(`${page}/${action}`, { method: 'POST', redirect: 'manual' }).then(
      async ({ status, body }) => {
        await body?.cancel()
        return status < 500
      },
      () => false,
    )
    if (done) return
    signal.throwIfAborted()
    await sleep(AGAIN_MS)
  }
}

type BoughtOrder = { readonly token: string; readonly ip: string }

/** What buyers know of their orders, by id. */
export type Links = Map<string, BoughtOrder>

export const countPlaced = ({ tally }: Pick<Caller, 'tally'>): number =>
  (tally.get('placed') ?? 0) + (tally.get('placed several') ?? 0)

/** Plays all purchases; resolves when every buyer has done what they came for. */
export async function playBuyers(crowd: Crowd, caller: Caller, links: Links): Promise<void> {
  let next = 0
  const isEnough = (no: number) =>
    crowd.orders === undefined ? no >= crowd.purchases : countPlaced(caller) >= crowd.orders
  const buyer = async () => {
    for (;;) {
      const no = next
      if (isEnough(no) || crowd.signal.aborted || crowd.shuts?.aborted) return
      next += 1
      count(caller.tally, 'purchases')
      await playPurchase(crowd, caller, { no, links })
    }
  }
  await Promise.all(Array.from({ length: crowd.buyers }, buyer))
}

type Purchase = { no: number; links: Links }

async function playPurchase(crowd: Crowd, caller: Caller, { no, links }: Purchase): Promise<void> {
  const random = seededRandom(`${crowd.seed} purchase ${no}`)
  const { parts } = random.pick(crowd.yards)
  const items = pickItems(random, parts)
  const ip = `10.${no >> 16}.${(no >> 8) & 255}.${no & 255}`
  const isFreight = items.some(({ part }) => part.isFreight)
  const delivery = isFreight || random.chance(0.8) ? 'ship' : 'pickup'
  const price = items.reduce((sum, { part, quantity }) => sum + (100 + part.core) * quantity, 0)
  const shipping = delivery === 'ship' ? 15 * items.length : 0
  const key = `${crowd.seed} ${no}`
  const body = {
    email: `buyer-${no}@crowd.example`,
    name: `Buyer ${['Ann', 'Ben', 'Cal', 'Dee'][no % 4]}`,
    delivery,
    ...(delivery === 'ship' && {
      address: { line1: `${no} Elm Street`, city: 'Dallas', state: 'TX', zip: '75201' },
    }),
    expectedTotal: isFreight ? null : price + shipping,
  }
  const isSeveral = items.length > 1
  const { path, bought } = callFor(items, random, crowd)
  const send = () => caller.ask<Placed>('POST', path, { body: { ...body, ...bought }, ip, key })
  // Some click twice.
  const [{ status, body: placed }] = random.chance(0.1) ? await Promise.all([send(), send()]) : [await send()]
  if (status !== 201) return void count(caller.tally, `refused ${placed.code ?? status}`)
  count(caller.tally, isSeveral ? 'placed several' : 'placed')
  links.set(placed.order.id, { token: placed.token, ip })
  await sleep(random.whole(0, crowd.pauseMs))
  const session: Session = { crowd, caller, random, ip, token: placed.token }
  const url = placed.url ?? (placed.order.state === 'quoting' ? await awaitPrice(session, price) : undefined)
  if (url === undefined) return void count(caller.tally, 'without a page')
  const manner = chooseManner(random)
  count(caller.tally, manner)
  await MANNERS[manner](session, url)
}

type Item = { part: CrowdPart; quantity: number }

function callFor(
  items: readonly Item[],
  random: Random,
  { allOrNothing = false }: Crowd,
): { path: string; bought: object } {
  const [first, ...others] = items
  if (first && others.length === 0)
    return { path: `/parts/${first.part.slug}/orders`, bought: { quantity: first.quantity } }
  const bought = {
    items: items.map(({ part: { slug }, quantity }) => ({ slug, quantity })),
    ifMissing: random.chance(0.6) && !allOrNothing ? 'send' : 'cancel',
  }
  return { path: '/orders/new', bought }
}

/** Mostly one part; some buy two or three of the yard at once, in any order. */
function pickItems(random: Random, parts: readonly CrowdPart[]): Item[] {
  const wanted = random.chance(0.25) ? random.whole(2, 3) : 1
  const chosen = new Set(Array.from({ length: wanted }, () => random.pick(parts)))
  return [...chosen].map((part) => ({
    part,
    quantity: part.quantity > 1 && random.chance(0.2) ? 2 : 1,
  }))
}

type Session = { crowd: Crowd; caller: Caller; random: Random; ip: string; token: string }

const acts = <T = BuyerOrder>({ caller, ip, token }: Session, path: string, body: object = {}) =>
  caller.ask<T>('POST', `/orders/${path}`, { ip, body: { token, ...body } })

/** Waits for the yard's shipping price for some time, and opens the page. */
async function awaitPrice(session: Session, price: number): Promise<string | undefined> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { body } = await acts(session, 'read')
    if (body.state !== 'quoting') return undefined
    if (body.total !== null) {
      const paid = await acts<{ url: string }>(session, 'pay', { expectedTotal: price + 40 })
      return paid.status === 200 ? paid.body.url : undefined
    }
    await sleep(session.crowd.pauseMs)
  }
  await acts(session, 'cancel', { reason: 'No price' })
  return undefined
}

const look = async (session: Session) => {
  for (let looks = session.random.whole(0, 2); looks > 0; looks -= 1) {
    await sleep(session.random.whole(0, session.crowd.pauseMs))
    await acts(session, 'read')
  }
}

const pay = ({ crowd }: Session, url: string) => press(url, 'pay', crowd.signal)
const decline = ({ crowd }: Session, url: string) => press(url, 'decline', crowd.signal)

const MANNERS: Record<Manner, (session: Session, url: string) => Promise<void>> = {
  pays: async (session, url) => {
    await pay(session, url)
    await look(session)
  },
  'pays twice': async (session, url) => {
    await Promise.all([pay(session, url), pay(session, url)])
    await Promise.all([acts(session, 'read'), acts(session, 'read')])
  },
  'declines, then pays': async (session, url) => {
    await decline(session, url)
    await sleep(session.random.whole(0, session.crowd.pauseMs))
    await pay(session, url)
  },
  'declines and goes': decline,
  leaves: async (session) => {
    await acts(session, 'cancel', { reason: 'left the payment page' })
  },
  'goes away': async () => undefined,
  'pays late': async (session, url) => {
    await sleep(session.crowd.pauseMs * 3)
    await press(url, 'pay?late=1', session.crowd.signal)
  },
  'pays and cancels': async (session, url) => {
    await Promise.all([pay(session, url), acts(session, 'cancel', { reason: 'Changed my mind' })])
  },
}

/* Yards. */

type Deed = { path: string; body: object }

type Choosing = { luck: number; order: SellerOrder; code: string | null }

/** What a yard does with an order, always the same with the same one; undefined: it leaves it lying. */
const DEEDS: Partial<Record<SellerOrder['state'], (choosing: Choosing) => Deed | undefined>> = {
  quoting: ({ luck }) => (luck < 0.8 ? { path: 'quote', body: { shipping: 40, days: 5 } } : undefined),
  authorized: ({ luck, order }) => {
    // Of several parts, all but the first are found.
    const lines = order.parts.slice(1).map(({ id }) => id)
    if (luck < 0.2 && lines.length > 0) return { path: 'confirm', body: { lines } }
    if (luck < 0.72) return { path: 'confirm', body: { fitsVin: true } }
    return luck < 0.85 ? { path: 'not-found', body: { reason: 'Sold at the counter' } } : undefined
  },
  confirmed: ({ luck, order }) => deedOfConfirmed(luck, order),
  ready: ({ luck, code }) =>
    luck < 0.8 && code !== null ? { path: 'hand-over', body: { code } } : undefined,
  shipped: ({ luck }) => (luck < 0.05 ? refundOf('part', 1, 'Sorry') : undefined),
  delivered: ({ luck }) => (luck < 0.05 ? refundOf('part', 1, 'Sorry') : undefined),
  refunded: ({ luck }) => ({ path: 'restock', body: { answer: luck < 0.7 ? 'sell' : 'scrap' } }),
}

const refundOf = (kind: string, amount: number, reason: string): Deed => ({
  path: 'refund',
  body: { lines: [{ kind, amount }], reason },
})

function deedOfConfirmed(luck: number, order: SellerOrder): Deed | undefined {
  const { actions, delivery, lines, parts } = order
  if (luck < 0.2 && actions.includes('not-found') && parts.length > 1) {
    return { path: 'not-found', body: { reason: 'Gone', lines: [parts[0]?.id] } }
  }
  if (luck < 0.6) {
    return delivery === 'ship'
      ? { path: 'ship', body: { carrier: 'ups', tracking: '1Z999' } }
      : { path: 'ready', body: {} }
  }
  if (luck < 0.7 && actions.includes('not-found')) return { path: 'not-found', body: { reason: 'Gone' } }
  if (luck < 0.78) return { path: 'refund', body: { lines, reason: 'Broken' } }
  return luck < 0.85 ? refundOf('part', 10, 'Scratched') : undefined
}

/** Works through a yard's orders until the signal aborts. */
export async function playYard(
  crowd: Crowd,
  caller: Caller,
  { yard, links, over }: { yard: CrowdYard; links: Links; over: AbortSignal },
): Promise<void> {
  const done = new Set<string>()
  while (!over.aborted && !crowd.signal.aborted) {
    for (const show of ['todo', 'all'] as const) {
      const path = `/seller/orders?show=${show}&perPage=100`
      const { body } = await caller.ask<{ items: SellerOrder[] }>('GET', path, { token: yard.token })
      await Promise.all(body.items.map((order) => playDeed(crowd, caller, { yard, links, order, done })))
    }
    await sleep(crowd.pauseMs)
  }
}

type Work = { yard: CrowdYard; links: Links; order: SellerOrder; done: Set<string> }

async function playDeed(crowd: Crowd, caller: Caller, { yard, links, order, done }: Work): Promise<void> {
  const { id, state } = order
  const once = `${id} ${state}`
  if (done.has(once)) return
  done.add(once)
  const random = seededRandom(`${crowd.seed} ${id} ${state}`)
  const link = links.get(id)
  const code =
    state === 'ready' && link
      ? (await caller.ask<BuyerOrder>('POST', '/orders/read', { ip: link.ip, body: { token: link.token } }))
          .body.pickupCode
      : null
  const deed = DEEDS[state]?.({ luck: random.next(), order, code })
  if (!deed) return
  const send = () =>
    caller.ask('POST', `/seller/orders/${id}/${deed.path}`, { token: yard.token, body: deed.body })
  const [{ status, body }] = random.chance(0.1) ? await Promise.all([send(), send()]) : [await send()]
  count(caller.tally, `${deed.path} ${status === 200 ? 'done' : (body.code ?? status)}`)
  if (deed.path === 'ship' && link && random.chance(0.5)) {
    await caller.ask('POST', '/orders/received', { ip: link.ip, body: { token: link.token } })
  }
}

/* Parts. */

/** A yard's own calls. */
type Lister = {
  get<T>(path: string): Promise<{ body: T }>
  post<T>(path: string, body: unknown): Promise<{ status: number; body: T }>
}

/** Part types as a yard sells them, none with rules of its own. */
const ORDINARY = new Set(
  [
    'Alternator',
    'Starter Motor',
    'Radiator',
    'Hood',
    'Tailgate',
    'Power Steering Pump',
    'Transfer Case',
    'Intake Manifold',
  ].concat(
    [
      'Throttle Body',
      'A/C Compressor',
      'Radio',
      'Instrument Cluster',
      'Steering Column',
      'Blower Motor',
      'Center Console',
    ],
    ['Cylinder Head', 'Crankshaft', 'Engine Block', 'Fuel Tank', 'Exhaust Manifold'],
  ),
)

/** Lists parts of a yard: most in one piece, some in several, and some whose shipping the yard prices. */
export async function listParts(
  api: Lister,
  { count: wanted, seed, cores = false }: { count: number; seed: string; cores?: boolean },
): Promise<CrowdPart[]> {
  const random = seededRandom(`parts ${seed}`)
  const [categories, { manufacturer }] = await Promise.all([
    api.get<Category[]>('/categories'),
    someLookups(api as unknown as ApiClient),
  ])
  const models = await api.get<CarModel[]>(`/carmodels?manuId=${manufacturer.id}`)
  const kinds = categories.body.filter(({ name }) => ORDINARY.has(name))
  const parts: CrowdPart[] = []
  while (parts.length < wanted) {
    const quantity = random.chance(0.3) ? random.whole(2, 3) : 1
    const isFreight = random.chance(0.08)
    const core = cores && random.chance(0.2) ? 20 : 0
    const [category, model] = [random.pick(kinds), random.pick(models.body)]
    const { status, body } = await api.post<Listing>('/seller/quick-listings', {
      partname: category.name,
      partdesc: 'Pulled from a running car and tested.',
      partcategoryId: category.id,
      partmanuId: manufacturer.id,
      partmodel: model.carname,
      partmodelId: model.id,
      parttrim: 'XLT',
      partyear: '2014',
      partgrade: 'A',
      partmiles: '84000',
      partdamage: 'None',
      partnum: `CROWD-${seed}-${parts.length}`,
      partprice: '100',
      partshipping: isFreight ? '' : '15',
      partquantity: String(quantity),
      ...(core > 0 && { corecharge: String(core), coredays: '30' }),
      partcity: 'Tulsa',
      partstate: 'OK',
      zipcode: '74103',
      partdealer: 'Whitfield Auto Salvage',
      phonea: '(918) 555-0142',
    })
    if (status !== 201) throw new Error(`a part was answered ${status}: ${JSON.stringify(body)}`)
    parts.push({ id: body.id, slug: body.partslug, quantity, isFreight, core })
  }
  return parts
}
