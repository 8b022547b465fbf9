import { yearSpanText } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { findYears, readPlateYear, readYears, yearsProblem } from '#contract/trade-language/years.ts'
import type { TitleNames } from './title-names.ts'
import { cutPrice } from './title-price.ts'

/*
 * Splits a cell that has a vehicle ("07 CAMRY", "Toyota Camry") or a whole title ("2004-2008 Ford F-150 Front Door LH")
 * into year, make, model, trim and part. Nothing is invented: every word comes from the cell, except for the make of a
 * model that only one make has. What can be read in two ways is a problem in words, never a guess.
 */

type SplitField = 'partyear' | 'partmanu' | 'partmodel' | 'parttrim' | 'partname' | 'partprice'
/** `problem` is why fields are missing; without one, the cell does not name them. */
export type SplitCell = { fields: Partial<Record<SplitField, string>>; problem?: string }

/** What splitting needs of the vocabulary, which the import wizard has, too. */
export type TitleVocabulary = Pick<Vocabulary, 'titles' | 'language'>

export type SplitRules = {
  vocabulary: TitleVocabulary
  /** The current year. */
  year: number
}

/** @param header the column's name, which may say that it has number plates */
export function splitYears(text: string, { year }: Pick<SplitRules, 'year'>, header = ''): SplitCell {
  const plate = readPlateYear(text, header)
  const read = plate ? { years: plate } : readYears(text, year)
  return read.years === undefined
    ? { fields: {}, problem: yearsProblem(text.trim(), read) }
    : { fields: { partyear: yearSpanText(read.years) } }
}

/** A year (if any), make and model; the rest of the cell is the trim. */
export function splitVehicle(text: string, rules: SplitRules): SplitCell {
  const read = readVehicle(text, rules, 'vehicle')
  if ('problem' in read) return { fields: read.fields, problem: read.problem }
  const { fields, used } = read
  const rest = uncovered(text, used)
  return { fields: rest === '' ? fields : { ...fields, parttrim: rest } }
}

/** Year, make and model, and what is left over as the part's name; sides and positions stay in it. */
export function splitTitle(text: string, rules: SplitRules): SplitCell {
  const read = readVehicle(text, rules, 'title')
  if ('problem' in read) return { fields: read.fields, problem: read.problem }
  const { fields, used, words, next } = read
  const trims = trimAfter(words, next, rules.vocabulary.titles)
  const partname = uncovered(text, [...used, ...trims])
  const [first] = trims
  const parttrim = first && text.slice(first.at, trims.at(-1)?.end)
  if (!namesPart(partname, rules.vocabulary))
    return { fields, problem: `${quoted(text)} doesn’t name a part` }
  return { fields: { ...fields, ...(parttrim && { parttrim }), partname } }
}

/** A title that has its price, too: "07 camry alternator $45". */
export function splitPricedTitle(text: string, rules: SplitRules): SplitCell {
  const { rest, price, problem } = cutPrice(text)
  const title = splitTitle(rest, rules)
  const fields = { ...title.fields, ...(price !== undefined && { partprice: price }) }
  const unclear = problem ?? title.problem
  return unclear === undefined ? { fields } : { fields, problem: unclear }
}

type Range = { at: number; end: number }
/** `joins`: only a space, dash or the like is between it and the word before. */
type Word = Range & { text: string; key: string; joins: boolean }
type Found = {
  fields: SplitCell['fields']
  /** The parts of the text that became fields. */
  used: Range[]
  words: readonly Word[]
  /** The index of the word after the model. */
  next: number
}
type Kind = 'vehicle' | 'title'

function readVehicle(
  text: string,
  { vocabulary: { titles: names }, year }: SplitRules,
  kind: Kind,
): Found | { fields: SplitCell['fields']; problem: string } {
  const found = findYears(text, year)
  const ranges = new Set(found.map(({ years }) => years && yearSpanText(years)))
  const unclear = found.find(({ problem }) => problem !== undefined)
  const [first] = found
  const fields = ranges.size === 1 && first?.years ? { partyear: yearSpanText(first.years) } : {}
  // Same length, so that positions stay.
  const blanked = found.reduce(
    (rest, { at, end }) => rest.slice(0, at) + ' '.repeat(end - at) + rest.slice(end),
    text,
  )
  const words = wordsIn(text, blanked, names)
  const vehicle = findVehicle({ text, words, names, kind, years: found })
  if ('problem' in vehicle) return { fields, problem: vehicle.problem }
  const { make, model, used, next } = vehicle
  const all = { ...fields, partmanu: make, partmodel: model }
  if (unclear)
    return { fields: all, problem: yearsProblem(text.slice(unclear.at, unclear.end).trim(), unclear) }
  if (ranges.size > 1) {
    const years = [...ranges].join(' and ')
    return {
      fields: all,
      problem: `${quoted(text)} names the years ${years}. Keep the ones that the part fits`,
    }
  }
  return { fields: all, used: [...used, ...found], words, next }
}

