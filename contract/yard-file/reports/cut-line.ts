import { emptyFit, fitOf, mostWords } from './cell-kinds.ts'
import { readDonor } from './donor-line.ts'
import { isRemarkLine } from './remark-lines.ts'
import type { CellKind, Ruler } from './ruler.ts'

/** A line as cells; undefined for one without a part, such as a page's head. */
export type LineCutter = (line: string) => string[] | undefined

/** Cuts the lines of a report or of a pasted table. */
export function lineCutter(ruler: Ruler): LineCutter {
  const { starts, names, line: named = names.join(' ') } = ruler
  const header = named.replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const cut = starts ? fixedCutter(ruler, starts) : pastedCutter(ruler)
  return (line) => {
    const text = line.replaceAll('\f', '').trimEnd()
    const words = text.trim().replaceAll(/\s+/g, ' ')
    if (words === '') return []
    if (words.toLowerCase() === header) return [...names]
    if (isRemarkLine(words)) return undefined
    const cells = cut(text)
    if (cells) return cells
    if (readDonor(text)) return [text.trim(), ...names.slice(1).map(() => '')]
    // A part that does not fit is not skipped: as a single cell it becomes an error that shows the line.
    return mayBePart(words.split(' '), ruler.kinds) ? [words] : undefined
  }
}

const AMOUNT = /^\$?\d[\d,]*\.\d\d$|^\$\d/

/** Whether a line has a number or code at its beginning, and an amount, as parts do and titles of pages don't. */
function mayBePart(words: readonly string[], kinds: readonly CellKind[]): boolean {
  const [first = ''] = words
  const begins = kinds[0] === 'stock' || kinds[0] === 'number' ? /\d/.test(first) : true
  return begins && 2 * words.length >= kinds.length && words.some((word) => AMOUNT.test(word))
}

/* Reports: columns at fixed characters. */

// A part has at least its number and name, or a name and a price.
const LEAST_FILLED = 2
const LEAST_SHARE = 0.3

function fixedCutter({ kinds, isRuled = false }: Ruler, starts: readonly number[]): LineCutter {
  return (text) => {
    const { cells, torn } = cutAt(text, starts, isRuled)
    const filled = cells.filter((cell) => cell !== '').length
    if (filled < Math.max(LEAST_FILLED, LEAST_SHARE * starts.length)) return undefined
    if (!isRuled && torn > 1) return undefined
    return isPart(cells, kinds) ? cells : undefined
  }
}

/** `torn`: how many words lie across the beginning of a column. */
export function cutAt(text: string, starts: readonly number[], isRuled: boolean) {
  const places = starts.map((start, at) => (at === 0 ? 0 : start))
  let torn = 0
  const cuts = places.map((start, at) => {
    if (at === 0 || isRuled || start >= text.length) return start
    if (text[start] === ' ' || text[start - 1] === ' ') return start
    torn += 1
    // A number that is wider than the others of its column grew to the left.
    const word = text.lastIndexOf(' ', start) + 1
    return word > (places[at - 1] ?? 0) ? word : start
  })
  return { cells: cuts.map((from, at) => text.slice(from, cuts[at + 1]).trim()), torn }
}

const TELLING: ReadonlySet<CellKind> = new Set(['year', 'price', 'miles', 'vin', 'stock'])

/** Whether the columns that have numbers have them: a page's title may be as wide as the table. */
function isPart(cells: readonly string[], kinds: readonly CellKind[]): boolean {
  let fitting = 0
  let other = 0
  let telling = 0
  for (const [at, kind] of kinds.entries()) {
    if (!TELLING.has(kind)) continue
    telling += 1
    const cell = cells[at] ?? ''
    if (cell === '') continue
    if (fitOf(kind, cell.split(/\s+/)) > 0) fitting += 1
    else other += 1
  }
  return telling === 0 || (fitting > 0 && fitting >= other)
}

