/*
 * Prices that say what they are for: “$150 pair”, “set of 4 $200”, “$75 ea”. Mirrors and wheels are sold together, and a
 * price for two must not become the price of one.
 */

export type PricedUnit = {
  readonly kind: 'each' | 'set'
  /** How many parts a set has, if it says so. */
  readonly count: number | undefined
  /** For people: “pair”, “set of 4”. */
  readonly words: string
}

const EACH = String.raw`each|ea|c\/u|cada un[oa]|pi[eè]ce|la pi[eè]ce|st(?:ü|ue)ck|per piece|apiece`
const PAIR = 'pairs?|prs?|par|paire|paar'
const SET = 'sets?|juego|jeu|satz'
const ONE = String.raw`(?:\/\s*|per\s+|a\s+|for\s+(?:the\s+|a\s+)?|the\s+|el\s+|la\s+|le\s+|pro\s+)?`
const UNIT = String.raw`\(?\s*${ONE}(?:(${EACH})|(${PAIR})|(?:${SET})(?:\s*(?:of|de|\/|von)\s*(\d))?|(?:both|all|for)\s+(\d)|(both))\.?\s*\)?`
const BEFORE = new RegExp(String.raw`^${UNIT}\s*[:=@-]?\s*(?=[$€£\d])`, 'iu')
const AFTER = new RegExp(String.raw`(?<=\d|\s|\.|[$€£])[\s,-]*${UNIT}$`, 'iu')
/** “4 for $200” */
const COUNTED = /^(\d)\s+(?:for|por|pour|für)\s+(?=[$€£]|\d)/iu

const TERMS = /[\s,(]*(?:obo|o\.b\.o\.|or best offer|firm)\)?$/i

/** The amount of such a price, and what it is for; undefined for any other text. */
export function readPricedUnit(typed: string): { amount: string; unit: PricedUnit } | undefined {
  const price = typed.replace(TERMS, '')
  const counted = COUNTED.exec(price)
  if (counted) return { amount: price.slice(counted[0].length), unit: setOf(Number(counted[1])) }
  const found = BEFORE.exec(price) ?? AFTER.exec(price)
  if (!found) return undefined
  const amount = (found.index === 0 ? price.slice(found[0].length) : price.slice(0, found.index)).trim()
  const [, each, pair, ofSet, forAll, both] = found
  if (each !== undefined) return { amount, unit: { kind: 'each', count: 1, words: 'each' } }
  if (pair !== undefined || both !== undefined) return { amount, unit: setOf(2) }
  const count = ofSet ?? forAll
  return { amount, unit: setOf(count === undefined ? undefined : Number(count)) }
}

function setOf(count: number | undefined): PricedUnit {
  if (count === 1) return { kind: 'each', count: 1, words: 'each' }
  if (count === 2) return { kind: 'set', count, words: 'pair' }
  return { kind: 'set', count, words: count === undefined ? 'set' : `set of ${count}` }
}

const NAMES_SET = new RegExp(String.raw`\b(?:${PAIR}|${SET}|both)\b`, 'iu')

/** A part of a file as far as its price's unit matters. */
type PricedPart = {
  readonly name: string
  readonly quantity: string | undefined
  /** Whether the name is of a left or a right part. */
  readonly isOfOneSide: boolean
}

type SettledUnit = {
  /** For the description, if the name doesn't say it. */
  readonly said?: string
  /** How many such sets there are, if the file counts parts. */
  readonly quantity?: string
}

/** What a price's unit means for its part, or why one of both is wrong: the price of two is not the price of one. */
export function settleUnit(
  unit: PricedUnit,
  { name, quantity, isOfOneSide }: PricedPart,
): SettledUnit | string {
  const isSet = NAMES_SET.test(name)
  if (unit.kind === 'each') {
    return isSet
      ? 'The price is for each, and the name says that several are sold together. Enter the price of what is sold'
      : {}
  }
  if (isOfOneSide && unit.words === 'pair') {
    return 'The price is for a pair, and the part is of one side. Enter the price of one part'
  }
  const said = isSet ? {} : { said: `The price is for the ${unit.words}.` }
  const count = Number(quantity ?? 1)
  if (count <= 1 || isSet) return said
  const { count: each = count } = unit
  if (count % each !== 0)
    return `The price is for a ${unit.words}, and the quantity is ${count}. Enter how many there are to sell`
  return { ...said, quantity: String(count / each) }
}
