import type { Written } from './fact-check.ts'
import { renamedHeading } from './renamed-heading.ts'

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

/** Whether the words of a phrase stand together in a text. */
export const hasPhrase = (text: string, phrase: string): boolean =>
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
  return addLines(facts, sellerWords, withoutOwnLines(sellerWords.trim(), facts))
}

function addLines(
  facts: PartFacts,
  sellerWords: string,
  { words, own, below }: DividedText,
): Written<string> {
  const lines = `${words}${below}`.split('\n').map((line) => line.trim())
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
  const above =
    missing.length === 0 ? words : `${words}${words && (isBelow ? '\n' : '\n\n')}${missing.join('\n')}`
  const text = `${above}${below}`.trim()
  return { ok: true, text: text === sellerWords.trim() ? sellerWords : text }
}

/** A description as what its seller, or a model, wrote and the lines in it that an earlier run wrote. */
type DividedText = {
  readonly words: string
  readonly own: readonly string[]
  /** What a seller wrote below the lines, with the breaks before it. */
  readonly below: string
}

/**
 * The lines of an earlier run begin with "Part: " and "Vehicle: " and have only our labels, or are what a run writes of these
 * facts: a tire has no vehicle, and a seller may have written on below.
 */
function withoutOwnLines(typed: string, facts?: PartFacts): DividedText {
  const typedLines = typed.split('\n')
  const lines = typedLines.map((line) => line.trimEnd())
  const from = lines.findLastIndex((line) => line.startsWith('Part: '))
  const isLabeled = (line: string) => LABELS.some((label) => line.startsWith(`${label}: `))
  const length = from === -1 ? 0 : lines.slice(from).findIndex((line) => !isLabeled(line))
  const own = lines.slice(from, length === -1 ? undefined : from + length)
  const below = length === -1 ? '' : typedLines.slice(from + length).join('\n')
  const isOwn = below === '' && own[1]?.startsWith('Vehicle: ')
  const isOfFacts = () => facts !== undefined && own.join('\n') === linesOf(facts).join('\n')
  return from !== -1 && (isOwn || isOfFacts())
    ? { words: typedLines.slice(0, from).join('\n').trim(), own, below: below && `\n${below}` }
    : { words: typed, own: [], below: '' }
}

const linesOf = (facts: PartFacts): string[] => detailsOf(facts).map(([label, value]) => `${label}: ${value}`)

/** What a description says besides the lines of a run: a model's prose is known by it (`script-prose.ts`). */
export const wordsOfDescription = (description: string): string => withoutOwnLines(description.trim()).words

/** What headings state besides the facts of a description. */
const gradeOf = ({ partgrade }: RecordFields) => oneLine(partgrade)
const priceOf = ({ partprice }: RecordFields) => Number(oneLine(partprice).replaceAll(/[$,]/g, ''))

type Texts = { readonly h1?: unknown; readonly partdescription?: unknown }

type Following = {
  /** The facts only got their proper spelling, which other headings get, too. */
  readonly isRename?: boolean
  /** What models wrote, of the words of the descriptions in question (`findScriptProse`). */
  readonly prose?: ReadonlySet<string> | undefined
}

/**
 * The heading and description of a part whose facts an edit changes but not these: what was written from the old facts is
 * written from the new ones, and another heading is '': the page then shows the title, which is true. What a model wrote gives
 * way to the lines of the new facts; a person's own words stay. Prices change daily and count only where a heading has one.
 */
export function textsFollowing(
  before: RecordFields,
  after: RecordFields,
  { isRename = false, prose }: Following = {},
): { h1?: string; partdescription?: string } {
  const hasDescription = hasSameDescription(before, after)
  if (!hasSameHeading(before, after) && !hasDescription) return {}
  const [was, is] = [readPartFacts(before), readPartFacts(after)]
  const isChanged = JSON.stringify(was) !== JSON.stringify(is)
  const h1 = headingAfter(before, after, { was, is, isChanged, isRename })
  if (!hasDescription || !isChanged) return h1 === undefined ? {} : { h1 }
  const description = String(before.partdescription)
  const followed =
    followingDescription(description, { was, is, prose: isRename ? undefined : prose }) ??
    (isRename ? withRenamedVehicle(description, was, is) : description)
  return { ...(h1 !== undefined && { h1 }), ...(followed !== description && { partdescription: followed }) }
}

const hasSameHeading = ({ h1 }: Texts, after: Texts): boolean =>
  typeof h1 === 'string' && h1.trim() !== '' && after.h1 === h1

type Facts = { was: PartFacts; is: PartFacts; isChanged: boolean; isRename: boolean }

/** Undefined if it stays. */
function headingAfter(
  before: RecordFields,
  after: RecordFields,
  { isChanged, ...facts }: Facts,
): string | undefined {
  if (!hasSameHeading(before, after)) return undefined
  const heading = String(before.h1)
  if (isChanged || gradeOf(before) !== gradeOf(after)) return followingHeading(heading, facts)
  return heading.includes('$') && priceOf(before) !== priceOf(after) ? '' : undefined
}

/** A line that has the vehicle as it was spelled, whoever wrote it. */
function withRenamedVehicle(description: string, before: PartFacts, after: PartFacts): string {
  const [old, now] = [vehicleOf(before), vehicleOf(after)]
  if (old === undefined || now === undefined || old === now) return description
  const lines = description.split('\n')
  return lines.map((line) => (line.trim() === `Vehicle: ${old}` ? `Vehicle: ${now}` : line)).join('\n')
}

function hasSameDescription({ partdescription }: Texts, after: Texts): boolean {
  return (
    typeof partdescription === 'string' &&
    partdescription.trim() !== '' &&
    after.partdescription === partdescription
  )
}

/** Whether facts change but not the description, so that it matters who wrote it (`findScriptProse`). */
export const keepsDescription = (before: RecordFields, after: RecordFields): boolean =>
  hasSameDescription(before, after) &&
  JSON.stringify(readPartFacts(before)) !== JSON.stringify(readPartFacts(after))

function followingDescription(
  description: string,
  { was, is, prose }: { was: PartFacts; is: PartFacts; prose: ReadonlySet<string> | undefined },
): string | undefined {
  const divided = withoutOwnLines(description.trim(), was)
  const words = prose?.has(divided.words) ? '' : divided.words
  if (divided.own.length === 0 && words === divided.words) return undefined
  // What the record said of the damage is no longer so; what a seller added is.
  const own = divided.own.filter((line) => line !== `Damage: ${was.damage}`)
  const written = addLines(is, description, { ...divided, words, own })
  // The seller's words say something else than the record: they stay alone.
  return written.ok ? written.text : `${words}${divided.below}`.trim()
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

const LABELS = ['Part', 'Vehicle', 'Part number', 'Miles', 'Damage'] as const

/** What the lines of a run say, by their labels. */
export function detailsOf(facts: PartFacts): (readonly [label: string, value: string])[] {
  const details = [
    ['Part', facts.name],
    ['Vehicle', vehicleOf(facts)],
    ['Part number', facts.partNumber],
    ['Miles', facts.miles],
    ['Damage', facts.damage],
  ] as const
  return details.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]))
}
