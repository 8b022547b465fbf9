import { namesField } from '#contract/csv/field-headers.ts'
import { MAX_ROWS_ABOVE } from '#contract/yard-file/reading.ts'
import { isColumnName, isOfModel, kindOfName } from './cell-kinds.ts'
import { cutAt, lineCutter } from './cut-line.ts'
import { isRemarkLine } from './remark-lines.ts'
import { MAX_MODELS, type Ruler } from './ruler.ts'

/* Finds the columns of a text that no delimiter cuts: a printed report, or a table pasted from a PDF. */

export type FoundRuler = {
  ruler: Ruler
  /** The number of the line that names the columns. */
  headerRow: number
  /** How many of its column names are fields. */
  fields: number
}

const MAX_LINES = 600
const FEWEST_COLUMNS = 3
const FEWEST_FIELDS = 2

/**
 * Undefined if the text is not a table of lines.
 * @param headerRow the line that names the columns, if a person chose it: then its names may be any
 */
export function findRuler(text: string, headerRow?: number): FoundRuler | undefined {
  const lines = text.split(/\r\n|\r|\n/, MAX_LINES).map((line) => line.replaceAll('\f', '').trimEnd())
  const headers = headerRow === undefined ? headerLines(lines) : [{ at: headerRow - 1, isChosen: true }]
  for (const header of headers) {
    const found = ruledBelow(lines, header) ?? spacedColumns(lines, header) ?? pasted(lines, header)
    if (found) return found
  }
  return undefined
}

export const fieldsIn = (names: readonly string[]): number =>
  new Set(names.filter((name) => namesField(name) || isColumnName(name)).map((name) => name.toLowerCase()))
    .size

/** A line that names the columns, counted from 0. */
type HeaderLine = { readonly at: number; readonly isChosen: boolean }

const areNames = ({ isChosen }: HeaderLine, fields: number, names: number): boolean =>
  isChosen || (fields >= FEWEST_FIELDS && 2 * fields >= names)

/** The lines that may name the columns, best first. */
function headerLines(lines: readonly string[]): HeaderLine[] {
  const found = lines.slice(0, MAX_ROWS_ABOVE + 1).map((line, at) => {
    const names = namesIn(line)
    // Values are not names: a line with several numbers is a part.
    const values = line.split(/\s+/).filter((word) => /\d{2,}/.test(word)).length
    const fields = names.length > MAX_NAMES || values > 1 ? 0 : fieldsIn(names)
    return { at, fields, share: fields / Math.max(names.length, 1) }
  })
  return found
    .filter(({ fields, share }) => fields >= FEWEST_FIELDS && share >= 0.5)
    .sort((one, other) => other.fields - one.fields || one.at - other.at)
    .slice(0, 2)
    .map(({ at }) => ({ at, isChosen: false }))
}

const MAX_NAMES = 60
// Reports are printed on paper.
const WIDEST = 1_000

/**
 * The names in a line: by two spaces or more if there are any, else the longest ones that we know ("OEM #", "Stock No").
 */
function namesIn(line: string): string[] {
  const chunks = line.trim().split(/\s{2,}/)
  if (chunks.length >= FEWEST_COLUMNS && chunks.every((chunk) => isOneName(chunk))) return chunks
  return chunks.flatMap((chunk) => (isOneName(chunk) ? [chunk] : knownNamesIn(chunk.split(/\s+/))))
}

const isOneName = (chunk: string) =>
  !chunk.includes(' ') || namesField(chunk) || knownNamesIn(chunk.split(/\s+/)).length < 2

function knownNamesIn(words: readonly string[]): string[] {
  const names: string[] = []
  for (let at = 0; at < words.length; ) {
    const count =
      [3, 2].find((most) => at + most <= words.length && isNameOf(words.slice(at, at + most))) ?? 1
    names.push(words.slice(at, at + count).join(' '))
    at += count
  }
  return names
}

/** "OEM #", "Part No" and "Sale Price" are one name, "Make Model" and "OEM # Price" two. */
function isNameOf(words: readonly string[]): boolean {
  const [first = '', last = ''] = words
  if (words.length === 2 && NUMBER.test(last)) return true
  if (words.length === 2 && WHAT.test(last) && !namesField(first)) return true
  return namesField(words.join(' ')) && !(words.length === 2 && words.every((word) => namesField(word)))
}

