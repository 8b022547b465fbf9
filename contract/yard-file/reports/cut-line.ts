import { emptyFit, fitOf } from './cell-kinds.ts'
import { readDonor } from './donor-line.ts'
import { isRemarkLine } from './remark-lines.ts'
import type { CellKind, Ruler } from './ruler.ts'

/** A line as cells; undefined for one without a part, such as a page's head. */
export type LineCutter = (line: string) => string[] | undefined

/** Cuts the lines of a report or of a pasted table. */
export function lineCutter(ruler: Ruler): LineCutter {
  const { starts, names } = ruler
  const header = names.join(' ').replaceAll(/\s+/g, ' ').trim().toLowerCase()
  const cut = starts ? fixedCutter(ruler, starts) : pastedCutter(ruler)
  return (line) => {
    const text = line.replaceAll('\f', '').trimEnd()
    const words = text.trim().replaceAll(/\s+/g, ' ')
    if (words === '') return []
    if (words.toLowerCase() === header) return [...names]
    if (isRemarkLine(words)) return undefined
    return cut(text) ?? (readDonor(words) ? [words, ...names.slice(1).map(() => '')] : undefined)
  }
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
const MAX_SPAN = 10
const ACROSS_GAP = -5
/** A line of parts fits its columns better than this, on average. */
const LEAST_FIT = 0.4

function pastedCutter({ kinds }: Ruler): LineCutter {
  return (text) => {
    const found = [...text.matchAll(/\S+/g)]
    if (found.length < 2 || found.length > MAX_WORDS) return undefined
    const words = found.map(([word]) => word)
    // Whether more than one space is before a word.
    const gaps = found.map(({ index }, at) => at > 0 && text.slice(0, index).endsWith('  '))
    const { cells, fit } = bestCells(words, gaps, kinds)
    return fit >= LEAST_FIT * kinds.length ? cells : undefined
  }
}

type Step = { fit: number; from: number }

/** Of all ways to give the words to the columns in order, the one that fits best. */
export function bestCells(
  words: readonly string[],
  gaps: readonly boolean[],
  kinds: readonly CellKind[],
): { cells: string[]; fit: number } {
  const { length } = words
  let before: Step[] = [{ fit: 0, from: 0 }]
  const steps: (Step | undefined)[][] = []
  for (const kind of kinds) {
    const now: (Step | undefined)[] = []
    for (let from = 0; from <= length; from++) {
      const start = before[from]
      if (!start) continue
      offer(now, from, { fit: start.fit + emptyFit(kind), from })
      let across = 0
      for (let to = from + 1; to <= Math.min(length, from + MAX_SPAN); to++) {
        if (to - 1 > from && gaps[to - 1]) across += ACROSS_GAP
        offer(now, to, { fit: start.fit + across + fitOf(kind, words.slice(from, to)), from })
      }
    }
    steps.push(now)
    before = now as Step[]
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

function offer(steps: (Step | undefined)[], at: number, step: Step): void {
  const known = steps[at]
  if (!known || step.fit > known.fit) steps[at] = step
}
