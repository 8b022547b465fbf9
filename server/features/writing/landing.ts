import { seededRandom } from '#server/platform/seeded-random.ts'
import { type Matter, type Move, move, say } from './grammar.ts'
import type { LandingFacts } from './page-facts.ts'
import { inSentence } from './part-name.ts'
import { priceText, wholeText, yearsText } from './part-slots.ts'
import { atWord } from './plain-text.ts'
import { lengths } from './text-shape.ts'
import type { LandingText } from './writer.ts'

const NAME = 1
const COUNT = 2
const ONE = 4
const PRICES = 8
const PRICE = 16
const YEARS = 32
const MAKES = 64
const MODELS = 128
const KINDS = 256
const GROUP = 512

const bits = {
  name: NAME,
  small: NAME,
  count: COUNT,
  one: ONE,
  from: PRICES,
  to: PRICES,
  price: PRICE,
  years: YEARS,
  makes: MAKES,
  models: MODELS,
  kinds: KINDS,
  group: GROUP,
}

type Page = LandingFacts['kind']

const titles: Record<Page, Move> = {
  category: move(bits, [
    '{name}: {count} listings from {from}',
    '{name} by make and model: {count} listings',
    '{name} listings[ for {makes}|]',
    '{name}[, {years}|]: compare prices and yards',
    '{name}: compare prices and yards',
  ]),
  manufacturer: move(bits, [
    '{name} parts: {count} listings from {from}',
    '{count} parts for {name} cars[, {years}|]',
    'Parts for {name}[: {kinds}|]',
    '{name} parts by model, price and yard',
  ]),
  model: move(bits, [
    '{name} parts: {count} listings from {from}',
    '{count} parts for the {name}[, {years}|]',
    'Parts for the {name}[: {kinds}|]',
    '{name} parts by price and yard',
  ]),
}

const metas: Record<Page, Move> = {
  category: move(bits, [
    '{name}: {count} listings[ for {makes}|][, priced from {from} to {to}|]. Compare part numbers, grades and yards in one place.',
    'Compare {small} listings[ from {from} to {to}|][ for model years {years}|]. Part number, grade and price stand beside each.',
    '{name}[, {count} listings|][ for {makes}|]: see part number, grade, price and place of each before you order.',
  ]),
  manufacturer: move(bits, [
    '{count} parts for {name} cars[, from {from} to {to}|][, model years {years}|]. Compare part numbers, grades and yards.',
    'Parts for {name}[ such as {models}|][, priced from {from} to {to}|]. Part number, grade and place stand beside each.',
    '{name} parts[ by model: {models}|][; {count} listings|]. Compare grades, prices and yards before you order.',
  ]),
  model: move(bits, [
    '{count} parts for the {name}[, model years {years}|][, from {from} to {to}|]. Compare part numbers, grades and yards.',
    'Parts for the {name}[: {kinds}|][, priced from {from} to {to}|]. Part number, grade and place stand beside each.',
    'What yards have for the {name}[: {count} listings|][, {years}|]. Compare grades, prices and part numbers before you order.',
  ]),
}

const openings: Record<Page, Move> = {
  category: move(bits, [
    'Yards list {count} parts under {name}[, for cars of the model years {years}|].',
    'Under {name} you find {count} listings[ of the model years {years}|].',
    'This page gathers [{count} listings|what yards list] under {name}.',
    '{one}Under {name} there is one listing at the moment.',
    '{name} belongs to {group}; [{count} listings stand here|the listings stand below].',
  ]),
  manufacturer: move(bits, [
    'Yards list {count} parts for {name} cars[, model years {years}|].',
    'For {name} there are {count} listings[ of the model years {years}|].',
    'This page gathers [{count} listings|what yards list] for {name}.',
    '{one}For {name} there is one listing at the moment.',
  ]),
  model: move(bits, [
    'Yards list {count} parts for the {name}[, model years {years}|].',
    'For the {name} there are {count} listings[ of the model years {years}|].',
    'This page gathers [{count} listings|what yards list] for the {name}.',
    '{one}For the {name} there is one listing at the moment.',
  ]),
}