type Vehicle = { make: string; model: string; used: Range[]; next: number }
type Search = {
  text: string
  words: readonly Word[]
  names: TitleNames
  kind: Kind
  years: readonly Range[]
}

function findVehicle(search: Search): Vehicle | { problem: string } {
  const { text, words, names, kind } = search
  const makes = makesIn(words, names)
  const withModel = makes.flatMap((make) => vehicleOf(make, search) ?? [])
  const [only] = withModel
  if (only && new Set(withModel.map(({ key }) => key)).size === 1) {
    const other = makes.find(({ name }) => name !== only.name && isBeside(name, makes, only))
    const second = other?.text ?? secondModel(search, only)
    return second === undefined
      ? only
      : { problem: `${quoted(text)} names more than one model. Write one row for each vehicle` }
  }
  const names2 = [...new Set(makes.map(({ name }) => name))]
  if (withModel.length > 1 || (names2.length > 1 && !only)) {
    return { problem: `${quoted(text)} names more than one vehicle. Write one row for each` }
  }
  const [make] = makes
  if (make === undefined) return withoutMake(search)
  const before = modelBefore(make, search)
  if (before) return before
  const rest = words.slice(make.next)
  const last = rest.at(-1)
  // In a vehicle's column, what follows the make is the model, known or new.
  if (kind === 'vehicle' && make.from === 0 && rest[0] && last && rest.length <= LONGEST_MODEL) {
    const range = { at: rest[0].at, end: last.end }
    return {
      make: make.text,
      model: text.slice(range.at, range.end),
      used: [make, range],
      next: words.length,
    }
  }
  return {
    problem:
      rest.length === 0 && kind === 'vehicle'
        ? `${quoted(text)} doesn’t name a model`
        : `The model in ${quoted(text)} is unclear. Write year, make and model, such as 2007 Toyota Camry`,
  }
}

const LONGEST_MAKE = 3
const LONGEST_MODEL = 4
const MOST_WORDS = 5

type Make = Range & { name: string; text: string; from: number; next: number }

/** All makes named in the text; one named twice in a row is one. */
function makesIn(words: readonly Word[], names: TitleNames): Make[] {
  const makes: Make[] = []
  for (let from = 0; from < words.length; from++) {
    const found = longest(words, from, LONGEST_MAKE, (key) => names.make(key) !== undefined)
    const [first, last] = [words[from], words[(found ?? 0) - 1]]
    if (found === undefined || !first || !last) continue
    const name = names.make(keyAt(words, from, found)) ?? ''
    const before = makes.at(-1)
    // "Dodge Ram 1500": the model of the make before, not a make of its own.
    if (before?.next === from && modelEnd(words, before, names) !== undefined && before.name !== name)
      continue
    if (before?.next === from && before.name === name) {
      makes[makes.length - 1] = withTruck(words, { ...before, end: last.end, next: found }, names)
    } else {
      const text = textAt(words, from, found)
      makes.push(withTruck(words, { at: first.at, end: last.end, name, text, from, next: found }, names))
    }
    from = found - 1
  }
  return makes
}

/** "FORD TRUCK F150": the word between make and model belongs to the make. */
function withTruck(words: readonly Word[], make: Make, names: TitleNames): Make {
  const word = words[make.next]
  const longer = { ...make, next: make.next + 1 }
  if (!word || !names.words.vehicle.has(word.key) || modelEnd(words, longer, names) === undefined) return make
  return { ...longer, end: word.end, text: `${make.text} ${word.text}` }
}

const textAt = (words: readonly Word[], from: number, to: number): string =>
  words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ')

type FoundVehicle = Vehicle & { key: string; name: string; from: number }

function vehicleOf(make: Make, { text, words, names }: Search): FoundVehicle | undefined {
  const end = modelEnd(words, make, names)
  const [first, last] = [words[make.next], words[(end ?? 0) - 1]]
  if (end === undefined || !first || !last) return undefined
  const model = { at: first.at, end: last.end }
  return {
    make: make.text,
    model: text.slice(model.at, model.end),
    used: [{ at: make.at, end: model.at }, model],
    next: end,
    key: `${make.name} ${keyAt(words, make.next, end)}`,
    name: make.name,
    from: make.from,
  }
}

