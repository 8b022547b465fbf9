import { type Exchange, exchangesFor } from './buyer-questions.ts'
import { type DemoBuyer, demoBuyers } from './demo-buyers.ts'
import type { DemoListing } from './demo-listing.ts'
import { idAt } from './demo-moment.ts'
import { demoEmails } from './demo-sign-ins.ts'
import type { DemoView } from './demo-views.ts'
import { type Random, seededRandom } from './random.ts'

/** A message of a buyer with the yard's answer to it, as the database gets them. */
export type DemoLead = DemoBuyer & {
  id: string
  listingId: string
  listingTitle: string
  message: string
  state: 'new' | 'answered' | 'closed'
  createdAt: Date
  answeredAt: Date | null
  answer: { id: string; message: string } | null
}

type Asked = DemoListing & { id: string; seller: { email: string } }
type Look = { listing: Asked; day: number }

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
// 7 in the morning to 5 in the afternoon in the middle of the country: the same day there as in UTC.
const ASKING_HOURS = [13, 23] as const
/** What is asked within so many days counts as "this month", as the looks of `demo-views.ts` do. */
const RECENT_DAYS = 26

/** So many messages of this month and of before; the newest so many wait for an answer. */
type Inbox = { recent: number; before: number; unanswered: number }

// 42 of 300 looks are 14 %.
const inboxes: Record<string, Inbox> = {
  [demoEmails.pro]: { recent: 42, before: 66, unanswered: 5 },
  [demoEmails.free]: { recent: 3, before: 0, unanswered: 1 },
}

/**
 * Messages to the two sellers who can sign in. Each comes from somebody who looked at the part that day, so that no part
 * is asked after more often than it was looked at. Nothing lies in the future: all of it is over before `today`.
 */
export function leadsOfSignIns(
  listings: readonly Asked[],
  views: readonly DemoView[],
  today: number,
): DemoLead[] {
  return Object.entries(inboxes).flatMap(([email, inbox]) => {
    const own = new Map(listings.filter(({ seller }) => seller.email === email).map((one) => [one.id, one]))
    const looks = views.flatMap(({ listingId, day, views: count }): Look[] => {
      const listing = own.get(listingId)
      return listing ? Array(count).fill({ listing, day: Date.parse(day) }) : []
    })
    return fillInbox(looks, inbox, { today, random: seededRandom(`leads of ${email}`) })
  })
}

type Moment = { today: number; random: Random }

function fillInbox(looks: readonly Look[], inbox: Inbox, { today, random }: Moment): DemoLead[] {
  const isRecent = ({ day }: Look) => today - day <= RECENT_DAYS * DAY_MS
  const asking = [
    ...drawSome(looks.filter(isRecent), inbox.recent, random),
    ...drawSome(
      looks.filter((look) => !isRecent(look)),
      inbox.before,
      random,
    ),
  ]
    .map(({ listing, day }) => ({ listing, createdAt: new Date(day + askingTime(random)) }))
    .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const nextBuyer = demoBuyers(random)
  const chooseExchange = exchangeChoice(random)
  return asking.map(({ listing, createdAt }, at) => {
    const exchange = chooseExchange(listing.category)
    const buyer = nextBuyer()
    const lead = {
      ...buyer,
      id: idAt(createdAt, random),
      listingId: listing.id,
      listingTitle: `${carOf(listing)} ${listing.text.partname}`,
      message: wordMessage(fillIn(exchange.question, listing), buyer, random),
      createdAt,
    }
    if (at < inbox.unanswered) return { ...lead, state: 'new', answeredAt: null, answer: null }
    return { ...lead, ...answered(lead, fillIn(exchange.answer, listing), { today, random }) }
  })
}

function drawSome<T>(list: readonly T[], count: number, random: Random): T[] {
  return list
    .map((item) => ({ item, order: random.next() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ item }) => item)
}

function askingTime(random: Random): number {
  const [opens, closes] = ASKING_HOURS
  return Math.floor((opens + random.next() * (closes - opens)) * HOUR_MS)
}

const CLOSED_SHARE = 0.25
const SLOWEST_ANSWER_MS = 3 * HOUR_MS

/** Who left no address was called: then there is no text of the answer. */
function answered(
  { createdAt, email }: { createdAt: Date; email: string | null },
  message: string,
  { today, random }: Moment,
): Pick<DemoLead, 'state' | 'answeredAt' | 'answer'> {
  const time = createdAt.getTime()
  const wait = (0.1 + 0.8 * random.next()) * Math.min(SLOWEST_ANSWER_MS, today - time)
  const answeredAt = new Date(Math.floor(time + wait))
  const answer = { id: idAt(answeredAt, random), message }
  return {
    state: random.chance(CLOSED_SHARE) ? 'closed' : 'answered',
    answeredAt,
    answer: email === null ? null : answer,
  }
}

// What fits the part is asked so many times more often than what fits any.
const SPECIAL_LEAD = 2

/** Of what fits the part, that which was asked least so far. */
function exchangeChoice(random: Random): (partType: string) => Exchange {
  const asked = new Map<Exchange, number>()
  return (partType) => {
    const { special, general } = exchangesFor(partType)
    const timesAsked = (exchange: Exchange) =>
      (asked.get(exchange) ?? 0) - (special.includes(exchange) ? SPECIAL_LEAD : 0)
    const fitting = [...special, ...general]
    const least = Math.min(...fitting.map(timesAsked))
    const exchange = random.pick(fitting.filter((one) => timesAsked(one) === least))
    asked.set(exchange, (asked.get(exchange) ?? 0) + 1)
    return exchange
  }
}

function carOf({ text }: DemoListing): string {
  return `${text.partyear} ${text.partmanuname} ${text.partmodel}`
}

function fillIn(sentence: string, listing: DemoListing): string {
  return sentence.replaceAll('{car}', carOf(listing)).replaceAll('{number}', listing.text.partnum ?? '')
}

function wordMessage(question: string, { name }: DemoBuyer, random: Random): string {
  const greeting = random.pick(['Hi,\n\n', 'Hello,\n\n', 'Good morning,\n\n', '', ''])
  const closing = random.pick([`\n\nThanks, ${name.split(' ')[0]}`, '\n\nThank you', ' Thanks!', ''])
  return `${greeting}${question}${closing}`
}
