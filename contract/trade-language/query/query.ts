import { type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { ChipKind } from '#contract/search/parts-search.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { End, Place, Side } from '#contract/trade-language/places.ts'
import type { NamedModels } from '#contract/trade-language/vehicles/model-meanings.ts'
import type { Meaning, Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { Size } from './sizes.ts'
import { bestSplit, plainWord, type QueryContext, type ReadMeaning, type Span } from './split-words.ts'

/* What a buyer's words ask for. Words of ordinary sentences ask for nothing. */

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

/** What words were taken for; a chip of the search. */
type Recognized = {
  readonly kind: ChipKind
  readonly label: string
  /** Positions of the words as typed. */
  readonly at: readonly number[]
}

/** What a buyer does not want: "without sensor", "-honda". */
type Excluded = {
  readonly words: readonly string[]
  readonly makeIds: readonly string[]
  readonly modelIds: readonly string[]
  readonly sides: readonly Side[]
}

export type Wanted = {
  /** The words as typed, and with corrected spelling. */
  readonly typed: readonly string[]
  readonly vehicle: Vehicle | undefined
  readonly years: YearSpan | undefined
  /** The part types that were named: any of these. */
  readonly part: { readonly ids: readonly string[]; readonly label: string } | undefined
  /** A piece of a larger part, which has no type of its own: its words must be in a listing's name. */
  readonly piece: { readonly words: readonly string[]; readonly of: readonly string[] } | undefined
  readonly sellerId: string | undefined
  readonly side: Side | undefined
  readonly end: End | undefined
  readonly sizes: readonly Size[]
  /** Words with digits that may be part numbers. */
  readonly numbers: readonly string[]
  /** Unknown words, which must be in the listing; of each inner list, one of them. */
  readonly words: readonly (readonly string[])[]
  /** Words that many listings leave out (trims, bodies, drives). They only affect the order. */
  readonly wishes: readonly string[]
  readonly excluded: Excluded
  /** In dollars. */
  readonly price: { readonly min?: number; readonly max?: number } | undefined
  readonly recognized: readonly Recognized[]
}

// Shorter ones are models and sizes.
const SHORTEST_NUMBER = 5

export function readQuery(typed: readonly string[], vocabulary: Vocabulary, context: QueryContext): Wanted {
  const words = typed.map(plainWord)
  const spans = bestSplit(words, { ...context, vocabulary })
  return assemble(typed, { words, spans, vocabulary })
}

type Split = { words: readonly string[]; spans: readonly Span[]; vocabulary: Vocabulary }

function assemble(typed: readonly string[], split: Split): Wanted {
  const { words, vocabulary } = split
  const { wanted, unwanted } = withoutExcluded(split)
  const spans = wanted
  const { vehicleWords } = vocabulary.language
  const isWish = (word: string) => vehicleWords.isTrim(word) || vehicleWords.isBodyWord(word)
  const places = placesOf(spans)
  const { part, piece, beside, saysEnd, taken } = partOf(spans, { words, vocabulary, end: places.end })
  const rest = spans.flatMap(({ means, from }) => (means.kind === 'word' && !taken.has(from) ? from : []))
  const left = rest.filter((at) => !isWish(words[at] ?? ''))
  const numbers = numbersAmong(words, left)
  const isOfNumber = (at: number) => numbers.some((number) => number.at.includes(at))
  const vehicle = vehicleOf(spans, vocabulary)
  const prices = spans.flatMap(({ means }) => (means.kind === 'price' ? [means] : []))
  return {
    typed,
    vehicle,
    years: yearsOf(spans, { vehicle, vocabulary }),
    part,
    piece,
    sellerId: spans.flatMap(({ means }) => (means.kind === 'seller' ? means.id : []))[0],
    side: places.side,
    end: saysEnd ? undefined : places.end,
    sizes: spans.flatMap(({ means }) => {
      if (means.kind === 'engine') return { label: means.label, spellings: [means.spelling] }
      return means.kind === 'size' ? means.size : []
    }),
    numbers: numbers.map(({ text }) => text),
    words: alternatives(
      left.filter((at) => !isOfNumber(at)),
      spans,
    ).map((group) => group.map((at) => words[at] ?? '')),
    wishes: [
      ...rest.flatMap((at) => (isWish(words[at] ?? '') ? vocabulary.plain(words[at] ?? '') : [])),
      ...beside,
      ...(vehicle?.models ?? []).flatMap((model) => (model.beside === '' ? [] : [model.beside])),
    ],
    excluded: excludedBy(unwanted, words),
    price:
      prices.length > 0
        ? Object.assign({}, ...prices.map(({ min, max }) => ({ ...(min && { min }), ...(max && { max }) })))
        : undefined,
    recognized: [
      ...recognizedIn(spans, { vehicle, vocabulary, piece: piece && { ...piece, taken } }),
      ...unwanted.map(({ span, at }) => ({
        kind: 'without' as const,
        label: `without ${words.slice(span.from, span.to).join(' ')}`,
        at,
      })),
      ...numbers.map(({ text, at }) => ({ kind: 'number' as const, label: text.toUpperCase(), at })),
    ].toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0)),
  }
}

