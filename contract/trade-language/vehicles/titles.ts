import { yearSpanText } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import { cutPrice } from '#contract/trade-language/prices.ts'
import type { KnownName } from '#contract/trade-language/verdicts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import { findYears, readPlateYear, readYears, yearsProblem } from '#contract/trade-language/years.ts'

/*
 * Splits a cell that has a vehicle ("07 CAMRY", "Toyota Camry") or a whole title ("2004-2008 Ford F-150 Front Door LH")
 * into year, make, model, trim and part. Nothing is invented: every word comes from the cell, except for the make of a
 * model that only one make has. What can be read in two ways is a problem in words, never a guess.
 */

type SplitField = 'partyear' | 'partmanu' | 'partmodel' | 'parttrim' | 'partname' | 'partprice'
/** `problem` is why fields are missing; without one, the cell does not name them. */
export type SplitCell = { fields: Partial<Record<SplitField, string>>; problem?: string }

export type SplitRules = {
  vocabulary: Vocabulary
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
  const trims = trimAfter(words, next, rules.vocabulary)
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
  { vocabulary, year }: SplitRules,
  kind: Kind,
): Found | { fields: SplitCell['fields']; problem: string } {
  const years = findYears(text, year)
  const ranges = new Set(years.map((found) => found.years && yearSpanText(found.years)))
  const unclear = years.find(({ problem }) => problem !== undefined)
  const [first] = years
  const fields = ranges.size === 1 && first?.years ? { partyear: yearSpanText(first.years) } : {}
  const vehicles = new VehicleText(text, { vocabulary, kind, years })
  const vehicle = vehicles.find()
  if ('problem' in vehicle) return { fields, problem: vehicle.problem }
  const { make, model, used, next } = vehicle
  const all = { ...fields, partmanu: make, partmodel: model }
  if (unclear)
    return { fields: all, problem: yearsProblem(text.slice(unclear.at, unclear.end).trim(), unclear) }
  if (ranges.size > 1) {
    const named = [...ranges].join(' and ')
    return {
      fields: all,
      problem: `${quoted(text)} names the years ${named}. Keep the ones that the part fits`,
    }
  }
  return { fields: all, used: [...used, ...years], words: vehicles.words, next }
}

/** A make in a text: its words are those from `from` up to `next`. */
type Make = Range & { of: KnownName; text: string; from: number; next: number }
type Vehicle = { make: string; model: string; used: Range[]; next: number }
/** `key` is equal for equal vehicles. */
type MadeVehicle = Vehicle & { of: KnownName; from: number; key: string }

const LONGEST_MAKE = 3
const LONGEST_MODEL = 4
const MOST_WORDS = 5
const SHORTEST_ALONE = 3
/** A4 and X5. I4 and V6 are engines. */
const SHORT_CODE = /^[abcdefgkmqstxz]\d$/
const TRUCK_SIZE = /^[1-5]500$/
// What is for something is a part: "2012 charger for phone" is no Dodge.
const FOR = /^\s+for\b/i

/** The words of a text, of which some are its vehicle. */
class VehicleText {
  readonly words: readonly Word[]
  readonly #text: string
  readonly #vocabulary: Vocabulary
  readonly #kind: Kind
  readonly #years: readonly Range[]

  constructor(
    text: string,
    { vocabulary, kind, years }: { vocabulary: Vocabulary; kind: Kind; years: readonly Range[] },
  ) {
    this.#text = text
    this.#vocabulary = vocabulary
    this.#kind = kind
    this.#years = years
    // Same length, so that positions stay.
    const blanked = years.reduce(
      (rest, { at, end }) => rest.slice(0, at) + ' '.repeat(end - at) + rest.slice(end),
      text,
    )
    this.words = wordsIn(text, blanked, vocabulary)
  }

