import type { ListingText } from '#contract/listing-rules.ts'
import { demoEmails } from './demo-sign-ins.ts'
import type { Focus } from './donor-vehicle.ts'
import { seededRandom } from './random.ts'
import { type Town, towns } from './towns.ts'

export type DemoSeller = {
  /** The yard, as buyers read it. */
  name: string
  /** Who has the account. */
  person: string
  email: string
  role: 0 | 1
  town: Town
  phone: string
  focus: Focus
  tier: 'FREE' | 'PAID'
  connectStatus: 'NOT_STARTED' | 'IN_PROGRESS' | 'PENDING' | 'VERIFIED'
  /** Staged imports of theirs go live without an admin's review. */
  trusted: boolean
  showsPhone: boolean
  memberForDays: number
  listings: number
  /** How many of its listings have a picture. */
  pictures: number
}

export const TOTAL_LISTINGS = 5_000

// Names by region of the towns list; made up, in the way yards are called.
const yards: readonly (readonly [name: string, person: string, focus: Focus])[] = [
  ['Four States Auto Recycling', 'Wade Hollis', 'any'],
  ['Flint Hills Used Parts', 'Carla Beckett', 'domestic'],
  ['Ozark Ridge Salvage', 'Tom Ledbetter', 'any'],
  ['Red Dirt Truck Parts', 'Jesse Ramey', 'truck'],
  ['Pinnacle Auto Recyclers', 'Denise Fowler', 'any'],
  ['Border City Auto Parts', 'Luis Carranza', 'any'],
  ['Caprock Truck & SUV Salvage', 'Royce Tidwell', 'truck'],
  ['South Plains Auto Salvage', 'Irma Salinas', 'domestic'],
  ['Brazos Bend Used Parts', 'Keith Novak', 'any'],
  ['Mission Trail Import Parts', 'Rosa Treviño', 'import'],
  ['Trinity Fork Auto Recyclers', 'Brandon Shields', 'any'],
  ['Bayou City Japanese Parts', 'Minh Tran', 'import'],
  ['Cross Lake Auto Salvage', 'Alvin Broussard', 'domestic'],
  ['Magnolia Auto Dismantlers', 'Yvonne Parker', 'any'],
  ['Pearl River Used Auto Parts', 'Darnell Hughes', 'any'],
  ['Iron City Auto Recycling', 'Gene Whitlock', 'domestic'],
  ['Azalea Coast Salvage', 'Sandra Boykin', 'any'],
  ['Ocmulgee Auto Parts', 'Terrell Mims', 'any'],
  ['Savannah River Recyclers', 'Paula Dunn', 'import'],
  ['First Coast Import Salvage', 'Andre Baptiste', 'import'],
  ['Gulf Breeze Auto Recycling', 'Nancy Kowalski', 'any'],
  ['Horse Country Auto Parts', 'Rick Albright', 'truck'],
  ['Congaree Used Parts', 'Latoya Green', 'any'],
  ['Queen City European', 'Stefan Adler', 'european'],
  ['Piedmont Triad Salvage', 'Doug Hensley', 'any'],
  ['Smoky Foothills Auto Parts', 'Janet Ogle', 'any'],
  ['Bluff City Auto Dismantlers', 'Marcus Tate', 'domestic'],
  ['Cumberland Used Auto', 'Becky Strand', 'any'],
  ['Barren River Salvage', 'Harold Minton', 'domestic'],
  ['Falls of Ohio Auto Recyclers', 'Greta Lindner', 'any'],
  ['Star City Auto Parts', 'Roy Pendleton', 'any'],
  ['James River Import Recycling', 'Colleen Byrne', 'import'],
  ['Three Rivers Auto Salvage', 'Joe Petrakis', 'any'],
  ['Lake Effect Auto Parts', 'Wanda Nowicki', 'truck'],
  ['Rubber City Recyclers', 'Phil Gantz', 'domestic'],
  ['Maumee Bay Auto Salvage', 'Diane Kessler', 'domestic'],
  ['Summit City Used Parts', 'Ed Brubaker', 'any'],
  ['Heartland Hybrid & Import', 'Priya Nair', 'import'],
  ['Cedar Valley Auto Recycling', 'Neil Sorensen', 'any'],
  ['High Plains Auto & Truck', 'Cody Larkin', 'truck'],
]

