import type { YearSpan } from '#contract/listing/year-span.ts'
import type { ChipKind } from '#contract/search/parts-search.ts'
import { nameKey, oneOf } from '#contract/trade-language/names.ts'
import type { End, Place, Side } from '#contract/trade-language/places.ts'
import type { NamedModels } from '#contract/trade-language/vehicles/model-meanings.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { yearsInWords } from '#contract/trade-language/years.ts'
import { type Excluded, excludedBy, withoutExcluded } from './exclusions.ts'
import { type NamedParts, namedParts, withJoinedParts, withoutAccompanying } from './named-parts.ts'
import type { Size } from './sizes.ts'
import { bestSplit, isPartNumber, plainWord, type QueryContext, type Span } from './split-words.ts'

/* The meaning of a buyer's words. Words of ordinary sentences have none. */

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

/** How words were understood; a chip of the search. */
type Recognized = {
  readonly kind: ChipKind
  readonly label: string
  /** Positions of the words as typed. */
  readonly at: readonly number[]
}

export type Wanted = {
  /** The words as typed, and with corrected spelling. */
  readonly typed: readonly string[]
  readonly vehicle: Vehicle | undefined
  readonly years: YearSpan | undefined
  readonly part: NamedParts['part']
  readonly piece: NamedParts['piece']
  readonly sellerId: string | undefined
  readonly side: Side | undefined
  readonly end: End | undefined
  readonly sizes: readonly Size[]
  /** Words with digits that may be part numbers. */
  readonly numbers: readonly string[]
  /** Unknown words, which must be in the listing; of each inner list, one of them. */
  readonly words: readonly (readonly string[])[]
  /** The same of a listing's name: the hood of a "hood strut", which is a Gas Strut. */
  readonly nameWords: readonly (readonly string[])[]
  /** Words that many listings leave out (trims, bodies, drives). They only affect the order. */
  readonly wishes: readonly string[]
  readonly excluded: Excluded
  /** In dollars. */
  readonly price: { readonly min?: number; readonly max?: number } | undefined
  readonly recognized: readonly Recognized[]
}

export function readQuery(typed: readonly string[], vocabulary: Vocabulary, context: QueryContext): Wanted {
  const words = vocabulary.language.places.inEnglish(typed.map(plainWord))
  const spans = bestSplit(words, { ...context, vocabulary })
  return assemble(typed, { words, spans, vocabulary })
}

type Split = { words: readonly string[]; spans: readonly Span[]; vocabulary: Vocabulary }

function assemble(typed: readonly string[], split: Split): Wanted {
  const { words, vocabulary } = split
  const { wanted, unwanted } = withoutExcluded(split.spans, { words, vocabulary })
  const said = saidYears(wanted)
  const vehicle = vehicleOf(wanted, vocabulary, said)
  const generationsOf = (count: number) => countedGenerations(count, vehicle, vocabulary)
  const yearsOfCount = (count: number) => countedYears(count, vehicle, vocabulary)
  const excluded = excludedBy(unwanted, { words, vocabulary, generationsOf })
  // A listing must contain the words that we don't know.
  const isUncounted = ({ means }: Span) => means.kind === 'ordinal' && yearsOfCount(means.count).length === 0
  const uncounted = wanted.filter(isUncounted).map(({ from, to }) => [words.slice(from, to).join(' ')])
  const asked = withoutAccompanying(wanted, { words, vocabulary })
  const spans = withJoinedParts(asked.spans, { words, vocabulary }).filter((span) => !isUncounted(span))
  const places = placesOf(spans)
  const { part, piece, beside, narrower, saysEnd, taken } = namedParts(spans, {
    words,
    vocabulary,
    end: places.end,
    excluded,
  })
  const rest = restOf(spans, { words, vocabulary, taken, hasPart: (part ?? piece) !== undefined })
  const isNamed = (part ?? piece) !== undefined || rest.words.length + rest.numbers.length > 0
  const [coded] = spans.flatMap(({ means }) => (means.kind === 'code' && means.part ? means.part : []))
  const prices = spans.flatMap(({ means }) => (means.kind === 'price' ? [means] : []))
  return {
    typed,
    vehicle,
    years: said ?? yearsOf(spans, vehicle, yearsOfCount),
    part: isNamed ? ofCode(part, coded) : coded,
    piece,
    sellerId: spans.flatMap(({ means }) => (means.kind === 'seller' ? means.id : []))[0],
    side: places.side,
    end: saysEnd ? undefined : places.end,
    sizes: spans.flatMap(({ means }) => {
      if (means.kind === 'code') {
        const { label, spelling } = means
        return { label, spellings: [spelling], ...(/\d/.test(label) && { isCode: true as const }) }
      }
      return means.kind === 'size' ? means.size : []
    }),
    numbers: rest.numbers.map(({ text }) => text),
    words: [...rest.words, ...uncounted],
    nameWords: narrower,
    wishes: [
      ...rest.wishes,
      ...beside,
      ...asked.accompanying,
      ...(vehicle?.models ?? []).flatMap((model) => (model.beside === '' ? [] : [model.beside])),
    ],
    excluded,
    price:
      prices.length > 0
        ? Object.assign({}, ...prices.map(({ min, max }) => ({ ...(min && { min }), ...(max && { max }) })))
        : undefined,
    recognized: [
      ...recognizedIn(spans, { vehicle, vocabulary, piece: piece && { ...piece, taken } }),
      ...unwanted.map(({ spans: [first], at }) => ({
        kind: 'without' as const,
        label: `without ${words.slice(first?.from, (at.at(-1) ?? 0) + 1).join(' ')}`,
        at,
      })),
      ...rest.numbers.map(({ text, at }) => ({ kind: 'number' as const, label: text.toUpperCase(), at })),
    ].toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0)),
  }
}

