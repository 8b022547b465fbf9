import { toCents } from '#contract/listing/listing-rules.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import type { MessageKind } from '#contract/pages/conversations.ts'
import { clockTime } from '#contract/pages/yard-words.ts'
import { listingTitle } from '#server/features/market/listings/titles.ts'
import { type Random, seededRandom, weightedChoice } from '#server/platform/seeded-random.ts'
import { type Bargain, bargains, questions, texts, towns } from './data.ts'
import type { DemoListing } from './demo-listing.ts'
import type { DemoSeller } from './demo-sellers.ts'
import { demoEmails } from './demo-sign-ins.ts'
import { idAt } from './demo-stock.ts'
import { sentenceKindsOf, withTerms } from './sale-terms.ts'

/* Demo views and messages for the listings of the two sellers who can sign in. */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type DemoView = { listingId: string; day: string; views: number }
type ViewedListing = { id: string; createdAt: Date; seller: { email: string } }

/** The total of views on the days of a range before loading (both ends included). */
type ViewPeriod = { views: number; fromDaysAgo: number; toDaysAgo: number }

/**
 * Generates views of a seller's listings by day. A period's sum is exact, but days and listings vary. Nothing is viewed
 * before it was listed.
 */
function demoViews(
  listings: readonly ViewedListing[],
  periods: readonly ViewPeriod[],
  { today, random }: { today: number; random: Random },
): DemoView[] {
  const oldestFirst = listings.toSorted((a, b) => a.createdAt.getTime() - b.createdAt.getTime())
  const [oldest] = oldestFirst
  if (!oldest) return []
  const choose = weightedChoice(oldestFirst, () => 0.15 + random.next() ** 3)
  const counted = new Map<string, DemoView>()
  for (const { views, fromDaysAgo, toDaysAgo } of periods) {
    for (let view = 0; view < views; view += 1) {
      const day = new Date(today - random.whole(toDaysAgo, fromDaysAgo) * DAY_MS)
      const listing = chooseListed(choose, day, random) ?? oldest
      const entry = { listingId: listing.id, day: day.toISOString().slice(0, 10) }
      const key = `${entry.listingId} ${entry.day}`
      counted.set(key, { ...entry, views: (counted.get(key)?.views ?? 0) + 1 })
    }
  }
  return [...counted.values()]
}

// A listing that did not exist on that day is drawn again; after this many draws the oldest one is used.
const DRAWS = 30

function chooseListed(
  choose: (random: Random) => ViewedListing,
  day: Date,
  random: Random,
): ViewedListing | undefined {
  for (let attempt = 0; attempt < DRAWS; attempt += 1) {
    const listing = choose(random)
    if (listing.createdAt < day) return listing
  }
  return undefined
}

// 300 views in the last 30 days make the Pro seller's 42 leads a conversion of 14%. They stay four days clear of the
// window's end, so that the figure holds for the first days of a demo.
const PRO_PERIODS = [
  { views: 300, fromDaysAgo: 26, toDaysAgo: 1 },
  { views: 620, fromDaysAgo: 120, toDaysAgo: 32 },
]
const FREE_PERIODS = [{ views: 38, fromDaysAgo: 26, toDaysAgo: 1 }]

/** Generates the views of the two sellers who can sign in. */
export function viewsOfSignIns(listings: readonly ViewedListing[], today: number): DemoView[] {
  return [[demoEmails.pro, PRO_PERIODS] as const, [demoEmails.free, FREE_PERIODS] as const].flatMap(
    ([email, periods]) => {
      const own = listings.filter(({ seller }) => seller.email === email)
      return demoViews(own, periods, { today, random: seededRandom(`views of ${email}`) })
    },
  )
}

type DemoBuyer = { name: string; email: string | null; phone: string | null }

/** A buyer's message with the yard's reply, as inserted into the database. */
export type DemoLead = DemoBuyer & {
  id: string
  listingId: string
  listingTitle: string
  message: string
  state: 'new' | 'answered' | 'closed'
  createdAt: Date
  answeredAt: Date | null
  answer: { id: string; message: string } | null
  /** What followed. */
  talk: DemoMessage[]
}

type DemoMessage = {
  id: string
  sender: 'buyer' | 'seller'
  kind: MessageKind
  body: string
  /** For an offer and an acceptance. */
  priceCents: number | null
  expiresAt: Date | null
  createdAt: Date
}

type LeadListing = DemoListing & { id: string; seller: Pick<DemoSeller, 'email' | 'profile'> }
type View = { listing: LeadListing; day: number }

// 7 a.m. to 5 p.m. Central time, the same day as in UTC.
const OPENS = 13
const CLOSES = 23
/** Messages this recent count as "this month", as the views do. */
const RECENT_DAYS = 26

/** Number of messages from this month and before, and how many of the newest are unanswered. */
type Inbox = { recent: number; before: number; unanswered: number }