const modelEnd = (
  words: readonly Word[],
  { name, next }: Pick<Make, 'name' | 'next'>,
  names: TitleNames,
): number | undefined => longest(words, next, MOST_WORDS, (key, count) => names.isModel(name, key, count))

/** Another make right before or after the vehicle: "Chevy GMC Silverado". */
function isBeside(name: string, makes: readonly Make[], { from, next }: FoundVehicle): boolean {
  return makes.some((make) => make.name === name && (make.next === from || make.from === next))
}

/** Another model that follows the first: "Camry Avalon", "Ram 1500 2500". */
function secondModel({ text, words, names }: Search, { name, next, used }: FoundVehicle): string | undefined {
  const skip = words[next]?.key === 'and' ? 1 : 0
  const word = words[next + skip]
  const before = used.at(-1)
  if (!word || !before) return undefined
  const between = text.slice(before.end, words[next]?.at ?? before.end)
  if (!/^[\s/&,+]*$/.test(between)) return undefined
  if (TRUCK_SIZE.test(word.key)) return word.text
  const end = longest(words, next + skip, MOST_WORDS, (key, count) => names.isModel(name, key, count))
  if (end === undefined) return undefined
  const key = keyAt(words, next + skip, end)
  return key.length >= 3 && /[a-z]/.test(key) && !names.words.trims.has(key) && !names.words.part.has(key)
    ? word.text
    : undefined
}

const TRUCK_SIZE = /^[1-5]500$/

/** "CAMRY (TOYOTA)": the model before its make. */
function modelBefore(make: Make, { text, words, names }: Search): Vehicle | undefined {
  for (let from = Math.max(0, make.from - MOST_WORDS); from < make.from; from++) {
    const key = keyAt(words, from, make.from)
    const first = words[from]
    const last = words[make.from - 1]
    const isModel = (of: string, count: number) => names.isModel(make.name, of, count)
    const isWhole = longest(words, from, make.from - from, isModel) === make.from
    if (!first || !last || !isWhole || names.words.part.has(key)) continue
    const model = { at: first.at, end: last.end }
    return { make: make.text, model: text.slice(model.at, model.end), used: [model, make], next: make.next }
  }
  return undefined
}

/** The make of a model that only one make has. In a title, the model must follow its year. */
function withoutMake({ text, words, names, kind, years }: Search): Vehicle | { problem: string } {
  const places = words.flatMap(({ at }, place) => {
    const followsYear = years.some(({ end }) => end <= at && /^[\s,-]*$/.test(text.slice(end, at)))
    return followsYear || (place === 0 && kind === 'vehicle') ? [place] : []
  })
  for (const from of places) {
    const end = longest(
      words,
      from,
      MOST_WORDS,
      (key) => isTelling(key, kind, names) && names.owners(key).length > 0,
    )
    const [first, last] = [words[from], words[(end ?? 0) - 1]]
    if (end === undefined || !first || !last || FOR.test(text.slice(last.end))) continue
    const owners = names.owners(keyAt(words, from, end))
    const model = { at: first.at, end: last.end }
    const typed = text.slice(model.at, model.end)
    const [make] = owners
    if (owners.length > 1 || make === undefined) {
      return { problem: `“${typed}” is a model of ${listed(owners)}. Write the make in front of it` }
    }
    const found = { make, model: typed, used: [model], next: end, name: make, key: '', from }
    return secondModel({ text, words, names, kind, years }, found) === undefined
      ? found
      : { problem: `${quoted(text)} names more than one model. Write one row for each vehicle` }
  }
  return {
    problem: `${quoted(text)} doesn’t name a make we know. Write year, make and model, such as 2007 Toyota Camry`,
  }
}

// What is for something is a part: "2012 charger for phone" is no Dodge.
const FOR = /^\s+for\b/i

const SHORTEST_ALONE = 3

/** A4 and X5. I4 and V6 are engines. */
const SHORT_CODE = /^[abcdefgkmqstxz]\d$/

/** Models that are also words of parts say nothing in a title, as in spark plug and leaf spring. */
const isTelling = (key: string, kind: Kind, names: TitleNames): boolean =>
  (key.length >= SHORTEST_ALONE || SHORT_CODE.test(key)) &&
  /[a-z]/.test(key) &&
  (kind === 'vehicle' || !names.words.part.has(key))

/* Words. */