type Unwanted = { readonly span: Span; readonly at: readonly number[] }

const EXCLUDABLE: ReadonlySet<ReadMeaning['kind']> = new Set(['part', 'make', 'model', 'side'])

/**
 * "Not", "without" and "-" exclude a known part, make, model or side behind them. In front of any other word they ask for
 * nothing, and neither does the word: no listing says that it is "not cracked" in the same words.
 */
function withoutExcluded({ spans }: Split): { wanted: readonly Span[]; unwanted: readonly Unwanted[] } {
  const wanted: Span[] = []
  const unwanted: Unwanted[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at] as Span
    if (span.means.kind !== 'not') {
      wanted.push(span)
      continue
    }
    let next = at + 1
    while (spans[next]?.means.kind === 'skip') next += 1
    const excluded = spans[next]
    if (!excluded || !(EXCLUDABLE.has(excluded.means.kind) || excluded.means.kind === 'word')) continue
    at = next
    if (excluded.means.kind === 'word') continue
    const from = span.from
    unwanted.push({
      span: excluded,
      at: Array.from({ length: excluded.to - from }, (_, offset) => from + offset),
    })
  }
  return { wanted, unwanted }
}

function excludedBy(unwanted: readonly Unwanted[], words: readonly string[]): Excluded {
  const means = unwanted.map(({ span }) => span.means)
  return {
    words: unwanted.flatMap(({ span }) =>
      span.means.kind === 'part' ? [words.slice(span.from, span.to).join(' ')] : [],
    ),
    makeIds: means.flatMap((one) => (one.kind === 'make' ? one.makeIds : [])),
    modelIds: means.flatMap((one) => (one.kind === 'model' ? one.models.flatMap(({ ids }) => ids) : [])),
    sides: means.flatMap((one) =>
      one.kind === 'side' ? one.places.filter((place) => place === 'left' || place === 'right') : [],
    ),
  }
}

/** "Blue or red": of words with an "or" between them, a listing needs one. */
function alternatives(left: readonly number[], spans: readonly Span[]): number[][] {
  const groups: number[][] = []
  for (const at of left) {
    const isOr = spans.some(({ means, from }) => means.kind === 'or' && from === at - 1)
    const before = groups.at(-1)
    if (isOr && before?.includes(at - 2)) before.push(at)
    else groups.push([at])
  }
  return groups
}

/** The range from the first to the last of several years; without any, the years of the generation that was named. */
function yearsOf(spans: readonly Span[], { vehicle, vocabulary }: Known): YearSpan | undefined {
  const all = spans.flatMap(({ means }) => (means.kind === 'year' ? [means.years] : []))
  const counts = spans.flatMap(({ means }) => (means.kind === 'ordinal' ? means.count : []))
  const models = vehicle?.models ?? []
  const generations = models.flatMap(({ generation, makeId, label }) => {
    if (generation) return generation.years
    const make = nameKey(vocabulary.makeNames.get(makeId) ?? '')
    return vocabulary.language.generations.flatMap((one) =>
      counts.includes(one.ordinal ?? 0) && nameKey(one.make) === make && nameKey(one.model) === nameKey(label)
        ? one.years
        : [],
    )
  })
  const years = all.length > 0 ? all : generations
  if (years.length === 0) return undefined
  return { from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) }
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
    const all = endsInLetter(words, run) ? [...run, words.length - 1] : run
    const text = all.map((at) => words[at]).join(' ')
    const isNumber = isNumberLike(run.map((at) => words[at] ?? '')) && nameKey(text).length >= SHORTEST_NUMBER
    return isNumber ? [{ text, at: all }] : []
  })
}

