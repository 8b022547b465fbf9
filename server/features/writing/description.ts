import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { mechanicalChecks } from './buyer-checks.ts'
import { fittingsChecks } from './fittings-checks.ts'
import { type Move, move, say } from './grammar.ts'
import type { PartFacts } from './part-facts.ts'
import { familyOf, type PartFamily } from './part-family.ts'
import { moves } from './part-sentences.ts'
import {
  CAR,
  DAMAGES,
  DETAIL,
  GRADE,
  MILES,
  NUMBER,
  OFFER,
  PART,
  type PartMatter,
  PLACE,
  partBits,
  partMatter,
  QUANTITY,
  SAID_ONCE,
  SPECS,
  TRIM,
  VIN,
} from './part-slots.ts'
import { lengths } from './text-shape.ts'

const checks = new Map<PartFamily, Move>()
for (const [family, sentences] of Object.entries({ ...mechanicalChecks, ...fittingsChecks })) {
  checks.set(family as PartFamily, move(partBits, sentences))
}

type Topic = keyof typeof moves | 'check'
/** What a topic tells; where nothing of it is open any more, it is passed over. */
const tells: Partial<Record<Topic, number>> = {
  number: NUMBER,
  condition: GRADE,
  damage: DAMAGES,
  miles: MILES,
  spec: SPECS,
  detail: DETAIL,
  trim: TRIM,
  vin: VIN,
  offer: OFFER,
  place: PLACE,
  quantity: QUANTITY,
  fit: CAR,
}
/** Said for the reader's sake and not the record's: the first to go when a text gets long. */
const EXTRA = new Set<Topic>(['check', 'fit', 'closing'])

/** In which order things are told. All facts of a record come in each; what varies is what a reader meets first. */
const plans: readonly (readonly Topic[])[] = [
  'number condition damage miles check spec detail trim offer place quantity vin check closing',
  'condition damage miles spec detail number trim check fit offer quantity place vin',
  'spec detail number check condition damage miles vin trim check place offer quantity closing',
  'miles condition damage trim detail spec check number check offer place quantity vin closing',
  'check number spec detail trim condition damage miles vin fit quantity offer place',
  'offer condition damage number spec detail check miles trim place quantity vin closing',
  'detail spec condition damage offer place quantity miles trim number check vin check',
  'number spec detail fit miles condition damage trim vin place quantity offer check',
  'place offer quantity number condition damage miles spec detail trim check vin closing',
  'condition damage check check number miles spec detail trim vin offer quantity place fit',
].map((plan) => plan.split(' ') as Topic[])

type Sentence = { readonly text: string; readonly phrase: unknown; readonly topic: Topic }

/**
 * The description of a part, by rules: every fact of the record once, in an order and in words that its identity chooses,
 * and between them what a buyer of such a part looks at. The same facts always give the same text.
 */
export function describePart(facts: PartFacts): string {
  const random = seededRandom(facts.identity)
  const matter = partMatter(facts)
  const telling = new Telling(matter, random, familyOf({ ...facts, name: matter.name.noun }))
  telling.tell(telling.isOpen(CAR) ? 'opening' : 'bareOpening')
  for (const topic of random.pick(plans)) telling.tell(topic)
  telling.finish()
  return telling.text()
}

const [LEAST, MOST] = lengths.description
const MOST_TOPICS_AGAIN = 3
// Draws, not sentences: what was said already is passed over.
const MOST_FILLERS = 24

class Telling {
  readonly #matter: PartMatter
  readonly #random: Random
  readonly #check: Move
  readonly #sentences: Sentence[] = []
  #open: number
  #length = -1

  constructor(matter: PartMatter, random: Random, family: PartFamily) {
    this.#matter = matter
    this.#random = random
    this.#check = checks.get(family) ?? moves.closing
    this.#open = matter.open
  }

  isOpen(bits: number): boolean {
    return (this.#open & bits) !== 0
  }

  /** Says what a topic has to say: an offer may take a sentence each for price, shipping and place. */
  tell(topic: Topic): void {
    const bits = tells[topic]
    const rounds = bits === undefined || topic === 'fit' ? 1 : MOST_TOPICS_AGAIN
    for (let round = 0; round < rounds && this.isOpen(bits ?? PART); round += 1) this.#say(topic)
  }

  /** Fills what is too short with advice, and leaves advice out where it is too long. */
  finish(): void {
    for (let more = 0; more < MOST_FILLERS && this.#length < LEAST; more += 1) {
      this.#say(more % 2 === 0 ? 'check' : 'closing')
    }
    for (let at = this.#sentences.length - 1; at > 0 && this.#length > MOST; at -= 1) {
      const sentence = this.#sentences[at]
      if (sentence && EXTRA.has(sentence.topic)) this.#drop(at, sentence)
    }
    for (let at = this.#sentences.length - 1; at > 0 && this.#length > MOST; at -= 1) {
      const sentence = this.#sentences[at]
      if (sentence) this.#drop(at, sentence)
    }
  }

  text(): string {
    let text = ''
    for (const sentence of this.#sentences) text = text === '' ? sentence.text : `${text} ${sentence.text}`
    return text
  }

  #drop(at: number, { text }: Sentence): void {
    this.#sentences.splice(at, 1)
    this.#length -= text.length + 1
  }

  #say(topic: Topic): void {
    const choices = topic === 'check' ? this.#check : moves[topic]
    const said = say(choices, this.#matter, { open: this.#open, random: this.#random })
    if (said === undefined || this.#sentences.some(({ phrase }) => phrase === said.phrase)) return
    this.#open &= ~(said.told & SAID_ONCE)
    this.#sentences.push({ text: said.text, phrase: said.phrase, topic })
    this.#length += said.text.length + 1
  }
}
