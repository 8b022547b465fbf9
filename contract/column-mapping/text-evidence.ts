import { matchHeader, STAND_IN } from '#contract/csv/field-headers.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { ColumnProfile, ColumnShape } from './profile-columns.ts'

/** What a column's values show about one field. */
export type Evidence = {
  /** 0..1: the share of values that are possible for the field; below one half is evidence against it. */
  fit: number
  /** 0..1: the certainty from the values alone, whatever the header is. */
  strength: number
  /** What most of the values are, for people: "years". */
  words: string
  /** The share of values that are. */
  share: number
  /** Below 1 if another column may be the right one, whatever this one's header is. */
  weight?: number
}

/** All columns of a file, because columns often explain each other. */
export type Columns = readonly ColumnProfile[]

const found = new WeakMap<Columns, Map<string, Columns>>()

/**
 * The columns of a file that pass a test, computed once for all comparisons: a file may have a thousand columns.
 * `test` must depend only on its name.
 */
export function columnsPassing(
  columns: Columns,
  name: string,
  test: (column: ColumnProfile) => boolean,
): Columns {
  let ofFile = found.get(columns)
  if (!ofFile) {
    ofFile = new Map()
    found.set(columns, ofFile)
  }
  let passed = ofFile.get(name)
  if (!passed) {
    passed = columns.filter(test)
    ofFile.set(name, passed)
  }
  return passed
}

/** The columns whose values have a shape, in at least this share. */
export const best = (columns: Columns, shape: ColumnShape, least = 0.8): Columns =>
  columnsPassing(columns, `${shape} ${least}`, ({ count, share }) => count > 0 && share[shape] >= least)

/** The columns next to one, up to this far away. */
export const columnsNear = (columns: Columns, { at }: ColumnProfile, distance: number): Columns =>
  columns.slice(Math.max(0, at - distance), at + distance + 1).filter((other) => other.at !== at)

/** Whether the column is called as the field is, at least in some files. */
export const isNamedAs = (field: ImportField, { name }: ColumnProfile): boolean =>
  (matchHeader(field, name)?.score ?? 0) >= STAND_IN

/** Fewer values may be unknown by chance. */
const FEWEST_SEEN = 5
const UNSEEN = 0.9

/** A matching header is not certain if almost no value is known: parts by Bosch have a manufacturer, too. */
export const seen = ({ count }: ColumnProfile, share: number): number =>
  count >= FEWEST_SEEN && share < 0.1 ? UNSEEN : 1

export type Judge = (column: ColumnProfile, columns: Columns) => Evidence

/* Fields of words: what parts, cars, towns and yards are called. */

const isNumbers = ({ share }: ColumnProfile) => Math.max(share.amount, share.date) > 0.8
const isOther = ({ share }: ColumnProfile) =>
  share.url > 0.5 || share.phone > 0.5 || share.vin > 0.5 || share.json > 0.5

/** 1 where the values may be words of the field, little where they are numbers, addresses or the like. */
const wordFit = (column: ColumnProfile) => (isNumbers(column) || isOther(column) ? 0.1 : 1)

// A file names its parts in a few columns; a table with hundreds of name columns does not list parts.
const MOST_NAMES = 12

/** Above this share of the other column's distinct values, which one has fewer is chance. */
const CLEARLY_FEWER = 0.9

/**
 * Columns that name parts, the most general one first: fewer different names, or where they are as many, names that are
 * categories and no headlines.
 */
export function partColumns(columns: Columns): Columns {
  const named = columnsPassing(
    columns,
    'parts',
    ({ share, count }) => count > 0 && share.partWords >= 0.5 && (share.sentence < 0.7 || share.title >= 0.5),
  )
  return named
    .slice(0, MOST_NAMES)
    .toSorted((one, other) => byGenerality(one, other) || one.kinds - other.kinds || one.at - other.at)
}

function byGenerality(one: ColumnProfile, other: ColumnProfile): number {
  const fewer = Math.min(one.kinds, other.kinds) / Math.max(one.kinds, other.kinds)
  if (fewer < CLEARLY_FEWER) return one.kinds - other.kinds
  const generality = ({ share }: ColumnProfile) =>
    Math.round(2 * share.partGroup + share.partType - share.title - share.sentence)
  return generality(other) - generality(one)
}