// 42 of 300 views are 14%.
const inboxes: Record<string, Inbox> = {
  [demoEmails.pro]: { recent: 42, before: 66, unanswered: 5 },
  [demoEmails.free]: { recent: 3, before: 0, unanswered: 1 },
}

/**
 * Generates messages to the two sellers who can sign in. Each buyer viewed the part that day, so that no part has more
 * messages than views. All dates are before `today`.
 */
export function leadsOfSignIns(
  listings: readonly LeadListing[],
  views: readonly DemoView[],
  today: number,
): DemoLead[] {
  return Object.entries(inboxes).flatMap(([email, inbox]) => {
    const own = new Map(listings.filter(({ seller }) => seller.email === email).map((one) => [one.id, one]))
    const ownViews = views.flatMap(({ listingId, day, views: count }): View[] => {
      const listing = own.get(listingId)
      return listing ? Array(count).fill({ listing, day: Date.parse(day) }) : []
    })
    return fillInbox(ownViews, inbox, { today, random: seededRandom(`leads of ${email}`) })
  })
}

type Moment = { today: number; random: Random }

function fillInbox(views: readonly View[], inbox: Inbox, { today, random }: Moment): DemoLead[] {
  const isRecent = ({ day }: View) => today - day <= RECENT_DAYS * DAY_MS
  const older = views.filter((view) => !isRecent(view))
  const asking = [
    ...drawSome(views.filter(isRecent), inbox.recent, random),
    ...drawSome(older, inbox.before, random),
  ]
    .map(({ listing, day }) => ({ listing, createdAt: new Date(day + timeOfDay(random)) }))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const nextBuyer = demoBuyers(random)
  const chooseExchange = exchangeChoice(random)
  const leads = asking.map(({ listing, createdAt }, at) => {
    const exchange = chooseExchange(listing)
    const buyer = nextBuyer()
    const lead = {
      ...buyer,
      id: idAt(createdAt, random),
      listingId: listing.id,
      listingTitle: titleOf(listing),
      message: wordMessage(fillIn(exchange.question, listing), buyer, random),
      createdAt,
      talk: [],
    }
    const [state, answer] =
      at < inbox.unanswered
        ? [{ state: 'new', answeredAt: null } as const, null]
        : answered(lead, fillIn(exchange.answer, listing), { today, random })
    return { ...lead, ...state, answer, listing }
  })
  return withBargains(leads, { today, random }).map(({ listing: _, ...lead }) => lead)
}

type LeadOfListing = DemoLead & { listing: LeadListing }

// The hold and the offers of live stories last until two days after loading.
const LIVE_BEFORE_MS = 20 * HOUR_MS
const LIVE_STEP_MS = 7 * HOUR_MS
// Old enough that what was offered then has run out.
const PAST_BEFORE_MS = 6 * DAY_MS
const PAST_STEP_MS = 5 * HOUR_MS

/** Continues some conversations, so that there is one in each state that an offer can have. */
function withBargains(leads: readonly LeadOfListing[], moment: Moment): LeadOfListing[] {
  const { today } = moment
  const stories = new Map<DemoLead, readonly Bargain[]>()
  for (const story of bargains.values()) {
    const [first] = story
    const isOpen = story.every(({ sender }) => sender === 'buyer')
    const before = today - (first?.time === 'live' ? LIVE_BEFORE_MS : PAST_BEFORE_MS)
    const lead = leads.find((one) => {
      const since = (one.answeredAt ?? one.createdAt).getTime()
      const isFree = !stories.has(one) && one.email !== null && one.state !== 'closed'
      return isFree && since < before && (one.state === 'new') === isOpen
    })
    if (lead) stories.set(lead, story)
  }
  return leads.map((lead) => ({ ...lead, talk: talkOf(lead, stories.get(lead) ?? [], moment) }))
}

function talkOf(
  { listing, createdAt, answeredAt }: LeadOfListing,
  story: readonly Bargain[],
  { today, random }: Moment,
): DemoMessage[] {
  const isPriced = (kind: MessageKind) => kind === 'offer' || kind === 'accept'
  return story.map(({ time, sender, kind, percent, body }, at) => {
    const past = (answeredAt ?? createdAt).getTime() + (at + 1) * PAST_STEP_MS
    const said = new Date(time === 'live' ? today - LIVE_BEFORE_MS + (at + 1) * LIVE_STEP_MS : past)
    const hours = kind === 'offer' && sender === 'seller' && time === 'live' ? 168 : 48
    const cents = (percent * toCents(listing.text.partprice ?? '')) / 100
    return {
      id: idAt(said, random),
      sender,
      kind,
      body: fillIn(body, listing),
      // Whole dollars, as people offer.
      priceCents: isPriced(kind) ? Math.max(100, Math.round(cents / 100) * 100) : null,
      expiresAt: isPriced(kind) ? new Date(said.getTime() + hours * HOUR_MS) : null,
      createdAt: said,
    }
  })
}

function drawSome<T>(list: readonly T[], count: number, random: Random): T[] {
  return list
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item)
}