/** The A of "F4XZ 9E926 A" is the number's, though a filler word elsewhere. */
const endsInLetter = (words: readonly string[], run: readonly number[]) =>
  run.at(-1) === words.length - 2 && /^[a-z]$/.test(words.at(-1) ?? '')

function vehicleOf(spans: readonly Span[], { makeNames }: Vocabulary): Vehicle | undefined {
  const named = spans.flatMap(({ means }) => (means.kind === 'make' ? means.makeIds : []))
  const models = spans.flatMap(({ means }) => (means.kind === 'model' ? means.models : []))
  const makeModelIds = spans.flatMap(({ means }) => (means.kind === 'make' ? means.modelIds : []))
  const makeIds = [...new Set(models.length > 0 ? models.map(({ makeId }) => makeId) : named)]
  if (makeIds.length === 0) return undefined
  return { makeIds, makes: makeIds.map((id) => makeNames.get(id) ?? ''), makeModelIds, models }
}

type Places = { side: Wanted['side']; end: Wanted['end'] }

function placesOf(spans: readonly Span[]): Places {
  const places = spans.flatMap(({ means }) =>
    means.kind === 'side' || means.kind === 'part' ? means.places : [],
  )
  const only = <T extends Place>(one: T, other: T) => {
    if (places.includes(one)) return places.includes(other) ? undefined : one
    return places.includes(other) ? other : undefined
  }
  return { side: only<'left' | 'right'>('left', 'right'), end: only<'front' | 'rear'>('front', 'rear') }
}

type PartRead = Pick<Wanted, 'part' | 'piece'> & {
  /** Whether its name says front or rear. */
  readonly saysEnd: boolean
  /** Part words before it: the radiator in "radiator fan shroud". */
  readonly beside: readonly string[]
  /** Words that belong to a piece, by their position. */
  readonly taken: ReadonlySet<number>
}

type PartSpan = Span & { readonly means: Extract<Meaning, { kind: 'part' }> }

/** Finds the named part: the last one of a sequence; with several sequences, any of them. */
function partOf(
  spans: readonly Span[],
  { words, vocabulary, end }: { words: readonly string[]; vocabulary: Vocabulary; end: Places['end'] },
): PartRead {
  const parts = spans.filter((span): span is PartSpan => span.means.kind === 'part')
  const isLast = ({ to }: PartSpan) => !parts.some((next) => next.from === to)
  const heads = parts.filter(isLast)
  const wordsOf = (some: readonly PartSpan[]) => some.flatMap(({ from, to }) => words.slice(from, to))
  const pieces = heads.flatMap((head) => pieceAt(head, { parts, spans, words, vocabulary }))
  const taken = new Set(pieces.flatMap(({ at }) => at))
  const whole = heads.filter(({ from }) => !taken.has(from))
  const idsOf = (some: readonly PartSpan[]) => [
    ...new Set(some.flatMap(({ means }) => means.types.map(({ id }) => id))),
  ]
  const [piece] = pieces
  if (whole.length === 0) {
    const found = piece && { words: piece.at.map((at) => words[at] ?? ''), of: idsOf(piece.of) }
    return { part: undefined, piece: found, saysEnd: false, beside: [], taken }
  }
  const ids = idsOf(whole)
  const nameStarts = (id: string, place: string) =>
    vocabulary.categoryNames.get(id)?.toLowerCase().startsWith(`${place} `) ?? false
  const atEnd = end === undefined ? [] : ids.filter((id) => nameStarts(id, end))
  return {
    part: {
      ids: atEnd.length > 0 ? atEnd : ids,
      label: whole.map(({ means }) => means.label).join(' or '),
    },
    piece: undefined,
    saysEnd: atEnd.length > 0,
    beside: wordsOf(parts.filter((part) => !isLast(part) && !taken.has(part.from))),
    taken,
  }
}

