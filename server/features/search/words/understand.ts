import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { ChipKind } from '#contract/search/parts-search.ts'
import type { Place } from '#contract/text/part-side.ts'
import { foldText, wordKey } from '#server/features/listings/search-row/search-terms.ts'
import { isBodyWord, isTrim } from '#server/features/stock-files/match/model-words.ts'
import { isPlainYear, readSize, readYears, type Size } from './measures.ts'
import { type NamedSellers, sellerKey } from './seller-names.ts'
import { type Meaning, MOST_TOGETHER, type NamedModels, type Vocabulary } from './vocabulary.ts'

/*
 * Interprets a buyer's words. Tries every sequence of up to five words as a name; of all ways to split the words, the
 * one with the longest names wins.
 */

/** A vehicle: any of these makes or models. */
type Vehicle = {
  readonly makeIds: readonly string[]
  /** Names of the makes. */
  readonly makes: readonly string[]
  /** Models of other makes that are named after one of these. */
  readonly makeModelIds: readonly string[]
  /** Empty if only a make is known. */
  readonly models: readonly NamedModels[]
}

/** A recognized condition and its words. */
type Recognized = {
  readonly kind: ChipKind
  readonly label: string
  /** Positions of the words as typed. */
  readonly at: readonly number[]
}

export type Understanding = {
  /** The words as typed, and with corrected spelling. */
  readonly typed: readonly string[]
  readonly vehicle: Vehicle | undefined
  readonly years: YearSpan | undefined
  /** Categories. */
  readonly part: { readonly ids: readonly string[]; readonly words: readonly string[] } | undefined
  readonly sellerId: string | undefined
  readonly side: 'left' | 'right' | undefined
  readonly end: 'front' | 'rear' | undefined
  readonly sizes: readonly Size[]
  /** Words with digits that may be part numbers. */
  readonly numbers: readonly string[]
  /** Unknown words, which must be in the listing. */
  readonly words: readonly string[]
  /** Words that many listings leave out (trims, bodies, drives). They only affect the order. */
  readonly wishes: readonly string[]
  readonly recognized: readonly Recognized[]
}

// More words than anyone types for a part; the rest are ignored.
const MAX_WORDS = 14
// Shorter ones are models and sizes.
const SHORTEST_NUMBER = 5
// "4 cyl", "6-cylinder": one word, which listings rarely have. Alone, "cyl" would be the master cylinder of the brakes.
const CYLINDERS = /(?<![\w.])(4|6|8)[\s-]*cyl(?:inders?)?(?![\w])(?!\s+head)\.?/gi