function timeOfDay(random: Random): number {
  return Math.floor((OPENS + random.next() * (CLOSES - OPENS)) * HOUR_MS)
}

const CLOSED_SHARE = 0.25
const SLOWEST_ANSWER_MS = 3 * HOUR_MS

/** A buyer without an email was called, so the answer has no text. */
function answered(
  { createdAt, email }: { createdAt: Date; email: string | null },
  message: string,
  { today, random }: Moment,
): [Pick<DemoLead, 'state' | 'answeredAt'>, DemoLead['answer']] {
  const time = createdAt.getTime()
  const wait = (0.1 + 0.8 * random.next()) * Math.min(SLOWEST_ANSWER_MS, today - time)
  const answeredAt = new Date(Math.floor(time + wait))
  const answer = { id: idAt(answeredAt, random), message }
  return [
    { state: random.chance(CLOSED_SHARE) ? 'closed' : 'answered', answeredAt },
    email === null ? null : answer,
  ]
}

// How much more often buyers ask questions specific to this kind of part.
const SPECIAL_LEAD = 2

/** Returns a choice among the least used questions that fit the part and its terms. */
function exchangeChoice(random: Random): (listing: DemoListing) => Exchange {
  const asked = new Map<Exchange, number>()
  return ({ category, text }) => {
    const { special, general } = exchangesFor(category)
    const occasions = sentenceKindsOf(text)
    const timesAsked = (exchange: Exchange) =>
      (asked.get(exchange) ?? 0) - (special.includes(exchange) ? SPECIAL_LEAD : 0)
    const fitting = [...special, ...general].filter(({ when }) => occasions.has(when))
    const least = Math.min(...fitting.map(timesAsked))
    const exchange = random.pick(fitting.filter((one) => timesAsked(one) === least))
    asked.set(exchange, (asked.get(exchange) ?? 0) + 1)
    return exchange
  }
}

function titleOf({ text, pulled: { car } }: DemoListing): string {
  const { from, to } = readYearSpan(text.partyear) ?? { from: car.year, to: car.year }
  const { partmanuname: manufacturerName, partmodel: modelName, partname: name } = text
  return listingTitle({ yearFrom: from, yearTo: to, manufacturerName, modelName, name })
}

/** A buyer has a car of one year. */
const carOf = ({ pulled: { car } }: DemoListing): string => `${car.year} ${car.manufacturer} ${car.model}`

function fillIn(sentence: string, listing: LeadListing): string {
  const { hours } = listing.seller.profile
  const saturday = hours?.saturday
    ? `We’re open until ${clockTime(hours.saturday.closes)} Saturdays.`
    : 'We’re closed Saturdays. Can you make it Friday?'
  return withTerms(sentence, listing.text)
    .replaceAll('{car}', carOf(listing))
    .replaceAll('{number}', listing.text.partnum ?? '')
    .replaceAll('{saturday}', saturday)
    .replaceAll('{closes}', clockTime(hours?.friday?.closes ?? '17:00'))
}

function wordMessage(question: string, { name }: DemoBuyer, random: Random): string {
  const greeting = random.pick(['Hi,\n\n', 'Hello,\n\n', 'Good morning,\n\n', '', ''])
  const closing = random.pick([`\n\nThanks, ${name.split(' ')[0]}`, '\n\nThank you', ' Thanks!', ''])
  return `${greeting}${question}${closing}`
}

type Exchange = (typeof questions)[number]

/** The questions for this part type only, and those that fit any part. */
export function exchangesFor(partType: string): Record<'special' | 'general', readonly Exchange[]> {
  const fitting = questions.find(({ parts }) => parts !== '' && new RegExp(parts).test(partType))
  return {
    special: questions.filter(({ parts }) => parts !== '' && parts === fitting?.parts),
    general: questions.filter(({ parts }) => parts === ''),
  }
}

const SHOP_SHARE = 0.22
const LINES = 100

/** Generates buyers with unique names. Domains and numbers are reserved for fiction, so no real person is reached. */
function demoBuyers(random: Random): () => DemoBuyer {
  const used = new Set<string>()
  return () => {
    const [first, last] = drawName(random, used)
    const domain = random.pick(random.chance(SHOP_SHARE) ? texts.shops : texts.mailboxes)
    const email = `${first}.${last}@${domain}.example`.toLowerCase()
    const line = String(random.whole(0, LINES - 1)).padStart(2, '0')
    const phone = `(${random.pick(towns).areaCode}) 555-01${line}`
    const left = random.next()
    const name = `${first} ${last}`
    if (left < 0.3) return { name, email, phone: null }
    if (left < 0.4) return { name, email: null, phone }
    return { name, email, phone }
  }
}

function drawName(random: Random, used: Set<string>): [first: string, last: string] {
  const [first, last] = [random.pick(texts.firstNames), random.pick(texts.lastNames)]
  if (used.has(`${first} ${last}`)) return drawName(random, used)
  used.add(`${first} ${last}`)
  return [first, last]
}