const figures = move(bits, [
  'Prices run from {from} to {to}[, by grade and mileage|].',
  'The least dear is at {from}, the dearest at {to}.',
  'Sellers ask from {from} to {to}.',
  'The price is {price}.',
  'All of them are at {price}.',
])
const tops = move(bits, [
  '[Most are for|Most listings belong to] {makes}.',
  '[The models named most are|Well covered are] {models}.',
  '[Most of them are|Much listed here:] {kinds}.',
  'Among the makes are {makes}.',
  'Look under {kinds} for most of them.',
  '{models} have the most listings.',
])
const advice = move(bits, [
  'Compare the part number with the one on your car before you order: [it decides where names look alike|it is surer than any name].',
  'Each listing shows its grade from A to D, [the price|its price] and the place of its yard.',
  'Sort by price or by date, or [narrow the list by model and year|search for a part number].',
  'Equipment and build date change what fits, so [have your VIN at hand|ask the yard where you are not sure].',
  'A yard answers questions from the page of each listing.',
  'Shipping differs by size and yard; each listing says what it costs.',
])

const [LEAST, MOST] = lengths.intro
// Draws, not sentences: one that was said already counts too.
const MOST_ADVICE = 12
const DRAWS = 6

const lengthOf = (sentences: readonly string[]) => sentences.join(' ').length

/** Title, meta description and intro of a landing page, by rules. The same figures always give the same text. */
export function landingOf(facts: LandingFacts): LandingText {
  const random = seededRandom(`${facts.kind} ${facts.manufacturer ?? ''} ${facts.name}`)
  const { matter, open } = landingMatter(facts)
  const write = (choices: Move, left: number) => say(choices, matter, { open: left, random })
  const within = (choices: Move, [least, most]: readonly [number, number]) => {
    let text = ''
    for (let draw = 0; draw < DRAWS; draw += 1) {
      text = write(choices, open)?.text ?? ''
      if (text.length >= least && text.length <= most) return text
    }
    return atWord(text, most)
  }
  const title = within(titles[facts.kind], lengths.title)
  const metaDescription = within(metas[facts.kind], lengths.metaDescription)

  const sentences: string[] = []
  let left = open
  const tell = (choices: Move) => {
    const said = write(choices, left)
    if (said === undefined || sentences.includes(said.text)) return
    left &= ~(said.told & ~NAME)
    sentences.push(said.text)
  }
  tell(openings[facts.kind])
  for (const choices of random.chance(0.5) ? [figures, tops, tops] : [tops, figures, tops]) tell(choices)
  for (let more = 0; more < MOST_ADVICE && (more < 2 || lengthOf(sentences) < LEAST); more += 1) tell(advice)
  while (lengthOf(sentences) > MOST) sentences.pop()
  return { title, metaDescription, intro: sentences.join(' ') }
}

function landingMatter(facts: LandingFacts): { matter: Matter; open: number } {
  const { kind, manufacturer, listings, priceFromCents, priceToCents } = facts
  const name = kind === 'model' && manufacturer ? `${manufacturer} ${facts.name}` : facts.name
  const span = priceFromCents !== undefined && priceToCents !== undefined && priceFromCents < priceToCents
  const values: Record<string, string | undefined> = {
    name,
    small: kind === 'category' ? inSentence(name) : name,
    count: listings > 1 ? wholeText(listings) : undefined,
    one: listings === 1 ? '' : undefined,
    from: span ? priceText(priceFromCents) : undefined,
    to: span ? priceText(priceToCents) : undefined,
    price: span || priceFromCents === undefined ? undefined : priceText(priceFromCents),
    years: yearsText(facts.yearFrom, facts.yearTo),
    makes: listText(facts.topManufacturers),
    models: listText(facts.topModels),
    kinds: listText(facts.topCategories?.map(inSentence)),
    group: facts.group === undefined ? undefined : facts.group,
  }
  let open = 0
  for (const slot in values) if (values[slot] !== undefined) open |= bits[slot as keyof typeof bits]
  return { matter: { values, plural: false }, open }
}

const MOST_NAMED = 3

/** "Ford, Honda and Toyota" */
function listText(names: readonly string[] | undefined): string | undefined {
  const named = names?.slice(0, MOST_NAMED) ?? []
  const last = named.at(-1)
  if (named.length < 2) return last
  return `${named.slice(0, -1).join(', ')} and ${last}`
}
