import type { Grade } from '#contract/listing-rules.ts'
import { type Random, weightedChoice } from './random.ts'

export type Condition = { grade: Grade; miles: number; damage: string }

const grades: readonly (readonly [Grade, number])[] = [
  ['A', 41],
  ['B', 41],
  ['C', 14],
  ['D', 4],
]
const chooseGrade = weightedChoice(grades, ([, weight]) => weight)

type Surface = 'painted' | 'inside' | 'electric' | 'wheel' | 'metal'
const surfaces = new Map<string, Surface>([
  ['Body Panels', 'painted'],
  ['Bumpers & Grilles', 'painted'],
  ['Doors & Glass', 'painted'],
  ['Truck & Towing', 'painted'],
  ['Mirrors', 'painted'],
  ['Interior', 'inside'],
  ['Seats & Restraints', 'inside'],
  ['Electrical', 'electric'],
  ['Electronics & Modules', 'electric'],
  ['Lighting', 'electric'],
  ['Wipers & Washers', 'electric'],
  ['Hybrid & Electric Drive', 'electric'],
  ['Wheels & Tires', 'wheel'],
])

const wear: Record<Surface, Record<Grade, readonly string[]>> = {
  painted: {
    A: ['None'],
    B: ['Light surface scratches', 'Stone chips', 'Small scuff, will polish out'],
    C: ['One dent the size of a coin', 'Scratches through the paint', 'Clear coat peeling'],
    D: ['Dent along the lower edge, needs repair', 'Cracked mount, repairable'],
  },
  inside: {
    A: ['None'],
    B: ['Light wear', 'Needs cleaning'],
    C: ['Worn edge', 'Small stain'],
    D: ['Torn seam', 'Cracked trim piece'],
  },
  electric: {
    A: ['None'],
    B: ['Normal wear', 'Dusty, works as it should', 'Light scratches on the housing'],
    C: ['One mounting tab repaired', 'Connector clip missing'],
    D: ['Housing cracked, works', 'For parts'],
  },
  wheel: {
    A: ['None'],
    B: ['Light curb rash', 'Clear coat a little dull'],
    C: ['Curb rash on half of the edge', 'Corrosion around the lug holes'],
    D: ['Needs refinishing'],
  },
  metal: {
    A: ['None'],
    B: ['Surface rust', 'Normal wear'],
    C: ['Heavier surface rust', 'Bracket bent slightly'],
    D: ['For rebuild or parts', 'Mounting ear chipped'],
  },
}

const worse: Record<Grade, Grade> = { A: 'B', B: 'C', C: 'D', D: 'D' }

/** How a part has fared: an old donor's parts are a grade lower more often, and every grade has its own wear. */
export function drawCondition(group: string, age: number, random: Random): Condition {
  const [first] = chooseGrade(random)
  const grade = random.chance(Math.min(0.5, Math.max(0, age - 12) * 0.045)) ? worse[first] : first
  const surface = surfaces.get(group) ?? 'metal'
  return { grade, miles: drawMiles(age, random), damage: random.pick(wear[surface][grade]) }
}

// Americans drive about 12,000 miles a year, less as a car grows old; wrecked cars are no different.
function drawMiles(age: number, random: Random): number {
  const yearly = 11_800 * (0.55 + random.next() * 0.9) * (age > 14 ? 0.82 : 1)
  return Math.round(Math.max(1_200, yearly * Math.max(0.4, age)) + random.whole(0, 999))
}