const NUMBER = /^(?:#|no\.?|num(?:ber)?\.?|code|id|\(.*\))$/i
const WHAT = /^(?:type|name|price|date|desc(?:ription)?|cost|loc(?:ation)?)$/i

function rulerOf(names: readonly string[], more: Pick<Ruler, 'starts' | 'isRuled' | 'line'>): Ruler {
  const kinds = names.map((name) => kindOfName(name))
  const text = names.findIndex((name) => /desc/i.test(name))
  // Without a part column, the description names the part.
  if (!kinds.includes('part') && text !== -1) kinds[text] = 'part'
  return { names: [...names], kinds, ...more }
}

/** A line of dashes under the names marks the columns. */
function ruledBelow(lines: readonly string[], header: HeaderLine): FoundRuler | undefined {
  const line = lines[header.at + 1] ?? ''
  if (!/^\s*[-=_]+(?:\s+[-=_]+){2,}$/.test(line)) return undefined
  const starts = [...line.matchAll(/[-=_]+/g)].map(({ index }) => index)
  return checked(lines, header, { starts, isRuled: true })
}

/** Characters at which nearly all lines have a space are between columns. */
function spacedColumns(lines: readonly string[], header: HeaderLine): FoundRuler | undefined {
  const own = lines[header.at] ?? ''
  const rows = tableLines(lines, header.at)
  if (rows.length < 2) return undefined
  const width = Math.max(own.length, ...rows.map((line) => line.length))
  const taken = Array.from({ length: width }, (_, at) => rows.filter((line) => isTaken(line, at)).length)
  const most = Math.floor(rows.length / 50)
  const isFree = (at: number) => (taken[at] ?? 0) <= most
  const starts: number[] = []
  for (let at = 0; at < width; at++) if (!isFree(at) && (at === 0 || isFree(at - 1))) starts.push(at)
  const named = namedStarts(own, starts, isFree)
  // Cells of all lengths have a few characters in common at the beginning of the lines.
  if (named.length < LEAST_NAMED * namesIn(own).length) return undefined
  return checked(lines, header, { starts: named })
}

const LEAST_NAMED = 0.8

const isTaken = (line: string, at: number) => at < line.length && line[at] !== ' '

/** The parts among the lines below the names: no page heads, which repeat the lines above the names. */
function tableLines(lines: readonly string[], header: number): string[] {
  const shape = (line: string) => line.replaceAll(/\d+/g, '0').replaceAll(/\s+/g, ' ').trim()
  const heads = new Set(lines.slice(0, header + 1).map(shape))
  return lines
    .slice(header + 1)
    .filter((line) => /\d/.test(line) && !heads.has(shape(line)) && !isRemarkLine(line.trim()))
    .filter(
      (line) => line.trim().split(/\s{2,}/).length > 1 || line.trim().split(' ').length >= FEWEST_COLUMNS,
    )
}

/**
 * Columns for which the names are, since a column's values may all have a space in one place, and a name may be wider than
 * the values.
 */
function namedStarts(header: string, starts: readonly number[], isFree: (at: number) => boolean): number[] {
  const names = [...header.matchAll(/\S+(?: \S+)*/g)].flatMap(({ 0: text, index }) => wordsAt(text, index))
  const end = (at: number) => {
    let place = at
    while (place < 4_000 && !isFree(place)) place += 1
    return place
  }
  const columns = starts.map((from) => ({ from, to: end(from), names: 0 }))
  for (const name of names) {
    const over = columns.filter(({ from, to }) => name.from < to && from < name.to)
    const [best] = over.sort((a, b) => shared(b, name) - shared(a, name))
    if (best) best.names += 1
  }
  return columns.filter((column, at) => at === 0 || column.names > 0).map(({ from }) => from)
}

type Extent = { from: number; to: number }
const shared = (a: Extent, b: Extent) => Math.min(a.to, b.to) - Math.max(a.from, b.from)

function wordsAt(text: string, index: number): Extent[] {
  let from = index
  return namesIn(text).map((name) => {
    const at = text.indexOf(name, from - index) + index
    from = at + name.length
    return { from: at, to: at + name.length }
  })
}

/** The share of lines that must fit the columns. */
const LEAST_FITTING = 0.8

function checked(
  lines: readonly string[],
  line: HeaderLine,
  { starts, isRuled }: { starts: readonly number[]; isRuled?: boolean },
): FoundRuler | undefined {
  if (starts.length < FEWEST_COLUMNS || starts.length > MAX_NAMES || (starts.at(-1) ?? 0) > WIDEST)
    return undefined
  const { at: header } = line
  const names = headerNames(lines, header, starts)
  const fields = fieldsIn(names)
  if (!areNames(line, fields, names.filter((name) => name !== '').length)) return undefined
  const joined = joinedNames(headerNames(lines, header - 1, starts), names)
  const ruler = rulerOf(joined ?? names, {
    starts: [...starts],
    ...(joined && { line: (lines[header] ?? '').trim() }),
    ...(isRuled && { isRuled }),
  })
  return fits(lines, header, ruler) ? { ruler, headerRow: header + 1, fields } : undefined
}

/** The names above the columns. A name may begin before its column if the numbers below are aligned to the right. */
function headerNames(lines: readonly string[], header: number, starts: readonly number[]): string[] {
  const line = lines[header] ?? ''
  const names = starts.map(() => '')
  const found = [...line.matchAll(/\S+(?: \S+)*/g)].flatMap(({ 0: text, index }) => wordsAt(text, index))
  // If there are as many names as columns, they match in order, wherever they are.
  if (found.length === starts.length) return found.map(({ from, to }) => line.slice(from, to))
  for (const { from, to } of found) {
    const overlaps = starts.map((start, at) =>
      shared({ from, to }, { from: at === 0 ? 0 : start, to: starts[at + 1] ?? Number.POSITIVE_INFINITY }),
    )
    const at = overlaps.indexOf(Math.max(...overlaps))
    names[at] = `${names[at] ?? ''} ${line.slice(from, to)}`.trim()
  }
  return names
}

/** Names of two lines, such as STOCK over NUMBER; undefined if the upper line makes them no better. */
function joinedNames(upper: readonly string[], names: readonly string[]): string[] | undefined {
  if (upper.filter((name) => name !== '').length < 2 || upper.some((name) => /\d/.test(name)))
    return undefined
  const isClear = (name: string) => namesField(name) && names.filter((other) => other === name).length === 1
  const joined = names.map((name, at) => (isClear(name) ? name : `${upper[at] ?? ''} ${name}`.trim()))
  const known = (some: readonly string[]) => new Set(some.filter(namesField)).size
  return known(joined) > known(names) ? joined : undefined
}

function fits(lines: readonly string[], header: number, ruler: Ruler): boolean {
  const cut = lineCutter(ruler)
  const rows = tableLines(lines, header)
  const parts = rows.filter((line) => (cut(line)?.filter((cell) => cell !== '').length ?? 0) > 1)
  return parts.length > 0 && parts.length >= LEAST_FITTING * rows.length && !isTorn(parts, ruler)
}

/** Ragged lines have words across the columns' beginnings. */
function isTorn(lines: readonly string[], { starts, isRuled }: Ruler): boolean {
  if (!starts || isRuled) return false
  return lines.filter((line) => cutAt(line, starts, false).torn > 0).length * 10 > lines.length
}

function pasted(lines: readonly string[], line: HeaderLine): FoundRuler | undefined {
  const { at: header } = line
  const names = namesIn(lines[header] ?? '')
  const fields = fieldsIn(names)
  if (names.length < FEWEST_COLUMNS || !areNames(line, fields, names.length)) return undefined
  const ruler = rulerOf(names, {})
  // Without number columns, nothing shows where a cell ends.
  const telling = ruler.kinds.filter((kind) =>
    /^(?:stock|year|miles|price|number|grade|side|make)$/.test(kind),
  ).length
  if (telling < 3) return undefined
  if (!fits(lines, header, ruler)) return undefined
  const models = ownModels(tableLines(lines, header), ruler)
  return { ruler: models.length > 0 ? { ...ruler, models } : ruler, headerRow: header + 1, fields }
}

/**
 * Models found in the list itself: a car has several parts, so the words that stay the same after its make are its
 * model ("Range Rover"), and those that change are its parts.
 */
function ownModels(lines: readonly string[], ruler: Ruler): string[] {
  const [make, model, part] = (['make', 'model', 'part'] as const).map((kind) => ruler.kinds.indexOf(kind))
  if (make === undefined || model === undefined || part === undefined) return []
  if (make === -1 || part !== model + 1) return []
  const cut = lineCutter(ruler)
  const cars = new Map<string, Map<string, string[]>>()
  for (const line of lines) {
    const cells = cut(line) ?? []
    const words = `${cells[model] ?? ''} ${cells[part] ?? ''}`.trim().split(/\s+/)
    const key = `${cells[make] ?? ''} ${words[0] ?? ''}`.toLowerCase()
    const known = cars.get(key) ?? new Map<string, string[]>()
    cars.set(key, known.set(words.join(' '), words))
  }
  const models = [...cars.values()].flatMap((titles) => sameWords([...titles.values()]) ?? [])
  return [...new Set(models)].slice(0, MAX_MODELS)
}

/** The words at the beginning of all titles, if there are several of them. */
function sameWords(titles: readonly (readonly string[])[]): string | undefined {
  const [first = []] = titles
  if (titles.length < FEWEST_TITLES) return undefined
  let count = 1
  while (count < MAX_MODEL_WORDS && isSameIn(titles, count, first[count])) count += 1
  return count > 1 ? first.slice(0, count).join(' ').toLowerCase() : undefined
}

const FEWEST_TITLES = 2
const MAX_MODEL_WORDS = 4
const isSameIn = (titles: readonly (readonly string[])[], at: number, word = '') =>
  word !== '' && isOfModel(word) && titles.every((words) => words[at] === word && words.length > at + 1)
