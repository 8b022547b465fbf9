import type { YearSpan } from '#contract/listing/year-span.ts'
import { foldText, nameKey } from '#contract/trade-language/names.ts'
import { readPrice, withPriceWords } from '#contract/trade-language/prices.ts'
import type { NamedModels } from '#contract/trade-language/vehicles/model-meanings.ts'
import { MAX_TOGETHER, type Meaning, type Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { readSearchYears, readYears } from '#contract/trade-language/years.ts'
import { inDigits, joinTireSizes, type Measured, readSize, type Size } from './sizes.ts'

/*
 * How a search's words belong together. Tries every sequence of up to five words as a name; of all ways to split the words,
 * the one with the longest names wins.
 */

/** Sellers whose names are in a search, by `sellerKey`. */
export type NamedSellers = ReadonlyMap<string, { readonly label: string; readonly id: string }>

// More than the 200 characters of a search have.
const MAX_WORDS = 100
// "4 cyl", "6-cylinder": one word, which listings rarely have. Alone, "cyl" would be the master cylinder of the brakes.
const CYLINDERS = /(?<![\w.])(4|6|8)[\s-]*cyl(?:inders?)?(?![\w])(?!\s+head)\.?/gi
/** "-honda", "!honda" and "non-turbo" mean without, and so does "-17" after a word; a dash between words, numbers or years does not. */
const MINUS =
  /(?<=^|\s)(?:[-−–—‐‑!](?=["“]?\p{L})|non-(?=\p{L}{3}))|(?<=(?:^|\s)\S*\p{L}\S*\s+)[-−–](?=\d)/giu
/** What lists words: "hood, fender and grille". "A/C" is a word. */
const LISTED = /(?<=\p{L}{2}["”]?)\s*[,;+/]\s*(?=["“]?\p{L}{3})/gu

/** Splits a search into words, without punctuation. */
export function splitWords(typed: string): string[] {
  const plain = typed
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(/(?<=\d)\s+\+(?=\s|$)/g, '+')
    .replaceAll(/(?<=\d0)'s\b/g, 's')
    .replaceAll(MINUS, 'not ')
    .replaceAll(LISTED, ' and ')
  return withPriceWords(joinTireSizes(plain))
    .replaceAll(CYLINDERS, '$1cyl')
    .split(/[\s,;()[\]{}!?:*#]+|\s-\s/)
    .filter((word) => nameKey(word) !== '' || /^["”]$/.test(word))
    .slice(0, MAX_WORDS)
}

/** The current year, and the sellers that a query may name. */
export type QueryContext = {
  readonly year: number
  readonly sellers?: NamedSellers
  readonly sellerKey?: (words: readonly string[]) => string
}

/** Folded, without punctuation around it, and without the 's of "f150's". */
export const plainWord = (word: string) =>
  foldText(word)
    .replace(/^[.\-/]+|[.\-/]+$/g, '')
    .replace(/^["“](?=\p{L})|(?<=\p{L})["”]$/gu, '')
    .replace(/(?<=[a-z\d]{2})'s$|(?<=[a-z\d]s)'$/, '')

export type ReadMeaning =
  | Meaning
  | { readonly kind: 'year'; readonly years: YearSpan }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'seller'; readonly label: string; readonly id: string }
  | { readonly kind: 'ordinal'; readonly count: number }
  | { readonly kind: 'price'; readonly label: string; readonly min?: number; readonly max?: number }
  /** What only decides the order, such as 2dr. */
  | { readonly kind: 'wish'; readonly word: string }
  | { readonly kind: 'not' }
  | { readonly kind: 'or' }
  | { readonly kind: 'word' }

export type Span = {
  readonly from: number
  readonly to: number
  readonly means: ReadMeaning
  /** Positions of more words of the same part, with others between. */
  readonly also?: readonly number[]
}

type Context = QueryContext & { readonly vocabulary: Vocabulary }

/** Scores of a meaning: points for each word, minus some for each sequence, so that two words together beat two alone. */
const SCORES: Record<ReadMeaning['kind'], { each: number; once: number }> = {
  // A whole name beats the parts and places in it.
  seller: { each: 10, once: -0.9 },
  part: { each: 10, once: -1 },
  make: { each: 10, once: -1.1 },
  model: { each: 10, once: -1.2 },
  code: { each: 10, once: -1.2 },
  size: { each: 10, once: -1.3 },
  ordinal: { each: 10, once: -1.3 },
  year: { each: 10, once: -1.4 },
  price: { each: 10, once: -1.4 },
  side: { each: 10, once: -1.5 },
  // Less than the part in it: a "4 door handle" is a door handle.
  wish: { each: 5, once: -0.5 },
  not: { each: 4, once: -1 },
  or: { each: 4, once: -1 },
  skip: { each: 3, once: -1 },
  word: { each: 0, once: 0 },
}
// A make in the words decides between models of the same name.
const OF_MAKE = 0.5
// In "drivers side mirror", the side is the driver's and the mirror is any mirror.
const WHOLE_SIDE = 0.2
// The score for each word of a phrase, higher than for the word alone.
const OF_SAYING = 8
// "Four" is also a filler.
const IN_WORDS = 2
// A Charger is a car, though chargers are parts.
const ENDING = 0.5

/** The parts beside whose name a number alone is a measure. */
const MEASURED: readonly (readonly [of: NonNullable<Measured>, name: RegExp])[] = [
  ['wheel', /^(?:(?:Alloy|Steel|Spare) )?Wheel(?: Cover)?$|^Tire$/],
  ['bed', /^Truck Bed$/],
  ['axle', /^(?:Differential|(?:Front|Rear) Axle Assembly)$/],
]

function measuredIn(words: readonly string[], vocabulary: Vocabulary): Measured {
  const partOf = (some: readonly string[]) =>
    vocabulary
      .meaningsOf(some)
      .flatMap((meaning) => (meaning.kind === 'part' && !meaning.isEnding ? meaning.types : []))
  const pairs = words.slice(1).map((_, at) => partOf(words.slice(at, at + 2)))
  // The wheel of a steering wheel is no wheel.
  const isOfPair = (at: number) => [pairs[at - 1], pairs[at]].some((pair) => pair && pair.length > 0)
  const named = [
    ...pairs.flatMap((pair, at) => (pairs[at - 1]?.length ? [] : pair)),
    ...words.flatMap((word, at) => (isOfPair(at) ? [] : partOf([word]))),
  ]
  return MEASURED.find(([, name]) => named.some((type) => name.test(type.name)))?.[0]
}

type Named = {
  readonly makes: readonly NamedMake[]
  /** Positions of words that name a model, whatever is next to them. */
  readonly models: ReadonlySet<number>
  readonly measured: Measured
  /** The digits of dictated numbers; undefined if the words have none. */
  readonly numbers: ReadonlyMap<string, string> | undefined
}

export function bestSplit(words: readonly string[], context: Context): Span[] {
  const { vocabulary } = context
  const { roles } = vocabulary.language
  const named = {
    makes: makesNamed(words, vocabulary),
    models: modelsNamed(words, vocabulary),
    measured: measuredIn(words, vocabulary),
    numbers: words.some((word) => roles.set('number word').has(word))
      ? new Map(roles.meanings('number word'))
      : undefined,
  }
  const alone = words.map((_, at) => isInNumber(words, at, vocabulary) || isNoName(words, at, vocabulary))
  // The best split of the words up to each position.
  const best: { score: number; spans: Span[] }[] = [{ score: 0, spans: [] }]
  for (let to = 1; to <= words.length; to += 1) {
    // Longest last sequence first; among equal scores it names the part: "fan shroud" in "radiator fan shroud".
    const first = Math.max(0, to - MAX_TOGETHER)
    const splits = Array.from({ length: to - first }, (_, at) => first + at).flatMap((from) => {
      const beside = makesBeside(named.makes, from, to)
      const before = best[from] ?? { score: 0, spans: [] }
      const meanings = alone[from]
        ? wordAlone(to - from)
        : meaningsAt({ words, from, to }, { ...context, ...named, beside })
      return meanings.map((means) => ({
        score: before.score + scoreOf(means, words.slice(from, to), beside),
        spans: [...before.spans, { from, to, means }],
      }))
    })
    best[to] = splits.reduce((one, other) => (other.score > one.score ? other : one))
  }
  return best[words.length]?.spans ?? []
}

/** Mostly digits with a few letters: "FK1Z 17658 D". */
export const isNumberLike = (words: readonly string[]): boolean =>
  words.some((word) => /\d/.test(word)) && words.every((word) => /\d/.test(word) || word.length <= 3)

// Shorter ones are models and sizes.
const SHORTEST_NUMBER = 5

/** Whether the words together may be a part number. */
export const isPartNumber = (text: string): boolean =>
  isNumberLike(text.split(' ')) && nameKey(text).length >= SHORTEST_NUMBER

const wordAlone = (length: number): ReadMeaning[] => (length === 1 ? [{ kind: 'word' }] : [])

/** Whether a word is a piece of a part number such as "FK1Z 1955 B", where 1955 is not a year. */
function isInNumber(words: readonly string[], at: number, vocabulary: Vocabulary): boolean {
  return [at - 2, at - 1, at].some((from) => {
    const [first = '', second = '', third = ''] = words.slice(Math.max(0, from), from + 3)
    if (!/^(?=.*\d)(?=.*[a-z])/.test(first) || !/^\d+$/.test(second) || !/^[a-z]$/.test(third)) return false
    return from >= 0 && vocabulary.meaningsOf([first]).length === 0
  })
}

/** Whether a side or a model is part of another name: the R of a "Type R", the LS of an "LS swap", the flex of "flex fuel". */
function isNoName(words: readonly string[], at: number, { language, meaningsOf }: Vocabulary): boolean {
  const said = [words.slice(at - 1, at + 1), words.slice(at, at + 2)].map((two) => two.join(' '))
  const means = (one: string) => meaningsOf([words[at] ?? '']).some(({ kind }) => kind === one)
  const isIn = (role: string) => said.some((two) => language.roles.set(role).has(two))
  return (isIn('no side') && means('side')) || (isIn('no model') && means('model'))
}

type NamedMake = { readonly makeId: string; readonly from: number; readonly to: number }

/**
 * Finds the makes named in the words; they decide what a number next to them means. A code and a model of its
 * generation name their make together: a "B8 A4" is an Audi.
 */
function makesNamed(words: readonly string[], vocabulary: Vocabulary): NamedMake[] {
  const ranges = words.flatMap((_, from) => [from + 1, from + 2, from + 3].map((to) => ({ from, to })))
  const named = ranges.flatMap(({ from, to }) =>
    vocabulary.meaningsOf(words.slice(from, to)).map((meaning) => ({ from, to, meaning })),
  )
  const models = named.flatMap(({ meaning, ...range }) =>
    meaning.kind === 'model' ? meaning.models.map((model) => ({ ...range, model })) : [],
  )
  const coded = models.filter(({ model }) => model.generation)
  const pairs = coded.flatMap((one) =>
    models
      .filter(({ model, from, to }) => {
        const isBeside = to <= one.from || from >= one.to
        return isBeside && !model.generation && model.ids.some((id) => one.model.ids.includes(id))
      })
      .flatMap((other) => [one, other]),
  )
  return [
    ...named.flatMap(({ meaning, from, to }) =>
      meaning.kind === 'make' ? meaning.makeIds.map((makeId) => ({ makeId, from, to })) : [],
    ),
    ...pairs.map(({ model: { makeId }, from, to }) => ({ makeId, from, to })),
  ]
}

/** Makes named by other words than these: in "dodge ram 2500" the Ram is a model. */
const makesBeside = (makes: readonly NamedMake[], from: number, to: number): ReadonlySet<string> =>
  new Set(makes.filter((make) => make.to <= from || make.from >= to).map(({ makeId }) => makeId))

function modelsNamed(words: readonly string[], vocabulary: Vocabulary): ReadonlySet<number> {
  const isModel = (word: string) => {
    const meanings = vocabulary.meaningsOf([word])
    return (
      meanings.some((meaning) => meaning.kind === 'model' && !meaning.needsMake) &&
      !meanings.some(({ kind }) => kind === 'skip')
    )
  }
  return new Set(words.flatMap((word, at) => (isModel(word) ? at : [])))
}

type Range = { readonly words: readonly string[]; readonly from: number; readonly to: number }

type Beside = Context & Named & { readonly beside: ReadonlySet<string> }

/** Words of a body and an engine that say nothing of the part. */
const WISHES: readonly (readonly [said: RegExp, wish: string])[] = [
  [/^([2-5])[ -](?:door|dr)$/, 'dr'],
  [/^([4568]) cyl(?:inders?)?$/, 'cyl'],
]

const wishesIn = (words: readonly string[]): ReadMeaning[] =>
  WISHES.flatMap(([said, wish]): ReadMeaning[] => {
    const [, count] = said.exec(words.join(' ')) ?? []
    return count === undefined ? [] : [{ kind: 'wish', word: `${count}${wish}` }]
  })

/** The range with its dictated numbers in digits. */
function dictated(range: Range, { numbers }: Named): Range {
  const words = range.words.slice(range.from, range.to)
  if (!numbers || words.length === 1) return range
  const said = inDigits(words, numbers)
  const all = range.words.toSpliced(range.from, words.length, ...said)
  return { words: all, from: range.from, to: range.from + said.length }
}

/** Everything that the words of a range may mean together. */
function meaningsAt(typed: Range, context: Beside): ReadMeaning[] {
  const range = dictated(typed, context)
  const words = range.words.slice(range.from, range.to)
  const price = readPrice(words.join(' '))
  if (price) return [{ kind: 'price', ...price }]
  const meanings = context.vocabulary.meaningsOf(words)
  // LR means left rear unless other words indicate a Land Rover.
  const isSide = meanings.some(({ kind }) => kind === 'side')
  // The 1.4 of an engine is no 1/4 panel.
  const isDecimal = words.length === 1 && /^\d\.\d/.test(words[0] ?? '')
  // The whole of a car, not the end of a "throttle body".
  const isNoPart =
    words.length === 1 && context.vocabulary.language.roles.set('no part alone').has(words[0] ?? '')
  const model = modelAt(range, context) ?? shortModelAt(range, context)
  return [
    ...wordAlone(words.length),
    ...measuresIn(range, context),
    ...linksIn(words, context),
    ...wishesIn(words),
    ...meanings.filter(
      (meaning) =>
        meaning.kind !== 'model' &&
        !(isSide && meaning.kind === 'make') &&
        !(isDecimal && meaning.kind === 'part') &&
        !(isNoPart && meaning.kind === 'part' && meaning.isEnding),
    ),
    ...(model ? [model] : []),
  ]
}

/** Years and sizes. */
function measuresIn({ words: all, from, to }: Range, { vocabulary, year, measured }: Beside): ReadMeaning[] {
  const found: ReadMeaning[] = []
  const words = all.slice(from, to)
  // "26 gallon"
  const isCount = to === from + 1 && vocabulary.language.roles.set('unit').has(all[to] ?? '')
  const years = yearsIn(words, { year, isLast: to === all.length })
  if (years && !(isCount && /^\d\d$/.test(words[0] ?? ''))) found.push({ kind: 'year', years })
  const size = readSize(words, measured)
  if (size?.words === words.length) found.push({ kind: 'size', size: size.value })
  const count = ordinalOf(words, vocabulary)
  if (count !== undefined) found.push({ kind: 'ordinal', count })
  return found
}

/** "From 2015" is a range at the end of a search; a part "from 2015 Camry" is of that year. */
function yearsIn(words: readonly string[], { year, isLast }: { year: number; isLast: boolean }) {
  const isOfCar = words.length === 2 && words[0] === 'from' && !isLast
  const asked = isOfCar ? undefined : readSearchYears(words.join(' '), year)
  return asked ?? (words.length <= MOST_YEARS ? readYears(words.join(' '), year).years : undefined)
}

/** A seller's name, and words such as "not" and "or". */
function linksIn(
  words: readonly string[],
  { vocabulary, sellers, sellerKey = nameKey }: Beside,
): ReadMeaning[] {
  const { roles } = vocabulary.language
  const seller = sellers && sellers.size > 0 ? sellers.get(sellerKey(words)) : undefined
  const found: ReadMeaning[] = seller ? [{ kind: 'seller', ...seller }] : []
  const text = words.join(' ')
  if (roles.set('exclusion').has(text)) found.push({ kind: 'not' })
  if (roles.set('alternative').has(text)) found.push({ kind: 'or' })
  return found
}

function modelAt({ words: all, from, to }: Range, context: Beside): ModelMeaning | undefined {
  const { vocabulary, year, beside, models } = context
  const words = all.slice(from, to)
  const model = modelAmong(modelMeanings(words, vocabulary), beside)
  if (!model || isOfMake(model, beside)) return model
  const isYear = (at: number) => readYears(all[at] ?? '', year).years !== undefined
  const isFiller = vocabulary.meaningsOf(words).some(({ kind }) => kind === 'skip')
  if (!isFiller) {
    const isElsewhere =
      isOtherThing(words[0] ?? '', all[from - 1], vocabulary) ||
      isKindOfPart(words[0] ?? '', all[to], vocabulary)
    return isElsewhere && !isYear(from - 1) && !isYear(to) ? undefined : model
  }
  // "Does it fit a Civic": a Fit only right behind its year, or if nothing else is the car and it is no verb.
  return isYear(from - 1) || (models.size === 0 && isPlainSearch(all, vocabulary)) ? model : undefined
}

/** Whether a model's name is an ordinary word here: what is shipped "to Alaska", and a "hail storm". */
function isOtherThing(word: string, before: string | undefined, vocabulary: Vocabulary): boolean {
  const { roles } = vocabulary.language
  if (before === undefined) return false
  if (roles.set('model like a place').has(word)) return roles.set('whereabouts').has(before)
  const isUnknown = /^\p{L}+$/u.test(before) && vocabulary.meaningsOf([before]).length === 0
  return isUnknown && roles.set('model like a word').has(word)
}

/** Whether a model's name is an ordinary word that says which part is meant: an "air filter" is of no Lucid Air. */
const isKindOfPart = (word: string, next: string | undefined, vocabulary: Vocabulary): boolean =>
  next !== undefined &&
  vocabulary.language.roles.set('model like a word').has(word) &&
  vocabulary.meaningsOf([next]).some((meaning) => meaning.kind === 'part' && meaning.isEnding)

/**
 * A name too short or too general to be a model by itself ("300", "X5") is one beside its year, if nothing else says which
 * vehicle it is, beside an "or" and another model, and where another name says which models it may be.
 */
function shortModelAt({ words: all, from, to }: Range, context: Beside): ModelMeaning | undefined {
  const { vocabulary, year, makes, models } = context
  const words = all.slice(from, to)
  const meanings = vocabulary.meaningsOf(words)
  const found = meanings.find((meaning) => meaning.kind === 'model')
  // "What is 2012 …" asks for no Lexus.
  if (!found?.needsMake || meanings.some(({ kind }) => kind === 'skip')) return undefined
  const plain = found.models.filter(({ generation }) => !generation)
  const others = [...models].flatMap((at) => modelsOf(all[at] ?? '', vocabulary))
  const isOr = (at: number) => vocabulary.language.roles.set('alternative').has(all[at] ?? '')
  const isAlternative = (isOr(from - 1) && models.has(from - 2)) || (isOr(to) && models.has(to + 1))
  const isYear = (word = '') => !/^\d{2}$/.test(word) && readYears(word, year).years !== undefined
  const isBesideYear = (isYear(all[from - 1]) || isYear(all[to])) && !words.some(isYear)
  const isAlone = isBesideYear && makes.length === 0 && models.size === 0
  // "1500 Sierra"
  const isOfModel = plain.some(({ ids }) => others.some((other) => other.ids.some((id) => ids.includes(id))))
  if (plain.length === 0 || !(isAlternative || isAlone || isOfModel)) return undefined
  // A "Silverado 1500 or 2500" is a Chevrolet.
  const ofMake = plain.filter(({ makeId }) => others.some((other) => other.makeId === makeId))
  return { kind: 'model', models: ofMake.length > 0 ? ofMake : plain, needsMake: false }
}

const modelsOf = (word: string, vocabulary: Vocabulary): NamedModels[] =>
  vocabulary.meaningsOf([word]).flatMap((meaning) => (meaning.kind === 'model' ? meaning.models : []))

// A list of years separated by spaces; a longer one is not a search.
const MOST_YEARS = 3

const isOfMake = ({ models }: ModelMeaning, makes: ReadonlySet<string>) =>
  models.some(({ makeId }) => makes.has(makeId))

/** Whether a search has no other filler words. In a sentence, "fit" would be a verb. */
const isPlainSearch = (words: readonly string[], vocabulary: Vocabulary): boolean =>
  words.filter((word) => vocabulary.meaningsOf([word]).some(({ kind }) => kind === 'skip')).length <= 1

/** A model by these words, or in the plural: "camrys". */
function modelMeanings(words: readonly string[], vocabulary: Vocabulary): readonly Meaning[] {
  const meanings = vocabulary.meaningsOf(words)
  const last = words.at(-1) ?? ''
  const isCode = CODES.test(last)
  const isKnown = meanings.some((meaning) => meaning.kind !== 'model' || !meaning.needsMake)
  if (!last.endsWith('s') || (isCode ? isKnown : meanings.length > 0 || last.length < SHORTEST_PLURAL)) {
    return meanings
  }
  const ofOne = vocabulary.meaningsOf([...words.slice(0, -1), last.slice(0, -1)])
  return isCode && !ofOne.some((meaning) => meaning.kind === 'model' && !meaning.needsMake) ? meanings : ofOne
}
// "Fits" is not a Honda.
const SHORTEST_PLURAL = 5
/** The G37s are several G37, or one with the trim S. */
const CODES = /^[a-z]+\d{2,3}s$/

/** 8 for "8th gen", "gen 8" and "eighth generation". */
function ordinalOf(words: readonly string[], { language }: Vocabulary): number | undefined {
  const text = words.join(' ')
  const [, one, other] = /^(?:(\w+) gen(?:eration)?|gen(?:eration)? (\w+))$/.exec(text) ?? []
  const said = one ?? other
  if (said === undefined) return undefined
  const [, digits = ''] = /^(\d{1,2})(?:st|nd|rd|th)?$/.exec(said) ?? []
  const [, count = digits] = language.roles.meanings('ordinal').find(([word]) => word === said) ?? []
  return Number(count) || undefined
}

type ModelMeaning = Extract<Meaning, { kind: 'model' }>

/** Prefers models of makes named in other words; other models of the same name rank lower. */
function modelAmong(meanings: readonly Meaning[], makes: ReadonlySet<string>): ModelMeaning | undefined {
  const all = meanings.filter((meaning) => meaning.kind === 'model')
  const models = all.flatMap((meaning) => meaning.models)
  const own = models.filter(({ makeId }) => makes.has(makeId))
  // Since 2011, a "Dodge Ram 1500" is a Ram 1500.
  const split = models.filter(({ makeId, isAfterMake }) => isAfterMake && !makes.has(makeId))
  if (own.length > 0) return { kind: 'model', models: [...own, ...split.map(behind)], needsMake: false }
  const [first, ...others] = all.filter(({ needsMake }) => !needsMake)
  // An E350 may be a Ford or a Mercedes.
  return first && { ...first, models: [...first.models, ...others.flatMap((one) => one.models.map(behind))] }
}

const behind = (models: NamedModels): NamedModels => ({ ...models, exactIds: [] })

function scoreOf(means: ReadMeaning, words: readonly string[], makes: ReadonlySet<string>): number {
  const { each, once } = SCORES[means.kind]
  const score = each * words.length + once
  if (means.kind === 'side' && words.length > 1) return score + WHOLE_SIDE
  if (means.kind === 'part' && means.isEnding) return score - ENDING
  if (means.kind === 'skip' && means.isSaying) return score + OF_SAYING * words.length
  if (means.kind === 'model' && isOfMake(means, makes)) return score + OF_MAKE
  if (means.kind === 'wish' && /^\p{L}/u.test(words[0] ?? '')) return score + IN_WORDS
  return score
}
