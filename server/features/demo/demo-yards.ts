import type { Yard } from '#contract/pages/yard.ts'
import { weekdays } from '#contract/pages/yard-words.ts'
import { seededRandom } from '#server/platform/seeded-random.ts'
import { texts } from './data.ts'

/** A demo yard's profile. */
export type DemoYard = Pick<Yard, 'hours'> & { street: string | null; policy: Partial<Yard['policy']> }

/** One yard in eight has an empty profile, like a new seller's. */
export function demoYardWords(name: string): DemoYard {
  const random = seededRandom(`words of ${name}`)
  if (random.chance(1 / 8)) return { street: null, hours: null, policy: {} }
  const opens = random.pick(['07:30', '08:00', '08:00', '08:30', '09:00'])
  const closes = random.pick(['17:00', '17:00', '17:30', '18:00'])
  const saturday = random.chance(2 / 3) ? { opens, closes: random.pick(['12:00', '13:00', '14:00']) } : null
  const hoursOf = (day: (typeof weekdays)[number]) => {
    if (day === 'sunday') return null
    return day === 'saturday' ? saturday : { opens, closes }
  }
  const { streets, policies } = texts
  return {
    street: `${random.whole(1, 48)}${random.pick(['00', '15', '40', '75'])} ${random.pick(streets)}`,
    hours: Object.fromEntries(weekdays.map((day) => [day, hoursOf(day)])) as DemoYard['hours'],
    policy: {
      shipping: random.pick(policies.shipping),
      returns: random.pick(policies.returns),
      warranty: random.pick(policies.warranty),
    },
  }
}
