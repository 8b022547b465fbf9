import { readFitment } from '#contract/listing/fitment.ts'
import { numberKey } from '#contract/listing/interchange.ts'
import { readYearSpan } from '#contract/listing/year-span.ts'
import { isPartNumber } from '#contract/trade-language/query/split-words.ts'
import { splitTitle } from '#contract/trade-language/vehicles/titles.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import {
  detailsOf,
  hasPhrase,
  type PartFacts,
  type RecordFields,
  readPartFacts,
} from '#server/features/market/writing/part-text.ts'
import { matchVehicle } from '#server/features/stock-files/match/match-vehicle.ts'

/*
 * What a record's own texts say against its facts: another year, vehicle or part number in its heading or description. A text
 * that also names the part's own vehicle or number, or says what the part fits or interchanges with, contradicts nothing.
 */

/** The contradictions of a record, each as a sentence. */
export type FindContradictions = (fields: RecordFields) => string[]

type Reading = {
  readonly vocabulary: Vocabulary
  readonly year: number
  readonly makes: RegExp
  readonly idsOf: (make: string, model: string) => Ids | undefined
}

const texts = [
  { field: 'h1', name: 'heading' },
  { field: 'partdescription', name: 'description' },
] as const

export function openContradictions(vocabulary: Vocabulary, year: number): FindContradictions {
  const names = [...vocabulary.makeNames.values()].map((name) => name.replaceAll(/[^\p{L}\p{N} -]/gu, '.'))
  const makes = new RegExp(`\\b(?:${names.join('|')})\\b`, 'i')
  const reading = { vocabulary, year, makes, idsOf: rememberedIds(vocabulary) }
  return (fields) => {
    const facts = readPartFacts(fields)
    return texts.flatMap(({ field, name }) => {
      const text = fields[field]
      // Most rows have neither, and a file can have a million.
      if (typeof text !== 'string' || text.trim() === '') return []
      const lines = text.split('\n').map((line) => line.trim())
      return [
        ...(field === 'h1' ? otherYear(text, facts) : otherLines(lines, facts)),
        ...otherVehicle({ text, name, fields, facts }, reading),
        ...otherNumber({ text, name, fields, facts }),
      ]
    })
  }
}

function otherYear(heading: string, { years: typed = '' }: PartFacts): string[] {
  const years = yearsIn(typed)
  const [first, last] = [years[0], years.at(-1)]
  const other = yearsIn(heading).find(
    (year) => first !== undefined && last !== undefined && (year < first || year > last),
  )
  return other === undefined ? [] : [`The heading says ${other}, but the year is ${typed}.`]
}

const yearsIn = (text: string): number[] =>
  [...text.matchAll(/\b(?:19|20)\d\d\b/g)].map(([year]) => Number(year))

/** Lines with our labels. */
function otherLines(lines: readonly string[], facts: PartFacts): string[] {
  return detailsOf(facts).flatMap(([label, value]) => {
    const stated = lines
      .findLast((line) => line.startsWith(`${label}: `))
      ?.slice(label.length + 2)
      .trim()
    return stated === undefined || stated === value
      ? []
      : [`The description says “${label}: ${stated}”, but the record has “${value}”.`]
  })
}

const LABELED = /^(?:Part|Vehicle|Part number|Miles|Damage): /

// What a part fits or replaces is another vehicle's or number's. A Fit is a Honda.
const FITS =
  /\b(?:fits|fitting|(?:to|will|also|not) fit|fitment|compatible|interchang\w*|cross(?:es)?|also|same|replac\w*|supersed\w*|swap\w*|works?|use[ds]?|share[ds]?|similar|or|not|unlike|vs)\b/i

type Said = { text: string; name: 'heading' | 'description'; fields: RecordFields; facts: PartFacts }

const sentencesOf = (text: string): string[] =>
  text.split(/\n|(?<=[.!?;])\s+/).filter((line) => line.trim() !== '' && !LABELED.test(line))

function otherVehicle(
  { text, name, fields, facts }: Said,
  { vocabulary, year, makes, idsOf }: Reading,
): string[] {
  const { make, model } = facts
  if (make === undefined || model === undefined) return []
  const told = tellingSentences({ text, name, model }, makes)
  if (told.length === 0 || FITS.test(text)) return []
  const own = idsOf(make, model)
  if (own === undefined) return []
  const named = told.flatMap((sentence) => {
    const { partmanu, partmodel, partyear } = splitTitle(sentence, { vocabulary, year }).fields
    const ids = partmanu && partmodel ? idsOf(partmanu, partmodel) : undefined
    return ids === undefined ? [] : [{ ...ids, vehicle: `${partmanu} ${partmodel}`, partyear }]
  })
  const itself = named.filter((one) => one.make === own.make && one.model === own.model)
  if (itself.length > 0) {
    const other =
      name === 'heading' ? undefined : itself.find((one) => isOtherYear(one.partyear, facts.years))
    return other === undefined
      ? []
      : [`The ${name} says ${other.partyear} ${other.vehicle}, but the year is ${facts.years}.`]
  }
  const [other] = named.filter((one) => !isRelated(one, own) && !isListed(one.vehicle, fields))
  return other === undefined
    ? []
    : [`The ${name} says ${other.vehicle}, but the vehicle is ${make} ${model}.`]
}