/** Splits a search into folded words, without punctuation. */
export function splitWords(typed: string): string[] {
  return typed
    .replaceAll(/[‘’`´]/g, "'")
    .replaceAll(CYLINDERS, '$1cyl')
    .split(/[\s,;()[\]{}!?:*#]+|\s-\s/)
    .filter((word) => wordKey(foldText(word)) !== '' || /^["”]$/.test(word))
    .slice(0, MAX_WORDS)
}

export function understand(
  typed: readonly string[],
  { vocabulary, sellers, now }: { vocabulary: Vocabulary; sellers: NamedSellers; now: Date },
): Understanding {
  const words = typed.map((word) => foldText(word).replace(/^[.\-/]+|[.\-/]+$/g, ''))
  const spans = bestSplit(words, { vocabulary, sellers, year: now.getUTCFullYear() })
  return assemble(typed, { words, spans, vocabulary })
}

type Sense =
  | Meaning
  | { readonly kind: 'year'; readonly years: YearSpan }
  | { readonly kind: 'size'; readonly size: Size }
  | { readonly kind: 'seller'; readonly label: string; readonly id: string }
  | { readonly kind: 'word' }

type Span = { readonly from: number; readonly to: number; readonly sense: Sense }

type Context = { readonly vocabulary: Vocabulary; readonly sellers: NamedSellers; readonly year: number }

/** Scores of a sense: points for each word, minus some for each sequence, so that two words together beat two alone. */
const SCORES: Record<Sense['kind'], { each: number; once: number }> = {
  // A whole name beats the parts and places in it.
  seller: { each: 10, once: -0.9 },
  part: { each: 10, once: -1 },
  make: { each: 10, once: -1.1 },
  model: { each: 10, once: -1.2 },
  size: { each: 10, once: -1.3 },
  year: { each: 10, once: -1.4 },
  side: { each: 10, once: -1.5 },
  skip: { each: 3, once: -1 },
  word: { each: 0, once: 0 },
}
// Two digits are weak evidence for a year.
const SHORT_YEAR = 3
// A make in the words decides between models of the same name.
const OF_MAKE = 0.5
// A Charger is a car, though chargers are parts.
const ENDING = 0.5

// Beside these a number alone is a size in inches.
const WHEEL = /^(?:wheel|rim|tire|alloy|steelie|hubcap)s?$/

function bestSplit(words: readonly string[], context: Context): Span[] {
  const { vocabulary } = context
  const makes = makesNamed(words, vocabulary)
  const ofWheel = words.some((word) => WHEEL.test(word))
  // The best split of the words up to each position.
  const best: { score: number; spans: Span[] }[] = [{ score: 0, spans: [] }]
  for (let to = 1; to <= words.length; to += 1) {
    // Longest last sequence first; among equal scores it names the part: "fan shroud" in "radiator fan shroud".
    const first = Math.max(0, to - MOST_TOGETHER)
    const ways = Array.from({ length: to - first }, (_, at) => first + at).flatMap((from) => {
      const span = words.slice(from, to)
      const beside = makesBeside(makes, from, to)
      const before = best[from] ?? { score: 0, spans: [] }
      const senses = isInNumber(words, from, vocabulary)
        ? wordAlone(span)
        : sensesOf(span, { ...context, makes: beside, ofWheel })
      return senses.map((sense) => ({
        score: before.score + scoreOf(sense, span, beside),
        spans: [...before.spans, { from, to, sense }],
      }))
    })
    best[to] = ways.reduce((one, other) => (other.score > one.score ? other : one))
  }
  return best[words.length]?.spans ?? []
}

const wordAlone = (words: readonly string[]): Sense[] => (words.length === 1 ? [{ kind: 'word' }] : [])

/** Whether a word is a piece of a part number such as "FK1Z 1955 B", where 1955 is not a year. */
function isInNumber(words: readonly string[], at: number, vocabulary: Vocabulary): boolean {
  return [at - 2, at - 1, at].some((from) => {
    const [first = '', second = '', third = ''] = words.slice(Math.max(0, from), from + 3)
    if (!/^(?=.*\d)(?=.*[a-z])/.test(first) || !/^\d+$/.test(second) || !/^[a-z]$/.test(third)) return false
    return from >= 0 && vocabulary.meaningsOf([first]).length === 0
  })
}

type NamedMake = { readonly makeId: string; readonly from: number; readonly to: number }

/** Finds the makes named in the words; they decide what a number beside them means. */
function makesNamed(words: readonly string[], vocabulary: Vocabulary): NamedMake[] {
  return words.flatMap((_, from) =>
    [from + 1, from + 2, from + 3].flatMap((to) =>
      vocabulary
        .meaningsOf(words.slice(from, to))
        .flatMap((meaning) => (meaning.kind === 'make' ? meaning.makeIds : []))
        .map((makeId) => ({ makeId, from, to })),
    ),
  )
}

/** Makes named by other words than these: in "dodge ram 2500" the Ram is a model. */
const makesBeside = (makes: readonly NamedMake[], from: number, to: number): ReadonlySet<string> =>
  new Set(makes.filter((make) => make.to <= from || make.from >= to).map(({ makeId }) => makeId))

function sensesOf(
  words: readonly string[],
  { vocabulary, sellers, year, makes, ofWheel }: Context & { makes: ReadonlySet<string>; ofWheel: boolean },
): Sense[] {
  const senses = wordAlone(words)
  const seller = sellers.size > 0 ? sellers.get(sellerKey(words)) : undefined
  if (seller) senses.push({ kind: 'seller', ...seller })
  const years = readYears(words, year)
  if (years?.words === words.length) senses.push({ kind: 'year', years: years.value })
  const size = readSize(words, { ofWheel })
  if (size?.words === words.length) senses.push({ kind: 'size', size: size.value })
  const meanings = vocabulary.meaningsOf(words)
  // LR means left rear unless other words indicate a Land Rover.
  const isSide = meanings.some(({ kind }) => kind === 'side')
  senses.push(...meanings.filter(({ kind }) => kind !== 'model' && !(isSide && kind === 'make')))
  const model = modelAmong(meanings, makes)
  if (model) senses.push(model)
  return senses
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

function scoreOf(sense: Sense, words: readonly string[], makes: ReadonlySet<string>): number {
  const { each, once } = SCORES[sense.kind]
  const score = each * words.length + once
  if (sense.kind === 'year' && !isPlainYear(words[0] ?? '')) return score - SHORT_YEAR
  if (sense.kind === 'part' && sense.isEnding) return score - ENDING
  if (sense.kind === 'model' && sense.models.some(({ makeId }) => makes.has(makeId))) return score + OF_MAKE
  return score
}

type Split = { words: readonly string[]; spans: readonly Span[]; vocabulary: Vocabulary }

function assemble(typed: readonly string[], { words, spans, vocabulary }: Split): Understanding {
  const rest = spans.filter(({ sense }) => sense.kind === 'word').map(({ from }) => from)
  const left = rest.filter((at) => !isWish(words[at] ?? ''))
  const numbers = numbersAmong(words, left)
  const isOfNumber = (at: number) => numbers.some((number) => number.at.includes(at))
  const vehicle = vehicleOf(spans, vocabulary)
  const places = placesOf(spans)
  const part = partOf(spans, words, { vocabulary, end: places.end })
  return {
    typed,
    vehicle,
    years: yearsOf(spans),
    part: part && { ids: part.ids, words: part.words },
    sellerId: spans.flatMap(({ sense }) => (sense.kind === 'seller' ? sense.id : []))[0],
    side: places.side,
    end: part?.saysEnd ? undefined : places.end,
    sizes: spans.flatMap(({ sense }) => (sense.kind === 'size' ? [sense.size] : [])),
    numbers: numbers.map(({ text }) => text),
    words: left.filter((at) => !isOfNumber(at)).map((at) => words[at] ?? ''),
    wishes: [
      ...rest.flatMap((at) => (isWish(words[at] ?? '') ? vocabulary.plain(words[at] ?? '') : [])),
      ...(part?.beside ?? []),
      ...(vehicle?.models ?? []).flatMap(({ beside }) => (beside === '' ? [] : [beside])),
    ],
    recognized: [
      ...recognizedIn(spans, { vehicle, vocabulary }),
      ...numbers.map(({ text, at }) => ({ kind: 'number' as const, label: text.toUpperCase(), at })),
    ].toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0)),
  }
}

const isWish = (word: string) => isTrim(word) || isBodyWord(word)

/** The range from the first to the last of several years. */
function yearsOf(spans: readonly Span[]): YearSpan | undefined {
  const all = spans.flatMap(({ sense }) => (sense.kind === 'year' ? [sense.years] : []))
  if (all.length === 0) return undefined
  return { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) }
}

/** Mostly digits with a few letters: "FK1Z 17658 D". */
export const isNumberLike = (words: readonly string[]): boolean =>
  words.some((word) => /\d/.test(word)) && words.every((word) => /\d/.test(word) || word.length <= 3)

/** Finds words with digits that have no other meaning; several in a row may be one number typed with spaces. */
function numbersAmong(words: readonly string[], left: readonly number[]): { text: string; at: number[] }[] {
  const runs: number[][] = []
  for (const at of left) {
    const run = runs.at(-1)
    if (run?.at(-1) === at - 1) run.push(at)
    else runs.push([at])
  }
  return runs.flatMap((run) => {
    const text = run.map((at) => words[at]).join(' ')
    const isNumber = isNumberLike(run.map((at) => words[at] ?? '')) && wordKey(text).length >= SHORTEST_NUMBER
    return isNumber ? [{ text, at: run }] : []
  })
}

function vehicleOf(spans: readonly Span[], { makeNames }: Vocabulary): Vehicle | undefined {
  const named = spans.flatMap(({ sense }) => (sense.kind === 'make' ? sense.makeIds : []))
  const models = spans.flatMap(({ sense }) => (sense.kind === 'model' ? sense.models : []))
  const makeModelIds = spans.flatMap(({ sense }) => (sense.kind === 'make' ? sense.modelIds : []))
  const makeIds = [...new Set(models.length > 0 ? models.map(({ makeId }) => makeId) : named)]
  if (makeIds.length === 0) return undefined
  return { makeIds, makes: makeIds.map((id) => makeNames.get(id) ?? ''), makeModelIds, models }
}

type Places = { side: Understanding['side']; end: Understanding['end'] }

function placesOf(spans: readonly Span[]): Places {
  const places = spans.flatMap(({ sense }) =>
    sense.kind === 'side' || sense.kind === 'part' ? sense.places : [],
  )
  const only = <T extends Place>(one: T, other: T) => {
    if (places.includes(one)) return places.includes(other) ? undefined : one
    return places.includes(other) ? other : undefined
  }
  return { side: only<'left' | 'right'>('left', 'right'), end: only<'front' | 'rear'>('front', 'rear') }
}

type Part = NonNullable<Understanding['part']> & {
  /** Whether its name says front or rear. */
  readonly saysEnd: boolean
  /** Part words before it: the radiator in "radiator fan shroud". */
  readonly beside: readonly string[]
}

type PartSpan = Span & { readonly sense: Extract<Meaning, { kind: 'part' }> }

/** Finds the named part: the last one of a sequence; with several sequences, any of them. */
function partOf(
  spans: readonly Span[],
  words: readonly string[],
  { vocabulary, end }: { vocabulary: Vocabulary; end: Places['end'] },
): Part | undefined {
  const parts = spans.filter((span): span is PartSpan => span.sense.kind === 'part')
  const isLast = ({ to }: PartSpan) => !parts.some((next) => next.from === to)
  const heads = parts.filter(isLast)
  if (heads.length === 0) return undefined
  const ids = [...new Set(heads.flatMap(({ sense }) => sense.categoryIds))]
  const wordsOf = (some: readonly PartSpan[]) => some.flatMap(({ from, to }) => words.slice(from, to))
  const nameStarts = (id: string, place: string) =>
    vocabulary.categoryNames.get(id)?.toLowerCase().startsWith(`${place} `) ?? false
  const atEnd = end === undefined ? [] : ids.filter((id) => nameStarts(id, end))
  return {
    ids: atEnd.length > 0 ? atEnd : ids,
    words: wordsOf(heads),
    saysEnd: atEnd.length > 0,
    beside: wordsOf(parts.filter((part) => !isLast(part))),
  }
}

type Named = { vehicle: Vehicle | undefined; vocabulary: Vocabulary }

function recognizedIn(spans: readonly Span[], { vehicle, vocabulary }: Named): Recognized[] {
  return spans.flatMap(({ sense, from, to }): Recognized[] => {
    const at = Array.from({ length: to - from }, (_, offset) => from + offset)
    switch (sense.kind) {
      case 'part':
        return [{ kind: 'part', label: sense.label, at }]
      case 'make':
        return [{ kind: 'make', label: makeLabel(sense.makeIds, { vehicle, vocabulary }), at }]
      case 'model':
        return [{ kind: 'model', label: modelLabel(sense.models), at }]
      case 'year':
        return [{ kind: 'year', label: yearSpanText(sense.years).replace('-', '–'), at }]
      case 'size':
        return [{ kind: 'size', label: sense.size.label, at }]
      case 'side':
        return [{ kind: 'side', label: sideLabel(sense.places), at }]
      case 'seller':
        return [{ kind: 'seller', label: sense.label, at }]
      default:
        return []
    }
  })
}

/** For an ambiguous make such as "merc", returns the make whose model was named. */
function makeLabel(makeIds: readonly string[], { vehicle, vocabulary }: Named): string {
  const ofModel = makeIds.filter((id) => vehicle?.makeIds.includes(id))
  const shown = ofModel.length > 0 ? ofModel : makeIds
  return shown.map((id) => vocabulary.makeNames.get(id) ?? '').join(' or ')
}

/** Each name once: a 328i and a 328I are one to a reader. */
const modelLabel = (models: readonly NamedModels[]): string =>
  [...Map.groupBy(models, ({ label }) => label.toLowerCase()).values()]
    .map(([first]) => first?.label ?? '')
    .join(' or ')

const sideLabel = (places: readonly Place[]): string => {
  const text = places.join(' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** The typed words without those at some positions. */
export const withoutWords = (typed: readonly string[], at: readonly number[]): string =>
  typed.filter((_, place) => !at.includes(place)).join(' ')