/** With so few rows, which column has more distinct names is chance. */
const FEW = 30
const HALF = 0.6

/** Whether it is plain which of the first two is the kind and which the part. */
function isTold([kind, part]: Columns): boolean {
  if (kind === undefined || part === undefined || byGenerality(kind, part) >= 0) return false
  const isGroup = kind.share.partGroup - part.share.partGroup >= 0.5
  const isHeadline = part.share.title - kind.share.title >= 0.5
  return kind.count >= FEW || kind.kinds < HALF * part.kinds || isGroup || isHeadline
}

/** A column of “Engine” and “Doors & Glass” names no parts. */
const GROUPS = 0.7

const isKindOfPart = ({ share, name }: ColumnProfile) =>
  share.partGroup >= GROUPS || (matchHeader('partcategory', name)?.score ?? 0) >= 0.9

function name(column: ColumnProfile, columns: Columns): Evidence {
  const { partWords, partGroup, sentence, title } = column.share
  const isText = sentence >= 0.7 && title < 0.5
  const named = partColumns(columns).filter((other) => other === column || !isKindOfPart(other))
  // Of two columns that name parts, the one with more distinct names is the part, and the other is its category.
  const isKind = named.length > 1 && named[0] === column
  let strength = isText ? partWords * 0.4 : partWords * 0.93
  if (isKind || partGroup >= GROUPS) strength = Math.min(strength, 0.55)
  else if (named.length > 1 && (named.length > 2 || !isTold(named))) strength = Math.min(strength, 0.75)
  // An accounting program calls its numbers items.
  const isNumbered = column.share.code > 0.7 && partWords < 0.2
  return {
    fit: isNumbered ? 0.3 : wordFit(column),
    strength,
    words: 'names of parts',
    share: partWords,
    weight: seen(column, partWords),
  }
}

const FEWEST_KINDS = 5

function category(column: ColumnProfile, columns: Columns): Evidence {
  const { partType, partGroup, partWords, sentence } = column.share
  // A single word in all rows is the shop's record type, such as “simple”.
  const isOne = column.kinds === 1 && column.count >= FEWEST_KINDS && Math.max(partType, partWords) < 0.5
  const named = partColumns(columns)
  const isKind = named[0] === column && isTold(named)
  const exact = partType >= 0.5 ? partType * (isKind ? 0.93 : 0.55) : 0
  const grouped = isKind && partGroup >= 0.5 ? partGroup * 0.85 : 0
  const guessed = isKind && sentence < 0.2 ? partWords * (column.distinct < 0.5 ? 0.68 : 0.55) : 0
  return {
    fit: isOne ? 0.3 : wordFit(column),
    strength: Math.max(exact, grouped, guessed),
    words: partType >= 0.5 ? 'categories we know' : 'kinds of parts',
    share: Math.max(partType, guessed > 0 ? partWords : 0),
    weight: seen(column, Math.max(partType, partGroup, partWords)),
  }
}

const SENTENCES_ALONE = 0.92

/** A product line has a few words for all of the parts that another column names. */
const FEWER = 2
const isGroup = (other: ColumnProfile, { kinds }: ColumnProfile): boolean => FEWER * other.kinds <= kinds

function description(column: ColumnProfile, columns: Columns): Evidence {
  const { sentence, title } = column.share
  const strength = sentence >= 0.4 && wordFit(column) === 1 ? (0.5 + 0.45 * sentence) * (1 - 0.7 * title) : 0
  // Who writes notes for the yard as well as for buyers has two columns of sentences.
  const texts = columnsPassing(
    columns,
    'sentences',
    ({ kinds, share }) => kinds > 1 && share.sentence >= 0.4 && share.title < 0.5 && share.url < 0.5,
  )
  const hasRival = texts.some(({ at }) => at !== column.at)
  // Some systems call the part's name its description; then no other column names the parts.
  const isName =
    column.share.partWords >= 0.8 &&
    sentence < 0.3 &&
    partColumns(columns).every((other) => other === column || isKindOfPart(other) || isGroup(other, column))
  return {
    fit: isName ? 0.4 : wordFit(column),
    strength: column.kinds > 1 ? Math.min(strength, hasRival ? 0.75 : 1) : strength * 0.4,
    // Without a header they may be internal notes.
    weight: column.says === 'field' ? 1 : SENTENCES_ALONE,
    words: 'sentences',
    share: sentence,
  }
}

