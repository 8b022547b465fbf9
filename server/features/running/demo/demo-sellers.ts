import type { ListingText } from '#contract/listing/listing-rules.ts'
import type { Yard } from '#contract/pages/yard.ts'
import { weekdays } from '#contract/pages/yard-words.ts'
import { unmatchableHash } from '#server/features/people/accounts/passwords.ts'
import { sellerSlugWords } from '#server/features/people/accounts/registration.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { type Focus, policies, signIns, type Town, texts, towns, yards } from './data.ts'
import { demoEmails } from './demo-sign-ins.ts'
import type { YardTerms } from './sale-terms.ts'

export type DemoSeller = {
  /** The yard's name as shown to buyers. */
  name: string
  /** The account's owner. */
  person: string
  email: string
  role: 0 | 1
  town: Town
  phone: string
  focus: Focus
  tier: 'FREE' | 'PAID'
  connectStatus: 'NOT_STARTED' | 'IN_PROGRESS' | 'PENDING' | 'VERIFIED'
  /** How it sells online, if it does. */
  selling: 'confirm' | 'instant' | undefined
  /** Staged imports go live without an admin's review. */
  trusted: boolean
  showsPhone: boolean
  memberForDays: number
  listings: number
  /** How many of its listings have a picture. */
  pictures: number
  profile: YardProfile
  /** Undefined for a yard that promises nothing; its listings state no terms either. */
  terms: YardTerms | undefined
}

/** A demo yard's page. */
type YardProfile = Pick<Yard, 'hours'> & { street: string | null; policy: Partial<Yard['policy']> }

/** Sells at once, without looking for the part first. */
const INSTANT_YARD = yards[0]?.name

export const TOTAL_LISTINGS = 5_000

/** A seller who can sign in. The Pro seller's numbers are chosen for its dashboard. */
function signIn({ account, city, line, ...person }: (typeof signIns)[number]): DemoSeller {
  const town = towns.find((candidate) => candidate.city === city)
  if (!town) throw new Error(`no town ${city} in the demo data`)
  const isPro = account === 'pro'
  return {
    ...person,
    email: demoEmails[account],
    role: account === 'admin' ? 1 : 0,
    town,
    phone: phone(town, line),
    focus: 'any',
    tier: isPro ? 'PAID' : 'FREE',
    connectStatus: isPro ? 'VERIFIED' : 'NOT_STARTED',
    selling: isPro ? 'confirm' : undefined,
    trusted: isPro,
    showsPhone: account !== 'admin',
    ...(person.listings > 0 ? yardWords(person.name, true) : NO_WORDS),
  }
}

/** All demo sellers: the three sign-ins, then forty yards that share the rest of the listings. */
export function demoSellers(): DemoSeller[] {
  const people = signIns.map(signIn)
  const counts = shareOut(
    TOTAL_LISTINGS - people.reduce((sum, { listings }) => sum + listings, 0),
    yards.length,
  )
  return [...people, ...yards.map((yard, at) => demoYard(yard, at, counts[at] ?? 0))]
}

function demoYard(yard: (typeof yards)[number], at: number, listings: number): DemoSeller {
  const { name } = yard
  const random = seededRandom(`yard ${name}`)
  const town = towns[1 + Math.floor((at * (towns.length - 1)) / yards.length)]
  if (!town) throw new Error('no towns in the demo data')
  const tier = listings > 110 || random.chance(0.15) ? 'PAID' : 'FREE'
  return {
    ...yard,
    email: `parts@${name
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .slice(0, 40)}.example`,
    role: 0,
    town,
    phone: phone(town, 100 + ((at * 7 + 3) % 100)),
    tier,
    connectStatus:
      tier === 'PAID' || name === INSTANT_YARD
        ? 'VERIFIED'
        : random.pick(['VERIFIED', 'VERIFIED', 'NOT_STARTED', 'IN_PROGRESS']),
    selling: name === INSTANT_YARD ? 'instant' : undefined,
    trusted: false,
    showsPhone: random.chance(0.65),
    memberForDays: random.whole(200, 1_500),
    listings,
    pictures: Math.round(listings * (0.84 + random.next() * 0.14)),
    ...yardWords(name, at % 8 !== 5),
  }
}

