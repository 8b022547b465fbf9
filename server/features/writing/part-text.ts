import { renamedHeading } from '#server/features/listings/titles.ts'
import type { Written } from './fact-check.ts'

/**
 * The facts that generated text may state about a part. Price, shipping, location, grade and contacts have their own
 * fields on the page and never appear in prose.
 */
export type PartFacts = {
  readonly name: string
  /** "2014" or "2012-2015", as typed. */
  readonly years?: string
  readonly make?: string
  readonly model?: string
  readonly trim?: string
  readonly partNumber?: string
  /** "84,213" */
  readonly miles?: string
  /** In the seller's words; "None" is a statement, too. */
  readonly damage?: string
}

/** Fields under their API names, as in staged files and listings; other names are ignored. */
export type RecordFields = Readonly<Record<string, unknown>>

export function readPartFacts(fields: RecordFields): PartFacts {
  const facts = {
    years: statedIn(fields.partyear),
    make: statedIn(fields.partmanuname) ?? statedIn(fields.partmanu),
    model: statedIn(fields.partmodel),
    trim: statedIn(fields.parttrim),
    partNumber: statedIn(fields.partnum),
    miles: readMiles(fields.partmiles),
    damage: oneLine(fields.partdamage) || undefined,
  }
  const known = Object.entries(facts).filter(([, value]) => value !== undefined)
  return { name: oneLine(fields.partname), ...Object.fromEntries(known) }
}

function oneLine(value: unknown): string {
  if (typeof value === 'number') return String(value)
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : ''
}

const PLACEHOLDER = /^(?:n\/?a|none|null|unknown|\P{L}*)$/iu

/** Returns undefined for values without meaning, such as "N/A" and "-". */
function statedIn(value: unknown): string | undefined {
  const line = oneLine(value)
  return PLACEHOLDER.test(line) && !/\d/.test(line) ? undefined : line
}

function readMiles(value: unknown): string | undefined {
  const line = statedIn(value)
  if (line === undefined || !/[1-9]/.test(line)) return undefined
  return /^\d{1,9}$/.test(line) ? Number(line).toLocaleString('en-US') : line
}

/** Maximum length of a listing's h1. */
const LONGEST_HEADING = 120

/**
 * The h1 of a part: years, make, model and trim, then the part's name as typed. Never changes or cuts the name, which
 * contains sides, cylinders, amps, ratios, trim codes and colors.
 */
export function headingOf(facts: PartFacts): Written<string> {
  for (const text of [vehicleAndName(facts), facts.name]) {
    if (text.length <= LONGEST_HEADING) return { ok: true, text }
  }
  const fitting = facts.name.slice(0, LONGEST_HEADING + 1).replace(/\S*$/, '')
  const claim = facts.name.slice(fitting.length).split(' ')[0] ?? ''
  return { ok: false, problems: [{ claim, why: 'does not fit in a heading of 120 characters' }] }
}

/** Does not repeat what the name already contains ("2015 Ford Focus alternator"). */
export function vehicleAndName({ name, years, make, model, trim }: PartFacts): string {
  const saysYears = years !== undefined && /\d{4}/.test(years) && hasPhrase(name, years)
  const saysTrim = trim === undefined || hasPhrase(model ?? '', trim) || says(name, model, trim)
  const saysCar = saysTrim && (model === undefined || says(name, make, model))
  const saysMake = saysCar && make !== undefined && hasPhrase(name, make)
  const words = saysCar ? [saysMake ? undefined : make] : [make, model, saysTrim ? undefined : trim]
  return [saysYears ? undefined : years, ...words, name].filter((word) => word !== undefined).join(' ')
}

/** The numbers in "300 amp" and "3 bolt" are not models; those in "Chrysler 300" and "Mazda 3" are. */
const says = (name: string, before: string | undefined, word: string) =>
  (before !== undefined && hasPhrase(name, `${before} ${word}`)) ||
  (/^.{3}/.test(word) && /\p{L}/u.test(word) && hasPhrase(name, word))

function vehicleOf({ years, make, model, trim }: PartFacts): string | undefined {
  const own = trim !== undefined && hasPhrase(model ?? '', trim) ? undefined : trim
  return [years, make, model, own].filter((word) => word !== undefined).join(' ') || undefined
}