  find(): Vehicle | { problem: string } {
    const makes = this.#makes()
    const vehicles = makes.flatMap((make) => this.#madeBy(make) ?? [])
    const [only] = vehicles
    if (only && new Set(vehicles.map(({ key }) => key)).size === 1) {
      // Another make right before or after the vehicle: "Chevy GMC Silverado".
      const isOther = makes.some(
        ({ of, from, next }) => of !== only.of && (next === only.from || from === only.next),
      )
      return isOther || this.#hasSecondModel(only) ? this.#severalModels() : only
    }
    if (vehicles.length > 1 || (new Set(makes.map(({ of }) => of)).size > 1 && !only)) {
      return { problem: `${quoted(this.#text)} names more than one vehicle. Write one row for each` }
    }
    const [make] = makes
    if (make === undefined) return this.#withoutMake()
    return this.#modelBefore(make) ?? this.#newModel(make)
  }

  #key(from: number, to: number): string {
    return this.words
      .slice(from, to)
      .map(({ key }) => key)
      .join('')
  }

  #range(from: number, to: number): Range & { text: string } {
    const { at = 0, end = 0 } = { at: this.words[from]?.at, end: this.words[to - 1]?.end }
    return { at, end, text: this.#text.slice(at, end) }
  }

  /** The index after the longest run of words from here that passes; undefined if none does. */
  #longest(from: number, most: number, passes: (key: string, count: number) => boolean): number | undefined {
    let to = from + 1
    while (to < from + most && this.words[to]?.joins) to++
    for (; to > from && to <= this.words.length; to--) if (passes(this.#key(from, to), to - from)) return to
    return undefined
  }

  #modelEnd({ of, next }: Pick<Make, 'of' | 'next'>): number | undefined {
    return this.#longest(next, MOST_WORDS, (key, count) => this.#vocabulary.models.isModel(of.id, key, count))
  }

