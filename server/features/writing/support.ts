import { gradeWords } from '#contract/listing-rules.ts'
import type { AnchorFacts, LandingFacts } from './page-facts.ts'
import type { PartFacts } from './part-facts.ts'
import { readPartName, shownName } from './part-name.ts'
import { gluedAmount, plainNumber, promisedUnits, units } from './quantity-words.ts'
import { type Token, tokensOf } from './text-tokens.ts'

/** What a record vouches for, in the form in which texts are held against it. */
export type Support = {
  /** Whole values by their first token: names, numbers, places. What they cover in a text needs no other reason. */
  readonly literals: ReadonlyMap<string, readonly string[]>
  /** Every word of every field, small. */
  readonly words: ReadonlySet<string>
  /** Of the seller's free text, read when asked for: most texts need none of it. */
  notes(): NoteSupport
  readonly numbers: ReadonlySet<number>
  /** "130|amp" */
  readonly amounts: ReadonlySet<string>
  readonly cents: ReadonlySet<number>
  readonly yearFrom: number | undefined
  readonly yearTo: number | undefined
  readonly miles: number | undefined
  /** How many there are: pieces of a part, listings of a page. */
  readonly count: number | undefined
  /** "excellent", and the letter beside it. */
  readonly grade: { readonly word: string; readonly letter: string } | undefined
  readonly noDamage: boolean
  readonly shipping: 'free' | 'flat' | 'pickup' | undefined
  readonly condition: 'new' | 'used' | 'rebuilt' | undefined
  readonly origin: 'original' | 'aftermarket' | undefined
  readonly tested: boolean
}

/** Free text vouches for colours, materials and amounts of the part itself, and never for promises. */
export type NoteSupport = { readonly words: ReadonlySet<string>; readonly amounts: ReadonlySet<string> }

export function supportOfPart(facts: PartFacts): Support {
  const name = shownName(facts)
  const { part, noun } = readPartName(name)
  const noDamage = facts.damage !== undefined && /^none\.?$/i.test(facts.damage)
  const collected = collect([
    name,
    part,
    noun,
    facts.category,
    facts.group,
    facts.manufacturer,
    facts.model,
    facts.manufacturer && facts.model && `${facts.manufacturer} ${facts.model}`,
    facts.trim,
    facts.partNumber,
    facts.city,
    facts.state,
    facts.vin,
    noDamage ? undefined : facts.damage,
  ])
  if (facts.quantity !== undefined) collected.numbers.add(facts.quantity)
  const { shipping, priceCents, grade } = facts
  const cents = new Set<number>()
  if (priceCents !== undefined) cents.add(priceCents)
  if (shipping?.kind === 'flat') cents.add(shipping.cents)
  return {
    ...collected,
    notes: readNotes(facts.notes),
    cents,
    yearFrom: facts.yearFrom,
    yearTo: facts.yearTo,
    miles: facts.miles,
    count: facts.quantity,
    grade: grade && { word: gradeWords[grade], letter: grade.toLowerCase() },
    noDamage,
    shipping: shipping?.kind,
    condition: facts.condition,
    origin: facts.origin,
    tested: facts.tested === true,
  }
}

export function supportOfLanding(facts: LandingFacts): Support {
  const { name, manufacturer, group, listings, priceFromCents, priceToCents } = facts
  const tops = [facts.topCategories, facts.topManufacturers, facts.topModels].flatMap((names) => names ?? [])
  const collected = collect([name, manufacturer, group, manufacturer && `${manufacturer} ${name}`, ...tops])
  collected.numbers.add(listings)
  const cents = new Set([priceFromCents, priceToCents].filter((value) => value !== undefined))
  return { ...NOTHING, ...collected, cents, yearFrom: facts.yearFrom, yearTo: facts.yearTo, count: listings }
}

export function supportOfAnchor(facts: AnchorFacts): Support {
  const { name, manufacturer, model, yearFrom, yearTo, listings } = facts
  const named = facts.kind === 'model' ? name : model
  const car = manufacturer && named && `${manufacturer} ${named}`
  const part = facts.kind === 'listing' ? readPartName(name).part : undefined
  const collected = collect([name, part, manufacturer, model, car])
  if (listings !== undefined) collected.numbers.add(listings)
  return { ...NOTHING, ...collected, yearFrom, yearTo, count: listings }
}

const NO_NOTES: NoteSupport = { words: new Set(), amounts: new Set() }
const NOTHING: Omit<Support, 'literals' | 'words' | 'numbers' | 'amounts'> = {
  notes: () => NO_NOTES,
  cents: new Set(),
  yearFrom: undefined,
  yearTo: undefined,
  miles: undefined,
  count: undefined,
  grade: undefined,
  noDamage: false,
  shipping: undefined,
  condition: undefined,
  origin: undefined,
  tested: false,
}

type Collected = {
  literals: Map<string, string[]>
  words: Set<string>
  numbers: Set<number>
  amounts: Set<string>
}

function collect(values: readonly (string | undefined)[]): Collected {
  const collected: Collected = {
    literals: new Map(),
    words: new Set(),
    numbers: new Set(),
    amounts: new Set(),
  }
  for (const value of values) {
    if (value === undefined) continue
    const tokens = tokensOf(value)
    takeWords(tokens, collected)
    const [first] = tokens
    if (first === undefined) continue
    const whole = wholeKey(tokens)
    for (const start of startsOf(first)) {
      const known = collected.literals.get(start)
      if (known) known.push(whole)
      else collected.literals.set(start, [whole])
    }
  }
  return collected
}

export const wholeKey = (tokens: readonly Token[]): string => {
  let whole = ''
  for (const { key } of tokens) whole += key
  return whole
}

/** "Mercedes-Benz" may also be written as two words, and then begins with "mercedes". */
export const startsOf = ({ text, key }: Token): string[] => {
  const hyphen = text.indexOf('-')
  return hyphen < 0 ? [key] : [key, text.slice(0, hyphen).toLowerCase()]
}

function takeWords(tokens: readonly Token[], { words, numbers, amounts }: Collected): void {
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) continue
    words.add(token.key)
    if (token.text.includes('-')) for (const each of token.text.toLowerCase().split('-')) words.add(each)
    if (token.kind === 'number') numbers.add(plainNumber(token.text))
    const amount = amountOf(token, tokens[at + 1])
    if (amount !== undefined) amounts.add(amount)
  }
}

/** "130 amps" and "130A" are "130|amp". */
function amountOf({ kind, key, text }: Token, next: Token | undefined): string | undefined {
  if (kind === 'word') return undefined
  const glued = kind === 'mixed' ? gluedAmount(key, text) : undefined
  if (glued !== undefined) return `${glued.value}|${glued.unit}`
  const unit = kind === 'number' ? units.get(next?.key ?? '') : undefined
  return unit === undefined ? undefined : `${plainNumber(text)}|${unit}`
}

/** Of free text amounts of the part itself are believed (130 amps), and never terms, mileage or promises. */
function readNotes(notes: string | undefined): () => NoteSupport {
  let read: NoteSupport | undefined = notes === undefined ? NO_NOTES : undefined
  return () => {
    read ??= takeNotes(notes ?? '')
    return read
  }
}

function takeNotes(notes: string): NoteSupport {
  const { words, amounts } = collect([notes])
  const believed = [...amounts].filter((amount) => !promisedUnits.has(amount.slice(amount.indexOf('|') + 1)))
  return { words, amounts: new Set(believed) }
}