const hasPhrase = (text: string, phrase: string) =>
  ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(phrase).join(' ')} `)

/** Lower-case words without the punctuation around them: "Headlamp, LH" has "headlamp" and "lh". */
const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, ''))
    .filter((word) => word !== '')

/** The words of `text` that are missing from `other`, as typed. */
export function missingWords(text: string, other: string): string[] {
  const kept = new Set(wordsOf(other))
  return text.split(/\s+/).filter((typed) => wordsOf(typed).some((word) => !kept.has(word)))
}

/** The first missing word. */
export const missingWord = (text: string, other: string): string | undefined => missingWords(text, other)[0]

/**
 * Keeps the seller's own text and adds a line for each field of the record. A second run adds nothing. Lines of an earlier
 * run follow the record. If any other line with one of our labels contradicts the record, the row is rejected, so that a
 * person can decide.
 */
export function describePart(facts: PartFacts, sellerWords = ''): Written<string> {
  const typed = sellerWords.trim()
  const { words, own } = withoutOwnLines(typed)
  const lines = words.split('\n').map((line) => line.trim())
  const missing: string[] = []
  let isBelow = words === ''
  for (const [label, value] of detailsOf(facts)) {
    const stated = lines.find((line) => line.startsWith(`${label}: `))?.slice(label.length + 2)
    if (stated === undefined) missing.push(`${label}: ${value}`)
    else if (stated.trim() === value) isBelow = true
    else {
      const claim = missingWord(stated, value) ?? stated
      return {
        ok: false,
        problems: [
          { claim, why: `is in the description, but the record’s ${label.toLowerCase()} is “${value}”` },
        ],
      }
    }
  }
  // Most records have no field for it, and the seller may have added the line.
  if (facts.damage === undefined) missing.push(...own.filter((line) => line.startsWith('Damage: ')))
  const text =
    missing.length === 0 ? words : `${words}${words && (isBelow ? '\n' : '\n\n')}${missing.join('\n')}`
  return { ok: true, text: text === typed ? sellerWords : text }
}

/** Separates the lines that an earlier run wrote: they begin with "Part: " and "Vehicle: " and have only our labels. */
function withoutOwnLines(typed: string): { words: string; own: readonly string[] } {
  const lines = typed.split('\n')
  const from = lines.findLastIndex((line) => line.startsWith('Part: '))
  const own = from === -1 ? [] : lines.slice(from)
  const isOwn =
    own[1]?.startsWith('Vehicle: ') &&
    own.every((line) => LABELS.some((label) => line.startsWith(`${label}: `)))
  return isOwn ? { words: lines.slice(0, from).join('\n').trim(), own } : { words: typed, own: [] }
}

/** Facts in headings that descriptions do not have. */
const gradeOf = ({ partgrade }: RecordFields) => oneLine(partgrade)

type Texts = { readonly h1?: unknown; readonly partdescription?: unknown }

/**
 * The heading and description of a record whose facts an edit changes but not these: what was written from the old facts is
 * written from the new ones, and another heading is '': the page then shows the title, which is true. A seller's own
 * description stays. `isRename`: the facts only got their proper spelling, which other headings get, too.
 */
export function textsFollowing(
  before: RecordFields,
  after: RecordFields,
  { isRename = false } = {},
): { h1?: string; partdescription?: string } {
  const [was, is] = [readPartFacts(before), readPartFacts(after)]
  if (JSON.stringify(was) === JSON.stringify(is) && gradeOf(before) === gradeOf(after)) return {}
  const { h1: heading, partdescription: description }: Texts = before
  const texts: { h1?: string; partdescription?: string } = {}
  if (typeof heading === 'string' && heading.trim() !== '' && after.h1 === heading)
    texts.h1 = followingHeading(heading, { was, is, isRename })
  if (typeof description === 'string' && after.partdescription === description) {
    const { own } = withoutOwnLines(description.trim())
    const written = own.length > 0 ? describePart(is, description) : undefined
    if (written?.ok) texts.partdescription = written.text
  }
  return texts
}

function followingHeading(
  heading: string,
  { was, is, isRename }: { was: PartFacts; is: PartFacts; isRename: boolean },
): string {
  const old = headingOf(was)
  if (old.ok && old.text === heading.trim()) {
    const now = headingOf(is)
    return now.ok ? now.text : ''
  }
  if (!isRename) return ''
  const names = { manufacturer_name: was.make ?? '', model_name: was.model ?? '' }
  const renamed = renamedHeading(
    { heading, ...names },
    { manufacturer_name: is.make ?? '', model_name: is.model ?? '' },
  )
  return renamed.heading === undefined ? heading : (renamed.heading ?? '')
}

/** Statements of a record's own texts that its facts contradict, each as a sentence. */
export function contradictionsIn(fields: RecordFields): string[] {
  const { h1, partdescription }: Texts = fields
  // Most rows have neither, and a file can have a million.
  if (!h1 && !(typeof partdescription === 'string' && partdescription.includes(': '))) return []
  const facts = readPartFacts(fields)
  const found: string[] = []
  const years = yearsIn(facts.years ?? '')
  const said = typeof h1 === 'string' ? yearsIn(h1) : []
  const [first, last] = [years[0], years.at(-1)]
  const other = said.find(
    (year) => first !== undefined && last !== undefined && (year < first || year > last),
  )
  if (other !== undefined) found.push(`The heading says ${other}, but the year is ${facts.years}.`)
  const lines = typeof partdescription === 'string' ? partdescription.split('\n') : []
  for (const [label, value] of detailsOf(facts)) {
    const stated = lines
      .findLast((line) => line.startsWith(`${label}: `))
      ?.slice(label.length + 2)
      .trim()
    if (stated !== undefined && stated !== value)
      found.push(`The description says “${label}: ${stated}”, but the record has “${value}”.`)
  }
  return found
}

const yearsIn = (text: string): number[] =>
  [...text.matchAll(/\b(?:19|20)\d\d\b/g)].map(([year]) => Number(year))

/** Updates a description after its vehicle was renamed: changes the line that an earlier run wrote. */
export function withRenamedVehicle(description: string, before: PartFacts, after: PartFacts): string {
  const [old, now] = [vehicleOf(before), vehicleOf(after)]
  if (old === undefined || now === undefined || old === now) return description
  const lines = description.split('\n')
  return lines.map((line) => (line.trim() === `Vehicle: ${old}` ? `Vehicle: ${now}` : line)).join('\n')
}

const LABELS = ['Part', 'Vehicle', 'Part number', 'Miles', 'Damage'] as const

function detailsOf(facts: PartFacts): (readonly [label: string, value: string])[] {
  const details = [
    ['Part', facts.name],
    ['Vehicle', vehicleOf(facts)],
    ['Part number', facts.partNumber],
    ['Miles', facts.miles],
    ['Damage', facts.damage],
  ] as const
  return details.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