type Piece = { readonly at: readonly number[]; readonly of: readonly PartSpan[] }

/**
 * A piece of a larger part that has no type of its own: the motor of a transfer case is no engine, and an alternator's
 * pulley no alternator.
 */
function pieceAt(
  head: PartSpan,
  { parts, spans, words, vocabulary }: Split & { parts: readonly PartSpan[] },
): Piece[] {
  const before = parts.find(({ to }) => to === head.from)
  const positions = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, offset) => from + offset)
  if (before && vocabulary.partNames.isPieceOf(words.slice(head.from, head.to), head.means)) {
    return [{ at: positions(before.from, head.to), of: [before] }]
  }
  const next = spans.find(({ from }) => from === head.to)
  const isPiece = next?.means.kind === 'word' && vocabulary.partNames.isPiece(words[next.from] ?? '')
  return isPiece ? [{ at: positions(head.from, next.to), of: [head] }] : []
}

type Known = { vehicle: Vehicle | undefined; vocabulary: Vocabulary }
type KnownPiece = {
  piece: { readonly words: readonly string[]; readonly taken: ReadonlySet<number> } | undefined
}

function recognizedIn(
  spans: readonly Span[],
  { vehicle, vocabulary, piece }: Known & KnownPiece,
): Recognized[] {
  const found = spans.flatMap(({ means, from, to }): Recognized[] => {
    const at = Array.from({ length: to - from }, (_, offset) => from + offset)
    if (piece?.taken.has(from)) return []
    switch (means.kind) {
      case 'part':
        return [{ kind: 'part', label: means.label, at }]
      case 'make':
        return [{ kind: 'make', label: makeLabel(means.makeIds, { vehicle, vocabulary }), at }]
      case 'model':
        return [{ kind: 'model', label: modelLabel(means.models), at }]
      case 'year':
        return [{ kind: 'year', label: yearLabel(means.years), at }]
      case 'ordinal':
        return [{ kind: 'year', label: `generation ${means.count}`, at }]
      case 'size':
        return [{ kind: 'size', label: means.size.label, at }]
      case 'engine':
        return [{ kind: 'size', label: `engine ${means.label}`, at }]
      case 'price':
        return [{ kind: 'price', label: means.label, at }]
      case 'side':
        return [{ kind: 'side', label: sideLabel(means.places), at }]
      case 'seller':
        return [{ kind: 'seller', label: means.label, at }]
      default:
        return []
    }
  })
  const label = piece ? piece.words.join(' ') : ''
  return piece ? [...found, { kind: 'part', label: capitalized(label), at: [...piece.taken] }] : found
}

const yearLabel = (years: YearSpan) => yearSpanText(years).replace('-', '–')

/** For an ambiguous make such as "merc", returns the make whose model was named. */
function makeLabel(makeIds: readonly string[], { vehicle, vocabulary }: Known): string {
  const ofModel = makeIds.filter((id) => vehicle?.makeIds.includes(id))
  const shown = ofModel.length > 0 ? ofModel : makeIds
  return shown.map((id) => vocabulary.makeNames.get(id) ?? '').join(' or ')
}

/** Each name once: a 328i and a 328I are one to a reader. */
const modelLabel = (models: readonly NamedModels[]): string =>
  [...Map.groupBy(models.map(nameOfModel), (label) => label.toLowerCase()).values()]
    .map(([first]) => first ?? '')
    .join(' or ')

const nameOfModel = ({ label, generation }: NamedModels): string =>
  generation ? `${label} (${generation.code}, ${yearLabel(generation.years)})` : label

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const sideLabel = (places: readonly Place[]): string => capitalized(places.join(' '))

/** The typed words without those at some positions. */
export const withoutWords = (typed: readonly string[], at: readonly number[]): string =>
  typed.filter((_, place) => !at.includes(place)).join(' ')