/* Pasted tables: words in order, whose columns are found by what they have. */

const MAX_WORDS = 60
const NUMBER = /^\$\d|^\d{5,}$|^\d{1,3},\d{3}(?:\.\d\d)?$/
const NAMES: ReadonlySet<CellKind> = new Set(['make', 'model', 'part', 'side', 'grade'])
const ACROSS_GAP = -5
// A cell may have one wide gap in it, as after a comma.
const MOST_ACROSS = -5
/** A line of parts fits its columns better than this, on average. */
const LEAST_FIT = 0.4

function pastedCutter({ kinds, models = [] }: Ruler): LineCutter {
  const known = new Set(models)
  return (text) => {
    const found = [...text.matchAll(/\S+/g)]
    if (found.length < 2 || found.length > MAX_WORDS) return undefined
    const words = found.map(([word]) => word)
    const gaps = found.map(({ index }, at) => at > 0 && text.slice(0, index).endsWith('  '))
    const numbers = words.map((word) => NUMBER.test(word))
    const { cells, fit } = bestCells({ words, gaps, numbers, models: known }, kinds)
    return fit >= LEAST_FIT * kinds.length ? cells : undefined
  }
}

type Step = { fit: number; from: number }
/** By the number of assigned words. */
type Steps = (Step | undefined)[]
type Line = {
  readonly words: readonly string[]
  /** Whether more than one space is before a word. */
  readonly gaps: readonly boolean[]
  /** Which words are miles, prices and numbers of parts: no name has them. */
  readonly numbers: readonly boolean[]
  readonly models: ReadonlySet<string>
}

// Higher than the score of any other reading.
const OWN_MODEL = 4

/** The best way to assign the words to the columns in order. */
function bestCells(line: Line, kinds: readonly CellKind[]): { cells: string[]; fit: number } {
  const { words } = line
  const { length } = words
  let before: Steps = [{ fit: 0, from: 0 }]
  const steps: Steps[] = []
  // Words that the columns to the right cannot take must be assigned first.
  let room = kinds.reduce((sum, kind) => sum + mostWords[kind], 0)
  for (const kind of kinds) {
    const now: Steps = []
    room -= mostWords[kind]
    const least = length - room
    before.forEach((start, from) => {
      if (start) addSpans(now, line, { kind, from, fit: start.fit, least })
    })
    steps.push(now)
    before = now
  }
  const cells: string[] = []
  let to = length
  for (const now of steps.toReversed()) {
    const from = now[to]?.from ?? 0
    cells.unshift(words.slice(from, to).join(' '))
    to = from
  }
  return { cells, fit: steps.at(-1)?.[length]?.fit ?? Number.NEGATIVE_INFINITY }
}

/** Assigns a column zero or more words, starting at `from`. */
function addSpans(
  now: Steps,
  line: Line,
  { kind, from, fit, least }: Step & { kind: CellKind; least: number },
): void {
  if (from >= least) offer(now, from, { fit: fit + emptyFit(kind), from })
  const isName = NAMES.has(kind)
  let across = 0
  for (let to = from + 1; to <= Math.min(line.words.length, from + mostWords[kind]); to++) {
    if (to - 1 > from && line.gaps[to - 1]) across += ACROSS_GAP
    if (across < MOST_ACROSS || (isName && line.numbers[to - 1])) return
    if (to < least) continue
    offer(now, to, { fit: fit + across + fitIn(line, kind, from, to), from })
  }
}

function fitIn({ words, models }: Line, kind: CellKind, from: number, to: number): number {
  const cell = words.slice(from, to)
  const isOwn = kind === 'model' && models.size > 0 && models.has(cell.join(' ').toLowerCase())
  return isOwn ? OWN_MODEL : fitOf(kind, cell)
}

function offer(steps: Steps, at: number, step: Step): void {
  const known = steps[at]
  if (!known || step.fit > known.fit) steps[at] = step
}
