import { seededRandom } from '#server/platform/seeded-random.ts'
import { type Move, move, say } from './grammar.ts'
import type { AnchorFacts } from './page-facts.ts'
import { inSentence, readPartName } from './part-name.ts'
import { wholeText, yearsText } from './part-slots.ts'
import { atWord } from './plain-text.ts'
import { lengths } from './text-shape.ts'

const NAME = 1
const CAR = 2
const COUNT = 4
const bits = { name: NAME, small: NAME, parts: NAME, car: CAR, count: COUNT }

const ways: Record<AnchorFacts['kind'], Move> = {
  listing: move(bits, [
    '{small} for {a car}',
    '{car} {small}',
    'This {small} for {a car}',
    '{small} of {a car}',
    'See the {car} {small}',
    '{small}',
  ]),
  category: move(bits, [
    '{parts} for {car} models',
    'All {count} listings under {small}',
    'More under {small}',
    'Browse {small} listings',
    '{small}: {count} listings',
    '{small} listings',
    'Every {small} listed',
  ]),
  manufacturer: move(bits, [
    '{name} parts',
    'Used {name} parts',
    'Parts for {name} cars',
    '{count} {name} parts',
    'More {name} parts',
    'Everything for {name}',
    'Browse {name} parts',
  ]),
  model: move(bits, [
    '{car} parts',
    'Used {car} parts',
    'Parts for {a car}',
    '{count} parts for {a car}',
    'More {car} parts',
    'Other parts for {car}',
    'Browse {car} parts',
  ]),
}

const [LEAST, MOST] = lengths.anchor
const DRAWS = 4

/** The words of a link, by rules; two pages link to the same place in different words. */
export function anchorOf(facts: AnchorFacts): string {
  const random = seededRandom(`${facts.from} > ${facts.kind} ${facts.name}`)
  const { values, open } = anchorValues(facts)
  for (let draw = 0; draw < DRAWS; draw += 1) {
    const text = say(ways[facts.kind], { values, plural: false }, { open, random })?.text ?? ''
    if (text.length >= LEAST && text.length <= MOST) return text
  }
  return atWord(facts.name, MOST)
}

const smallName = (kind: AnchorFacts['kind'], name: string) => {
  if (kind === 'listing') return readPartName(name).part
  return kind === 'category' ? inSentence(name) : name
}

function anchorValues({ kind, name, manufacturer, model, listings, yearFrom, yearTo }: AnchorFacts) {
  const ownModel = kind === 'model' ? name : model
  const years = kind === 'listing' ? yearsText(yearFrom, yearTo) : undefined
  const named = [manufacturer, ownModel].filter((word) => word !== undefined)
  const car =
    named.length === 0 ? undefined : [years, ...named].filter((word) => word !== undefined).join(' ')
  const count = listings === undefined || listings < 2 ? undefined : wholeText(listings)
  const small = smallName(kind, name)
  const open = NAME | (car === undefined ? 0 : CAR) | (count === undefined ? 0 : COUNT)
  return { values: { name, small, parts: small, car, count }, open }
}