/** Distributes `total` over a few big yards and many small ones: shares fall with the rank. */
function shareOut(total: number, yardCount: number): number[] {
  const weights = Array.from({ length: yardCount }, (_, at) => 1 / (((at * 17) % yardCount) + 4))
  const sum = weights.reduce((a, b) => a + b, 0)
  const counts = weights.map((weight) => Math.floor((total * weight) / sum))
  const rest = total - counts.reduce((a, b) => a + b, 0)
  return counts.map((count, at) => count + (at < rest ? 1 : 0))
}

/** 555-0100 to 555-0199 are reserved for fiction in every area code. */
function phone({ areaCode }: Town, line: number): string {
  return `(${areaCode}) 555-0${line}`
}

/** Place, name and phone of a yard in the fields of its listings. */
export function contactText({ name, phone, town }: DemoSeller): ListingText {
  return {
    partcity: town.city,
    partstate: town.state,
    zipcode: town.zip,
    latitude: String(town.latitude),
    longitude: String(town.longitude),
    dealername: name,
    dealerphone: phone,
  }
}

/** A demo person with their yard, in the form that is inserted. */
export type DemoAccount = ReturnType<typeof demoAccount>

export function demoAccount(
  seller: DemoSeller,
  { today, passwordHash }: { today: number; passwordHash: string },
) {
  const {
    email,
    person,
    role,
    name,
    town,
    phone,
    tier,
    connectStatus,
    trusted,
    showsPhone,
    profile,
    selling,
  } = seller
  const signsIn = Object.values<string>(demoEmails).includes(email)
  const { areaCode: _, ...place } = town
  return {
    ...place,
    email,
    person,
    role,
    tier,
    connectStatus,
    sellsOnline: selling !== undefined,
    saleMode: selling ?? 'confirm',
    trusted,
    showsPhone,
    // No password matches the yards' hash, so nobody can sign in as them.
    passwordHash: signsIn ? passwordHash : unmatchableHash,
    yard: name,
    ...profile,
    // Air bags are sold by certified yards alone.
    certified: seller.listings > 0,
    phone: showsPhone ? phone : null,
    slugWords: sellerSlugWords(name),
    subscriptionStatus: tier === 'PAID' ? 'ACTIVE' : 'INACTIVE',
    listingDefaults:
      seller.listings === 0
        ? {}
        : { city: town.city, state: town.state, dealerName: name, dealerPhone: phone, grade: 'B' },
    createdAt: new Date(today - seller.memberForDays * 86_400_000),
  }
}

type YardWords = Pick<DemoSeller, 'profile' | 'terms'>

const NO_WORDS: YardWords = { profile: { street: null, hours: null, policy: {} }, terms: undefined }

/** Address, hours and policy of a yard. Some are new and have no policy yet. */
function yardWords(name: string, hasPolicy: boolean): YardWords {
  const random = seededRandom(`words of ${name}`)
  const opens = random.pick(['07:30', '08:00', '08:00', '08:30', '09:00'])
  const closes = random.pick(['17:00', '17:00', '17:30', '18:00'])
  const saturday = random.chance(2 / 3) ? { opens, closes: random.pick(['12:00', '13:00', '14:00']) } : null
  const hoursOf = (day: (typeof weekdays)[number]) => {
    if (day === 'sunday') return null
    return day === 'saturday' ? saturday : { opens, closes }
  }
  const street = `${random.whole(1, 48)}${random.pick(['00', '15', '40', '75'])} ${random.pick(texts.streets)}`
  const hours = Object.fromEntries(weekdays.map((day) => [day, hoursOf(day)])) as YardProfile['hours']
  if (!hasPolicy) return { profile: { street, hours, policy: {} }, terms: undefined }
  const [shipping, returns, warranty] = (['shipping', 'returns', 'warranty'] as const).map((kind) =>
    random.pick(policies.get(kind) ?? []),
  )
  if (!shipping || !returns || !warranty) throw new Error('policies.csv lacks a kind of policy')
  return {
    profile: {
      street,
      hours,
      policy: { shipping: shipping.text, returns: returns.text, warranty: warranty.text },
    },
    terms: { warranty, returns, chargesCores: random.chance(0.7) },
  }
}