const WORD = /[^\s,;|()[\]{}"“”*!•·~&]+/g
const EDGES = /^[-–—.:/#'’]+|[-–—.:/'’]+$/g

const JOINS = /^[\s.&'’-]{0,3}$/

/** `blanked` is the text with spaces in place of its years. */
function wordsIn(text: string, blanked: string, names: TitleNames): Word[] {
  const pieces = [...blanked.matchAll(WORD)].flatMap(({ 0: raw, index }) => {
    const start = /^[-–—.:/#'’]+/.exec(raw)?.[0].length ?? 0
    return piecesOf(raw.replace(EDGES, ''), index + start, names)
  })
  return pieces.map((piece, place) => ({
    ...piece,
    joins: JOINS.test(text.slice(pieces[place - 1]?.end ?? 0, piece.at)),
  }))
}

/** "TOYOTA/CAMRY" and "TOYOTA-CAMRY" are two words, "F-150" and "R/T" one. */
function piecesOf(text: string, at: number, names: TitleNames): Omit<Word, 'joins'>[] {
  const key = nameKey(text)
  if (key === '') return []
  const whole = [{ at, end: at + text.length, text, key }]
  const mark = text.search(/[-/]/)
  if (mark < 1 || names.make(key) !== undefined || names.owners(key).length > 0) return whole
  const left = nameKey(text.slice(0, mark))
  const isApart =
    names.make(left) !== undefined || names.words.vehicle.has(left) || isTwoNames(text, mark, names)
  if (!isApart) return whole
  return [
    ...piecesOf(text.slice(0, mark), at, names),
    ...piecesOf(text.slice(mark + 1), at + mark + 1, names),
  ]
}

/** "Camry/Avalon" */
const isTwoNames = (text: string, mark: number, names: TitleNames): boolean =>
  text[mark] === '/' &&
  [text.slice(0, mark), text.slice(mark + 1)].every((half) => names.owners(nameKey(half)).length > 0)

const keyAt = (words: readonly Word[], from: number, to: number): string =>
  words
    .slice(from, to)
    .map(({ key }) => key)
    .join('')

/** The index after the longest run of words from here that passes; undefined if none does. */
function longest(
  words: readonly Word[],
  from: number,
  most: number,
  passes: (key: string, count: number) => boolean,
): number | undefined {
  let to = from + 1
  while (to < from + most && words[to]?.joins) to++
  for (; to > from && to <= words.length; to--) if (passes(keyAt(words, from, to), to - from)) return to
  return undefined
}

/** Trims that cannot be part of a part's name. */
function trimAfter(words: readonly Word[], from: number, { words: known }: TitleNames): Word[] {
  const found: Word[] = []
  for (let word = words[from]; word && known.trims.has(word.key); word = words[from + found.length])
    found.push(word)
  return found
}

/* What is left over. */

const LOOSE_ENDS = /^[\s,;:|/\\*•·~!.–—-]+|[\s,;:|/\\*•·~!–—-]+$/g
// "a" only behind another: an A may be a model, or a grade.
const CONNECTORS = /^(?:for|fits?|from|off|of|to)\b|\b(?:for|fits?|from|off|of|to)(?:\s+an?)?$/i

/** The text without these ranges; words between what was cut out keep their order. */
function uncovered(text: string, used: readonly Range[]): string {
  const pieces: string[] = []
  let from = 0
  for (const { at, end } of [...used, { at: text.length, end: text.length }].toSorted(
    (a, b) => a.at - b.at,
  )) {
    if (at > from) pieces.push(tidy(text.slice(from, at)))
    from = Math.max(from, end)
  }
  return balanced(pieces.filter(Boolean).join(' '))
}

function tidy(piece: string): string {
  let text = piece
  for (let before = ''; before !== text; ) {
    before = text
    text = text.replace(LOOSE_ENDS, '').replace(CONNECTORS, '')
  }
  return text.replace(/\s+/g, ' ')
}

/** Without brackets that lost their partner or their content. */
function balanced(text: string): string {
  const bare = text.replace(/\(\s*\)|\[\s*\]/g, ' ')
  const isEven = bare.split('(').length === bare.split(')').length && bare.indexOf('(') <= bare.indexOf(')')
  return (isEven ? bare : bare.replace(/[()]/g, ' ')).replace(/\s+/g, ' ').replace(LOOSE_ENDS, '')
}

const namesPart = (text: string, { titles, language }: SplitRules['vocabulary']): boolean =>
  text
    .split(/[^\p{L}]+/u)
    .some(
      (word) =>
        word.length > 1 && !titles.words.noPart.has(word.toLowerCase()) && !language.places.positionsOf(word),
    )

const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