const person = { role: 0, focus: 'any', trusted: false, showsPhone: true } as const

/** The three people who can sign in. The Pro seller's figures are those that its dashboard is meant to show. */
function signIns(): DemoSeller[] {
  const [tulsa, joplin, wichita] = [townOf('Tulsa'), townOf('Joplin'), townOf('Wichita')]
  return [
    {
      ...person,
      name: 'PartHarbor',
      person: 'Avery Quinn',
      email: demoEmails.admin,
      role: 1,
      town: wichita,
      phone: phone(wichita, 100),
      tier: 'FREE',
      connectStatus: 'NOT_STARTED',
      showsPhone: false,
      memberForDays: 610,
      listings: 0,
      pictures: 0,
    },
    {
      ...person,
      name: 'Whitfield Auto Parts',
      person: 'Dana Whitfield',
      email: demoEmails.free,
      town: joplin,
      phone: phone(joplin, 118),
      tier: 'FREE',
      connectStatus: 'NOT_STARTED',
      memberForDays: 48,
      listings: 12,
      pictures: 8,
    },
    {
      ...person,
      name: 'Green Country Salvage',
      person: 'Curtis Bell',
      email: demoEmails.pro,
      town: tulsa,
      phone: phone(tulsa, 142),
      tier: 'PAID',
      connectStatus: 'VERIFIED',
      trusted: true,
      memberForDays: 427,
      listings: 87,
      pictures: 74,
    },
  ]
}

/** Everybody in the demo data: the three sign-ins, then forty yards that share the rest of the listings. */
export function demoSellers(): DemoSeller[] {
  const people = signIns()
  const counts = shareOut(
    TOTAL_LISTINGS - people.reduce((sum, { listings }) => sum + listings, 0),
    yards.length,
  )
  return [...people, ...yards.map((yard, at) => demoYard(yard, at, counts[at] ?? 0))]
}

function demoYard([name, owner, focus]: (typeof yards)[number], at: number, listings: number): DemoSeller {
  const random = seededRandom(`yard ${name}`)
  const town = towns[1 + Math.floor((at * (towns.length - 1)) / yards.length)] ?? townOf('Tulsa')
  const tier = listings > 110 || random.chance(0.15) ? 'PAID' : 'FREE'
  return {
    name,
    person: owner,
    email: `parts@${name
      .toLowerCase()
      .replace(/[^a-z]+/g, '-')
      .slice(0, 40)}.example`,
    role: 0,
    town,
    phone: phone(town, 100 + ((at * 7 + 3) % 100)),
    focus,
    tier,
    connectStatus:
      tier === 'PAID' ? 'VERIFIED' : random.pick(['VERIFIED', 'VERIFIED', 'NOT_STARTED', 'IN_PROGRESS']),
    trusted: false,
    showsPhone: random.chance(0.65),
    memberForDays: random.whole(200, 1_500),
    listings,
    pictures: Math.round(listings * (0.42 + random.next() * 0.35)),
  }
}

/** A few big yards and many small ones: the share falls with the rank, and the shares add up to `total`. */
function shareOut(total: number, yardCount: number): number[] {
  const weights = Array.from({ length: yardCount }, (_, at) => 1 / (((at * 17) % yardCount) + 4))
  const sum = weights.reduce((a, b) => a + b, 0)
  const counts = weights.map((weight) => Math.floor((total * weight) / sum))
  const rest = total - counts.reduce((a, b) => a + b, 0)
  return counts.map((count, at) => count + (at < rest ? 1 : 0))
}

function townOf(city: string): Town {
  const town = towns.find((candidate) => candidate.city === city)
  if (!town) throw new Error(`no town ${city} in the demo data`)
  return town
}

/** 555-0100 to 555-0199 are kept for fiction in every area code: nobody is called by accident. */
function phone({ areaCode }: Town, line: number): string {
  return `(${areaCode}) 555-0${line}`
}

/** What every listing of a yard says of where it is and whom to call. */
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
