import type { Random } from './random.ts'
import { towns } from './towns.ts'

export type DemoBuyer = { name: string; email: string | null; phone: string | null }

const firstNames =
  'Alicia Brent Carmen Dale Elena Frank Gina Hector Ivy Jerome Kayla Lamar Megan Nate Olivia Pete Quinn Rosa Scott Tessa Umar Vera Wes Yolanda'.split(
    ' ',
  )
const lastNames =
  'Abbott Barrera Callahan Dietz Eastman Figueroa Gaines Hobbs Ingram Jarvis Keller Lozano Mercer Nash Ortega Pruitt Quezada Reardon Sizemore Thornton Underwood Vance Whitaker Yates'.split(
    ' ',
  )
const mailboxes = ['mailbox', 'postbox', 'webmail', 'letterbox']
const shops = [
  'northside-auto',
  'kellers-garage',
  'hilltop-collision',
  'route-66-repair',
  'main-street-motors',
]
const SHOP_SHARE = 0.22
const LINES = 100

/**
 * People who write to a yard, each with a name of their own. Nobody real is reached: domains and numbers are those kept
 * for fiction.
 */
export function demoBuyers(random: Random): () => DemoBuyer {
  const met = new Set<string>()
  return () => {
    const [first, last] = drawName(random, met)
    const domain = random.pick(random.chance(SHOP_SHARE) ? shops : mailboxes)
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

function drawName(random: Random, met: Set<string>): [first: string, last: string] {
  for (;;) {
    const [first, last] = [random.pick(firstNames), random.pick(lastNames)]
    if (met.has(`${first} ${last}`)) continue
    met.add(`${first} ${last}`)
    return [first, last]
  }
}
