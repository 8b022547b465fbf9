import { seededRandom } from '#server/platform/seeded-random.ts'
import { type Move, move, say } from './grammar.ts'
import type { PartFacts } from './part-facts.ts'
import { type PartMatter, partBits, partMatter } from './part-slots.ts'
import { atWord } from './plain-text.ts'
import { lengths } from './text-shape.ts'

/** From the most telling to the shortest; a heading takes the first way that has one of at most 70 characters. */
const ways: readonly Move[] = [
  [
    '{car} {part}, {number}',
    '{part} {number} for {car}',
    '{item} from {a donor}, {number}',
    '{car} {item}, {miles} miles',
    '{part} off {a donor}, {miles} miles',
    '{car} {part}, {spec}, {number}',
    '{car} {part}, {detail}, {number}',
    '{car} {part}, {amps}, {number}',
    '{part}, {inches}, {number}, for {car}',
  ],
  [
    '{car} {part}, {number}',
    '{car} {part}, {miles} miles',
    '{part} for {car}, grade {grade}',
    '{car} {part}, {spec}',
    '{car} {part}, {detail}',
    '{car} {part}, {amps}',
    '{car} {part}, {inches}',
  ],
  ['{car} {item}', '{item} for {car}', '{part} for {car}', '{item} from {a donor}'],
  ['{car} {part}', '{part} for {car}'],
  ['{item}, {number}', '{part}, number {number}', '{item}, {miles} miles'],
  ['{item}', '{part}, {price}'],
  ['{part} for {car}', '{part} as listed'],
].map((sentences) => move(partBits, sentences))

const [LEAST, MOST] = lengths.heading
// Each way has few sentences; three draws find one that fits where there is one, mostly.
const DRAWS = 3

/** The h1 of a part by rules: car and part always, and as much of what tells it from its like as there is room for. */
export function headingOf(facts: PartFacts): string {
  const random = seededRandom(`h1 ${facts.identity}`)
  const matter = partMatter(facts)
  for (const way of ways) {
    for (let draw = 0; draw < DRAWS; draw += 1) {
      const said = say(way, matter, { open: matter.open, random })
      if (said === undefined) break
      if (said.text.length <= MOST && said.text.length >= LEAST) return said.text
    }
  }
  return shortened(matter)
}

function shortened({ values, name }: PartMatter): string {
  const text = atWord([values.car, name.noun].filter((word) => word).join(' '), MOST)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
