import { hash } from 'node:crypto'

/*
 * The paid place of the Pro plan. It decides only between parts that match a search equally well, and is always marked
 * "Featured": on each page at most three of the first twelve, one a seller, the same ones for a day.
 */

/** A part in the order of the search. */
export type Placeable = {
  readonly id: string
  readonly sellerId: string
  readonly isPro: boolean
  /** The same text for parts that match equally well. They follow one another. */
  readonly match: string
}

const FIRST = 12
const MOST = 3

type PagesOf = {
  perPage: number
  /** Another day gives the places to others. */
  day: string
}

/** Assigns the places of all pages. The pages still have every part once. */
export function placeFeatured<Part extends Placeable>(
  ordered: readonly Part[],
  { perPage, day }: PagesOf,
): { ordered: Part[]; featured: ReadonlySet<string> } {
  const turns = new Map<string, string>()
  const turnOf = ({ id }: Part) => {
    const known = turns.get(id) ?? hash('sha256', `${day} ${id}`)
    turns.set(id, known)
    return known
  }
  const featured = new Set<string>()
  const placed: Part[] = []
  let rest = ordered
  while (rest.length > 0) {
    const page = fillPage(rest, perPage, turnOf)
    for (const { id } of page.featured) featured.add(id)
    placed.push(...page.parts)
    const shown = new Set(page.parts)
    rest = rest.filter((part) => !shown.has(part))
  }
  return { ordered: placed, featured }
}

/** The next page: before each group of equal matches its featured parts, then the others in order. */
function fillPage<Part extends Placeable>(
  rest: readonly Part[],
  perPage: number,
  turnOf: (part: Part) => string,
): { parts: Part[]; featured: Part[] } {
  const parts = new Set<Part>()
  const featured: Part[] = []
  // A short page is not filled with places either.
  const places = Math.ceil((Math.min(FIRST, perPage) * MOST) / FIRST)
  let group: string | undefined
  for (const part of rest) {
    if (parts.size >= perPage) break
    if (part.match !== group && parts.size < FIRST) {
      group = part.match
      const most = Math.min(places - featured.length, FIRST - parts.size, perPage - parts.size)
      const taken = new Set(featured.map(({ sellerId }) => sellerId))
      const equals = rest.filter(({ match }) => match === group)
      for (const one of choose(equals, { most, taken, turnOf })) {
        featured.push(one)
        parts.add(one)
      }
    }
    if (parts.size < perPage) parts.add(part)
  }
  return { parts: [...parts], featured }
}

type Choice<Part> = { most: number; taken: ReadonlySet<string>; turnOf: (part: Part) => string }

/** The best part of each Pro seller whose turn it is, unless nothing of another seller would follow it. */
function choose<Part extends Placeable>(
  equals: readonly Part[],
  { most, taken, turnOf }: Choice<Part>,
): Part[] {
  if (most <= 0 || !equals.some(({ isPro }) => isPro)) return []
  const best = new Map<string, Part>()
  for (const part of equals) {
    if (part.isPro && !taken.has(part.sellerId) && !best.has(part.sellerId)) best.set(part.sellerId, part)
  }
  const inTurn = [...best.values()].sort((a, b) => (turnOf(a) < turnOf(b) ? -1 : 1))
  let chosen = inTurn.slice(0, most)
  for (;;) {
    const others = equals.filter((part) => !chosen.includes(part))
    const idle = chosen.findLast((part) => others.every(({ sellerId }) => sellerId === part.sellerId))
    if (!idle) return chosen
    chosen = chosen.filter((part) => part !== idle)
  }
}