/** A "4L60E transmission" is an automatic one. */
const ofCode = (part: Wanted['part'], coded: Wanted['part']): Wanted['part'] =>
  part && coded?.ids.every((id) => part.ids.includes(id)) ? { ...part, ids: coded.ids } : part

type Rest = { words: readonly string[]; vocabulary: Vocabulary; taken: ReadonlySet<number>; hasPart: boolean }

/**
 * What words without a known meaning do: they must be in a listing, as part numbers or words, or only raise its rank.
 */
function restOf(spans: readonly Span[], { words, vocabulary, taken, hasPart }: Rest) {
  const { vehicleWords, roles } = vocabulary.language
  const wishes = roles.set('wish')
  const rest = spans.flatMap(({ means, from }) => (means.kind === 'word' && !taken.has(from) ? from : []))
  const textOf = (at: number) => words[at] ?? ''
  const isAlone = spans.every(({ means }) => means.kind === 'word' || means.kind === 'skip')
  // "Hemi" alone must be found.
  const isWish = (at: number) => {
    const word = textOf(at)
    return !isAlone && (wishes.has(word) || vehicleWords.isTrim(word) || vehicleWords.isBodyWord(word))
  }
  // Without a part, ordinary words may be the whole search.
  const isIdle = (at: number) => hasPart && vocabulary.isOrdinary(textOf(at))
  const left = rest.filter((at) => !isWish(at) && !isIdle(at))
  const numbers = numbersAmong(words, left)
  const others = left.filter((place) => !numbers.some(({ at }) => at.includes(place)))
  return {
    numbers,
    words: alternatives(others, spans).map((group) => group.map(textOf)),
    wishes: [
      ...rest.filter(isWish).map((at) => vocabulary.plain(textOf(at))),
      ...spans.flatMap(({ means }) => (means.kind === 'wish' ? means.word : [])),
    ],
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

/** The range from the first to the last of several years. */
function spanOf(years: readonly YearSpan[]): YearSpan | undefined {
  if (years.length === 0) return undefined
  return { from: Math.min(...years.map(({ from }) => from)), to: Math.max(...years.map(({ to }) => to)) }
}

const saidYears = (spans: readonly Span[]) =>
  spanOf(spans.flatMap(({ means }) => (means.kind === 'year' ? [means.years] : [])))

/** If the words contain no years, the years of the named generations apply. */
function yearsOf(
  spans: readonly Span[],
  vehicle: Vehicle | undefined,
  yearsOfCount: (count: number) => readonly YearSpan[],
): YearSpan | undefined {
  const counts = spans.flatMap(({ means }) => (means.kind === 'ordinal' ? means.count : []))
  const models = vehicle?.models ?? []
  if (counts.length > 0) return spanOf(counts.flatMap(yearsOfCount))
  // A code limits the years of its own model only.
  const coded = models.flatMap(({ generation }) => generation?.years ?? [])
  return coded.length === models.length ? spanOf(coded) : undefined
}

/** The generations that a count ("8th gen") means of the models. */
function countedGenerations(
  count: number,
  vehicle: Vehicle | undefined,
  { makeNames, language }: Vocabulary,
): Excluded['generations'] {
  return (vehicle?.models ?? []).flatMap(({ makeId, label, ids }) => {
    const make = nameKey(makeNames.get(makeId) ?? '')
    const ofMake = language.generations.filter(
      ({ ordinal, ...one }) => ordinal === count && nameKey(one.make) === make,
    )
    const own = ofMake.filter(({ model }) => nameKey(model) === nameKey(label))
    // A Civic Si is of the Civic's generations.
    const ofFamily = ofMake.filter(({ model }) => label.toLowerCase().startsWith(`${model.toLowerCase()} `))
    return (own.length > 0 ? own : ofFamily).map(({ years }) => ({ modelIds: ids, years }))
  })
}

/** The years of a count. Of a make that is a model's name elsewhere, too, as Ram is, it counts that model's. */
function countedYears(
  count: number,
  vehicle: Vehicle | undefined,
  vocabulary: Vocabulary,
): readonly YearSpan[] {
  const counted = countedGenerations(count, vehicle, vocabulary).map(({ years }) => years)
  if (!vehicle || vehicle.models.length > 0 || vehicle.makeModelIds.length === 0) return counted
  const ofMake = ({ make, model }: { make: string; model: string }) =>
    vehicle.makes.some((name) => make === name || model.startsWith(`${name} `))
  return vocabulary.language.generations.flatMap((one) =>
    one.ordinal === count && ofMake(one) ? one.years : [],
  )
}

/** Finds words with digits that have no other meaning; several in a row may be one number typed with spaces. */
function numbersAmong(words: readonly string[], left: readonly number[]): { text: string; at: number[] }[] {
  const runs: number[][] = []
  // "Hollander 110-01234": a long word of letters is no piece of a number.
  for (const at of left.filter((one) => /\d|^.{1,3}$/u.test(words[one] ?? ''))) {
    const run = runs.at(-1)
    if (run?.at(-1) === at - 1) run.push(at)
    else runs.push([at])
  }
  return runs.flatMap((run) => {
    const all = endsInLetter(words, run) ? [...run, words.length - 1] : run
    const text = all.map((at) => words[at]).join(' ')
    return isPartNumber(text) ? [{ text, at: all }] : []
  })
}

/** The A of "F4XZ 9E926 A" is the number's, though a filler word elsewhere. */
const endsInLetter = (words: readonly string[], run: readonly number[]) =>
  run.at(-1) === words.length - 2 && /^[a-z]$/.test(words.at(-1) ?? '')

function vehicleOf(
  spans: readonly Span[],
  { makeNames }: Vocabulary,
  years: YearSpan | undefined,
): Vehicle | undefined {
  const named = spans.flatMap(({ means }) => (means.kind === 'make' ? means.makeIds : []))
  const models = boundModels(
    numberedModels(spans.flatMap(({ means }) => (means.kind === 'model' ? means.models : []))),
    years,
  )
  const makeModelIds = spans.flatMap(({ means }) => (means.kind === 'make' ? means.modelIds : []))
  const ofCode = spans.flatMap(({ means }) => (means.kind === 'code' ? means.makeIds : []))
  const saidOf = named.length > 0 ? named : ofCode
  const makeIds = [...new Set(models.length > 0 ? models.map(({ makeId }) => makeId) : saidOf)]
  if (makeIds.length === 0) return undefined
  return { makeIds, makes: makeIds.map((id) => makeNames.get(id) ?? ''), makeModelIds, models }
}

/** A number beside a family's name means those of its models that have it: a "2500 Silverado" is no Silverado 1500. */
function numberedModels(all: readonly NamedModels[]): readonly NamedModels[] {
  const numbers = all.filter(({ label }) => /^\d/.test(label))
  const isOf = (number: NamedModels, id: string) => number.ids.includes(id)
  const meant = all.flatMap((family): NamedModels[] => {
    const number = numbers.find((one) => one !== family && family.ids.some((id) => isOf(one, id)))
    if (!number || numbers.includes(family)) return []
    const ids = family.ids.filter((id) => isOf(number, id))
    return [{ ...family, label: `${family.label} ${number.label}`, ids, exactIds: ids }]
  })
  if (meant.length === 0) return all
  const isMeant = ({ ids }: NamedModels) => ids.some((id) => meant.some((one) => isOf(one, id)))
  return [...meant, ...all.filter((one) => !numbers.includes(one) && !isMeant(one))]
}

/**
 * A generation's code next to a model means that model in its years: the E90 of "E90 3 series" is not a Corolla. Typed
 * years override those of a code and choose among its models.
 */
function boundModels(all: readonly NamedModels[], years: YearSpan | undefined): readonly NamedModels[] {
  const plain = all.filter(({ generation }) => !generation)
  const coded = all.filter(({ generation }) => generation)
  const isSame = (one: NamedModels, other: NamedModels) => one.exactIds.some((id) => other.ids.includes(id))
  const matching = coded.filter((one) => plain.some((other) => isSame(one, other)))
  const meant = matching.length > 0 ? matching : coded
  const others = plain.filter((one) => !meant.some((other) => isSame(other, one)))
  if (!years) return [...meant, ...others]
  const ofYears = meant.filter(
    ({ generation }) => generation && generation.years.from <= years.to && generation.years.to >= years.from,
  )
  const chosen = ofYears.length > 0 ? ofYears : meant
  return [...chosen.map(({ generation: _, ...model }) => model), ...others]
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

type Known = { vehicle: Vehicle | undefined; vocabulary: Vocabulary }
type KnownPiece = {
  piece: { readonly words: readonly string[]; readonly taken: ReadonlySet<number> } | undefined
}

function recognizedIn(
  spans: readonly Span[],
  { vehicle, vocabulary, piece }: Known & KnownPiece,
): Recognized[] {
  const found = spans.flatMap(({ means, from, to, also = [] }): Recognized[] => {
    const at = [...Array.from({ length: to - from }, (_, offset) => from + offset), ...also]
    if (piece?.taken.has(from)) return []
    switch (means.kind) {
      case 'part':
        return [{ kind: 'part', label: means.label, at }]
      case 'make':
        return [{ kind: 'make', label: makeLabel(means.makeIds, { vehicle, vocabulary }), at }]
      case 'model':
        return [{ kind: 'model', label: modelLabel(means.models, vehicle), at }]
      case 'year':
        return [{ kind: 'year', label: yearsInWords(means.years), at }]
      case 'ordinal':
        return [{ kind: 'year', label: `generation ${means.count}`, at }]
      case 'size':
        return [{ kind: 'size', label: means.size.label, at }]
      case 'code':
        return [{ kind: 'size', label: `${means.noun} ${means.label}`, at }]
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

/** For an ambiguous make such as "merc", returns the make whose model was named. */
function makeLabel(makeIds: readonly string[], { vehicle, vocabulary }: Known): string {
  const ofModel = makeIds.filter((id) => vehicle?.makeIds.includes(id))
  const shown = ofModel.length > 0 ? ofModel : makeIds
  return oneOf(shown.map((id) => vocabulary.makeNames.get(id) ?? ''))
}

/** If several models share a code, the models that apply. */
function modelLabel(models: readonly NamedModels[], vehicle: Vehicle | undefined): string {
  const meant = models.filter((model) =>
    vehicle?.models.some(({ makeId, label }) => makeId === model.makeId && label === model.label),
  )
  return oneOf((meant.length > 0 ? meant : models).map(nameOfModel))
}

const nameOfModel = ({ label, generation }: NamedModels): string =>
  generation ? `${label} (${generation.code}, ${yearsInWords(generation.years)})` : label

const capitalized = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)}`

const sideLabel = (places: readonly Place[]): string => capitalized(places.join(' '))