  #has(role: string, key: string): boolean {
    return this.#vocabulary.language.roles.set(role).has(key)
  }

  /** All makes named in the text; one named twice in a row is one. */
  #makes(): Make[] {
    const { makes } = this.#vocabulary
    const found: Make[] = []
    for (let from = 0; from < this.words.length; from++) {
      const next = this.#longest(from, LONGEST_MAKE, (key) => makes.find(key) !== undefined)
      const of = next === undefined ? undefined : makes.find(this.#key(from, next))
      if (next === undefined || !of) continue
      const before = found.at(-1)
      const isBehind = before?.next === from
      // "Dodge Ram 1500": the model of the make before, not a make of its own.
      if (isBehind && before.of !== of && this.#modelEnd(before) !== undefined) continue
      const { at, end } = this.#range(from, next)
      const text = this.words
        .slice(from, next)
        .map((word) => word.text)
        .join(' ')
      if (isBehind && before.of === of) found[found.length - 1] = this.#withTruck({ ...before, end, next })
      else found.push(this.#withTruck({ of, at, end, text, from, next }))
      from = next - 1
    }
    return found
  }

  /** "FORD TRUCK F150": the word between make and model belongs to the make. */
  #withTruck(make: Make): Make {
    const word = this.words[make.next]
    const longer = { ...make, next: make.next + 1 }
    if (!word || !this.#has('vehicle word', word.key) || this.#modelEnd(longer) === undefined) return make
    return { ...longer, end: word.end, text: `${make.text} ${word.text}` }
  }

  #madeBy(make: Make): MadeVehicle | undefined {
    const next = this.#modelEnd(make)
    if (next === undefined) return undefined
    const { text: model, ...range } = this.#range(make.next, next)
    const used = [{ at: make.at, end: range.at }, range]
    const key = `${make.of.id} ${this.#key(make.next, next)}`
    return { make: make.text, model, used, next, key, of: make.of, from: make.from }
  }

  /** Another model that follows the first: "Camry Avalon", "Ram 1500 2500". */
  #hasSecondModel({ of, next, used }: Pick<MadeVehicle, 'of' | 'next' | 'used'>): boolean {
    const from = next + (this.words[next]?.key === 'and' ? 1 : 0)
    const word = this.words[from]
    const before = used.at(-1)
    if (!word || !before) return false
    const between = this.#text.slice(before.end, this.words[next]?.at ?? before.end)
    if (!/^[\s/&,+]*$/.test(between)) return false
    if (TRUCK_SIZE.test(word.key)) return true
    const end = this.#modelEnd({ of, next: from })
    const key = end === undefined ? '' : this.#key(from, end)
    return (
      key.length >= 3 &&
      /[a-z]/.test(key) &&
      !this.#has('title trim', key) &&
      !this.#has('model that is a part word', key)
    )
  }

  #severalModels(): { problem: string } {
    return { problem: `${quoted(this.#text)} names more than one model. Write one row for each vehicle` }
  }

  /** "CAMRY (TOYOTA)": the model before its make. */
  #modelBefore(make: Make): Vehicle | undefined {
    const isModel = (key: string, count: number) => this.#vocabulary.models.isModel(make.of.id, key, count)
    for (let from = Math.max(0, make.from - MOST_WORDS); from < make.from; from++) {
      const isWhole = this.#longest(from, make.from - from, isModel) === make.from
      if (!isWhole || this.#has('model that is a part word', this.#key(from, make.from))) continue
      const { text: model, ...range } = this.#range(from, make.from)
      return { make: make.text, model, used: [range, make], next: make.next }
    }
    return undefined
  }

  /** In a vehicle's column, what follows the make is the model, known or new. */
  #newModel(make: Make): Vehicle | { problem: string } {
    const count = this.words.length - make.next
    if (this.#kind === 'vehicle' && make.from === 0 && count > 0 && count <= LONGEST_MODEL) {
      const { text: model, ...range } = this.#range(make.next, this.words.length)
      return { make: make.text, model, used: [make, range], next: this.words.length }
    }
    return {
      problem:
        count === 0 && this.#kind === 'vehicle'
          ? `${quoted(this.#text)} doesn’t name a model`
          : `The model in ${quoted(this.#text)} is unclear. Write year, make and model, such as 2007 Toyota Camry`,
    }
  }

  /** The make of a model that only one make has. In a title, the model must follow its year. */
  #withoutMake(): Vehicle | { problem: string } {
    const { models } = this.#vocabulary
    for (let from = 0; from < this.words.length; from++) {
      if (!this.#mayBegin(from)) continue
      const next = this.#longest(
        from,
        MOST_WORDS,
        (key) => this.#isTelling(key) && models.makersOf(key).length > 0,
      )
      if (next === undefined) continue
      const { text: model, ...range } = this.#range(from, next)
      // "G & 3" is no G3.
      if (FOR.test(this.#text.slice(range.end)) || models.makersOf(nameKey(model)).length === 0) continue
      const [of, ...others] = models.makersOf(this.#key(from, next))
      if (!of || others.length > 0) {
        const owners = [of, ...others].map((make) => make?.name ?? '')
        return { problem: `“${model}” is a model of ${listed(owners)}. Write the make in front of it` }
      }
      const found = { make: of.name, model, used: [range], next }
      return this.#hasSecondModel({ ...found, of }) ? this.#severalModels() : found
    }
    return {
      problem: `${quoted(this.#text)} doesn’t name a make we know. Write year, make and model, such as 2007 Toyota Camry`,
    }
  }

  #mayBegin(place: number): boolean {
    const { at = 0 } = this.words[place] ?? {}
    const followsYear = this.#years.some(
      ({ end }) => end <= at && /^[\s,-]*$/.test(this.#text.slice(end, at)),
    )
    return followsYear || (place === 0 && this.#kind === 'vehicle')
  }

  /** Models that are also words of parts say nothing in a title, as in spark plug and leaf spring. */
  #isTelling(key: string): boolean {
    return (
      (key.length >= SHORTEST_ALONE || SHORT_CODE.test(key)) &&
      /[a-z]/.test(key) &&
      (this.#kind === 'vehicle' || !this.#has('model that is a part word', key))
    )
  }
}

/* Words. */

const WORD = /[^\s,;|()[\]{}"“”*!•·~&]+/g
const EDGES = /^[-–—.:/#'’]+|[-–—.:/'’]+$/g

const JOINS = /^[\s.&'’-]{0,3}$/

/** `blanked` is the text with spaces in place of its years. */
function wordsIn(text: string, blanked: string, vocabulary: Vocabulary): Word[] {
  const pieces = [...blanked.matchAll(WORD)].flatMap(({ 0: raw, index }) => {
    const start = /^[-–—.:/#'’]+/.exec(raw)?.[0].length ?? 0
    return piecesOf(raw.replace(EDGES, ''), index + start, vocabulary)
  })
  return pieces.map((piece, place) => ({
    ...piece,
    joins: JOINS.test(text.slice(pieces[place - 1]?.end ?? 0, piece.at)),
  }))
}

/** "TOYOTA/CAMRY" and "TOYOTA-CAMRY" are two words, "F-150" and "R/T" one, "Camry/Avalon" two names. */
function piecesOf(text: string, at: number, vocabulary: Vocabulary): Omit<Word, 'joins'>[] {
  const key = nameKey(text)
  if (key === '') return []
  const whole = [{ at, end: at + text.length, text, key }]
  const mark = text.search(/[-/]/)
  if (mark < 1) return whole
  const { makes, models, language } = vocabulary
  const isMake = (one: string) => makes.find(one) !== undefined
  const isModel = (one: string) => models.makersOf(one).length > 0
  if (isMake(key) || isModel(key)) return whole
  const halves = [text.slice(0, mark), text.slice(mark + 1)] as const
  const left = nameKey(halves[0])
  const isApart =
    isMake(left) ||
    language.roles.set('vehicle word').has(left) ||
    (text[mark] === '/' && halves.every((half) => isModel(nameKey(half))))
  if (!isApart) return whole
  return [...piecesOf(halves[0], at, vocabulary), ...piecesOf(halves[1], at + mark + 1, vocabulary)]
}

/** Trims that cannot be part of a part's name. */
function trimAfter(words: readonly Word[], from: number, { language }: Vocabulary): Word[] {
  const trims = language.roles.set('title trim')
  const rest = words.slice(from)
  const end = rest.findIndex(({ key }) => !trims.has(key))
  return end === -1 ? rest : rest.slice(0, end)
}

/* What is left over. */

const LOOSE_ENDS = /^[\s,;:|/\\*•·~!.–—-]+|[\s,;:|/\\*•·~!–—-]+$/g
// "a" only after another filler: an A may be a model or a grade.
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

/** Without unmatched or empty brackets. */
function balanced(text: string): string {
  const bare = text.replace(/\(\s*\)|\[\s*\]/g, ' ')
  const isEven = bare.split('(').length === bare.split(')').length && bare.indexOf('(') <= bare.indexOf(')')
  return (isEven ? bare : bare.replace(/[()]/g, ' ')).replace(/\s+/g, ' ').replace(LOOSE_ENDS, '')
}

const namesPart = (text: string, { language: { roles, places } }: Vocabulary): boolean =>
  text
    .split(/[^\p{L}]+/u)
    .some(
      (word) =>
        word.length > 1 && !roles.set('not a part').has(word.toLowerCase()) && !places.positionsOf(word),
    )

const quoted = (text: string) => `“${text.length > 80 ? `${text.slice(0, 79)}…` : text}”`

const listed = (names: readonly string[]): string =>
  names.length > 1 ? `${names.slice(0, -1).join(', ')} and ${names.at(-1)}` : (names[0] ?? '')