/** Reading a sentence takes a tenth of a millisecond: only those that may name another vehicle, or the own one with a year. */
function tellingSentences(
  { text, name, model }: Pick<Said, 'text' | 'name'> & { model: string },
  makes: RegExp,
): string[] {
  const sentences = sentencesOf(text)
  const own = sentences.filter((sentence) => hasPhrase(sentence, model))
  if (own.length === 0) return sentences.filter((sentence) => makes.test(sentence))
  return name === 'heading' ? [] : own.filter((sentence) => yearsIn(sentence).length > 0)
}

type Ids = { make: string; model: string; modelName: string }

// A file has a few hundred vehicles.
const MOST_REMEMBERED = 10_000

function rememberedIds(vocabulary: Vocabulary): Reading['idsOf'] {
  const remembered = new Map<string, Ids | undefined>()
  return (manu, model) => {
    const key = `${manu}\n${model}`
    if (remembered.has(key)) return remembered.get(key)
    const verdict = matchVehicle(vocabulary, manu, model)
    const ids =
      verdict.manufacturer?.kind === 'known' && verdict.model?.kind === 'known'
        ? { make: verdict.manufacturer.id, model: verdict.model.id, modelName: verdict.model.name }
        : undefined
    if (remembered.size < MOST_REMEMBERED) remembered.set(key, ids)
    return ids
  }
}

/** Of one family, such as F-150 and F-150 Lightning, or sold under two names, such as Dodge's and Ram's 1500. */
function isRelated(one: Ids, other: Ids): boolean {
  const [a, b] = [one, other].map(({ modelName }) => numberKey(modelName))
  return a !== undefined && b !== undefined && (a.includes(b) || b.includes(a))
}

function isOtherYear(said: string | undefined, typed: string | undefined): boolean {
  const [one, own] = [said, typed].map((text) => (text ? readYearSpan(text) : undefined))
  return one !== undefined && own !== undefined && (one.to < own.from || one.from > own.to)
}

function isListed(vehicle: string, { fitment }: RecordFields): boolean {
  const listed = readFitment(typeof fitment === 'string' ? fitment : '')
  const key = numberKey(vehicle)
  return 'rows' in listed && listed.rows.some((row) => numberKey(row.vehicle).includes(key))
}

const NUMBERED =
  /\b(?:part\s*(?:number|num|no\b\.?|#)|p\/n|oem(?:\s*(?:number|no\b\.?|#))?)\s*(?:is\b|:|#)?\s*([\p{L}\p{N}][\p{L}\p{N}./-]{3,}(?:\s(?=\S*\d)[\p{L}\p{N}-]+)*)/giu

/** Of a number in a heading, without "part number" before it: shorter ones are engines, sizes and models. */
const SHORTEST_ALONE = 8

function otherNumber({ text, name, fields, facts: { partNumber } }: Said): string[] {
  if (partNumber === undefined) return []
  const labeled = [...withoutLines(text).matchAll(NUMBERED)].map(([, number = '']) => number)
  const alone = name === 'heading' ? text.split(/[\s,;()]+/).filter(isNumberAlone) : []
  const numbers = [...labeled, ...alone]
    .map((number) => number.replace(/[.\s-]+$/, ''))
    .filter((number) => isPartNumber(number))
  if (numbers.length === 0 || FITS.test(text)) return []
  if (numberKey(withoutLines(text)).includes(numberKey(partNumber))) return []
  const others = Object.entries(fields).filter(([field]) => !texts.some((one) => one.field === field))
  // Also those that interchange, and stock numbers.
  const elsewhere = numberKey(others.map(([, value]) => String(value ?? '')).join(' '))
  const other = numbers.find((number) => !elsewhere.includes(numberKey(number)))
  return other === undefined
    ? []
    : [`The ${name} says the number ${other}, but the part number is ${partNumber}.`]
}

const withoutLines = (text: string) => sentencesOf(text).join(' ')

const isNumberAlone = (word: string): boolean =>
  numberKey(word).length >= SHORTEST_ALONE &&
  /\d{3}/.test(word) &&
  /[\p{L}-]/u.test(word) &&
  !/^(?:19|20)\d\d-(?:19|20)?\d\d$/.test(word)