function make(column: ColumnProfile): Evidence {
  const share = column.share.make
  // A web shop’s vendor is a make in some files, and in others the yard itself.
  const isYard = column.share.business > 0.5
  const fit = isNumbers(column) || isOther(column) || isYard ? 0 : 1
  return {
    fit,
    strength: share >= 0.4 ? share * 0.98 : 0,
    words: 'makes of cars',
    share,
    weight: seen(column, share),
  }
}

function model(column: ColumnProfile, columns: Columns): Evidence {
  const { model: share, make: makes, year, money, sentence } = column.share
  const against = year > 0.9 || money > 0.5 || isOther(column) || column.share.date > 0.5
  const besideMake = columnsNear(columns, column, 2).some((other) => other.share.make >= 0.6)
  let strength = share >= 0.5 ? share * 0.96 : 0
  if (strength === 0 && share >= 0.08 && besideMake && column.distinct < 0.9) strength = 0.55 + share * 0.4
  if (makes > 0.6 || sentence > 0.3 || isNumbers(column)) strength = 0
  // Tacoma and Malibu are towns too, and a yard is in one town.
  if (column.kinds === 1 || column.share.city > 0.5) strength *= 0.6
  return { fit: against ? 0.1 : 1, strength, words: 'models of cars', share, weight: seen(column, share) }
}

function city(column: ColumnProfile, columns: Columns): Evidence {
  const {
    city: known,
    place,
    business,
    partWords,
    make: makes,
    model: models,
    trim,
    grade,
    sentence,
  } = column.share
  const beside = columnsNear(columns, column, 2).some(
    (other) => other.share.state >= 0.9 || other.share.zip >= 0.9,
  )
  const taken = Math.max(business, partWords, makes, models, trim, grade, sentence, column.share.state) > 0.3
  let strength = known >= 0.3 ? 0.8 + 0.15 * known : 0
  if (known < 0.3 && beside && place >= 0.9 && column.distinct < 0.3) strength = 0.74
  const isNamed = isNamedAs('partcity', column)
  if (column.kinds === 1 && !beside && !isNamed) strength = Math.min(strength, 0.6)
  // Shelves and rows are called locations too.
  const isShelf = column.share.code > 0.5
  return {
    fit: isNumbers(column) || isOther(column) || isShelf ? 0.1 : 1,
    strength: taken && known < 0.9 ? 0 : strength,
    words: known >= 0.3 ? 'names of cities' : 'names of places',
    share: Math.max(known, place),
  }
}

/**
 * Only if the header says so: “Parts Income” and “inc VAT” look like businesses, too.
 */
function dealer(column: ColumnProfile): Evidence {
  const { business, make: makes, partType } = column.share
  const isNamed = business > 0 && isNamedAs('dealername', column)
  return {
    fit: makes > 0.5 || partType > 0.5 || column.share.code > 0.7 ? 0.1 : wordFit(column),
    strength: isNamed && makes < 0.5 && partType < 0.5 ? business * 0.94 : 0,
    words: 'names of businesses',
    share: business,
    // Several names without a word of business may be people's.
    weight: column.kinds > 1 ? seen(column, business) : 1,
  }
}

function trim(column: ColumnProfile): Evidence {
  const { trim: share, grade, make: makes, model: models, quantity } = column.share
  const taken = Math.max(grade, makes, quantity) > 0.5 || (models > share && models > 0.5)
  return {
    fit: column.share.sentence > 0.6 || column.share.money > 0.5 || isOther(column) ? 0.1 : 1,
    strength: share >= 0.4 && column.kinds > 1 && !taken ? share * 0.9 : 0,
    words: 'trim levels',
    share,
    weight: seen(column, share),
  }
}

export const nameEvidence: Partial<Record<ImportField, Judge>> = {
  partname: name,
  partcategory: category,
  partdescription: description,
  partmanu: make,
  partmodel: model,
  partcity: city,
  dealername: dealer,
  parttrim: trim,
}
