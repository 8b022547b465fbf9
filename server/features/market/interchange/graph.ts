import { numberKey } from '#contract/listing/interchange.ts'

/*
 * The combined meaning of claims about numbers. A group is every number that claims lead to, in either direction: A
 * is found from B wherever B is found from A. Supersessions have no cycle: of contradicting claims, the better
 * founded one applies.
 */

type ClaimSource = 'yard' | 'listing' | 'file'

/** One seller's statement: the numbers are the same part, or `number` replaces `other`. */
export type Claim = {
  readonly kind: 'same' | 'replaces'
  /** As typed; keys are compared. */
  readonly number: string
  readonly other: string
  readonly sellerId: string
  readonly seller: string
  readonly source: ClaimSource
  readonly at: Date
}

/** All claims of one kind about two numbers, by key. */
export type Edge = {
  readonly kind: Claim['kind']
  readonly number: string
  readonly other: string
  /** One per seller, most reliable first. */
  readonly claims: readonly Claim[]
  /** 0..1 */
  readonly confidence: number
}

export type Graph = {
  /** Without those that would close a cycle. */
  readonly edges: readonly Edge[]
  /** Supersessions that contradict surer ones. */
  readonly refused: readonly Edge[]
  /** Join numbers of different parts, such as a mirror and a radiator, by what is for sale or surer claims. */
  readonly mixed: readonly Edge[]
  readonly around: ReadonlyMap<string, readonly Edge[]>
  /** A number as its sellers write it, by key. */
  readonly written: ReadonlyMap<string, string>
}

// Of two contradicting claims, a statement about the numbers themselves was looked up; files repeat old books.
const CONFIDENCE: Record<ClaimSource, number> = { yard: 0.8, listing: 0.7, file: 0.6 }

/** The combined confidence of claims by different sellers: one minus the chance that all of them are wrong. */
const confidenceOf = (claims: readonly Claim[]): number =>
  1 - claims.reduce((doubt, { source }) => doubt * (1 - CONFIDENCE[source]), 1)

/** The part types that are for sale under each number, by key. */
export type KindsOf = ReadonlyMap<string, readonly string[]>

/** The order of the claims makes no difference. */
export function graphOf(claims: readonly Claim[], kinds: KindsOf = new Map()): Graph {
  const merged = Map.groupBy(withoutFloods(claims), keyOf)
  const found = Array.from(merged, ([key, same]) => edgeOf(key, same)).sort(bySureness)
  const newer = new Map<string, Set<string>>()
  const refused: Edge[] = []
  const mixed: Edge[] = []
  const groups = new NumbersByKind(kinds)
  const edges = found.filter((edge) => {
    const { kind, number, other } = edge
    if (!groups.join(number, other)) {
      mixed.push(edge)
      return false
    }
    if (kind === 'same') return true
    if (leadsTo(newer, number, other)) {
      refused.push(edge)
      return false
    }
    newer.set(other, (newer.get(other) ?? new Set()).add(number))
    return true
  })
  const around = new Map<string, Edge[]>()
  for (const edge of edges) {
    for (const end of [edge.number, edge.other]) around.set(end, [...(around.get(end) ?? []), edge])
  }
  return { edges, refused, mixed, around, written: writtenOf(claims) }
}

/** A part has a few numbers. If a seller states more for one number, the most certain and oldest ones are used. */
export const MAX_OF_ONE_NUMBER = 20

function withoutFloods(claims: readonly Claim[]): Claim[] {
  const stated = new Map<string, number>()
  return claims.toSorted(bySource).filter(({ sellerId, number, other }) => {
    const ends = [number, other].map((end) => `${sellerId} ${numberKey(end)}`)
    if (ends.some((end) => (stated.get(end) ?? 0) >= MAX_OF_ONE_NUMBER)) return false
    for (const end of ends) stated.set(end, (stated.get(end) ?? 0) + 1)
    return true
  })
}

/** The most certain first, then the oldest, then by number, so that the order is always the same. */
function bySource(a: Claim, b: Claim): number {
  const name = ({ number, other }: Claim) => `${number} ${other}`
  return (
    CONFIDENCE[b.source] - CONFIDENCE[a.source] ||
    a.at.getTime() - b.at.getTime() ||
    (name(a) < name(b) ? -1 : 1)
  )
}

/** Groups of numbers, joined while at least one part type is possible for all of them. */
class NumbersByKind {
  readonly #kinds: KindsOf
  readonly #parents = new Map<string, string>()
  readonly #kindsOfGroup = new Map<string, readonly string[]>()

  constructor(kinds: KindsOf) {
    this.#kinds = kinds
  }

  /** False for numbers of different parts, which stay apart. */
  join(one: string, other: string): boolean {
    const [a, b] = [this.#groupOf(one), this.#groupOf(other)]
    if (a === b) return true
    const [some, more] = [this.#kindsOf(a), this.#kindsOf(b)]
    const common = some.filter((kind) => more.includes(kind))
    if (some.length > 0 && more.length > 0 && common.length === 0) return false
    this.#parents.set(a, b)
    this.#kindsOfGroup.set(b, common.length > 0 ? common : [...some, ...more])
    return true
  }

  #groupOf(number: string): string {
    let group = number
    for (let parent = this.#parents.get(group); parent !== undefined; parent = this.#parents.get(group))
      group = parent
    return group
  }

  #kindsOf(group: string): readonly string[] {
    return this.#kindsOfGroup.get(group) ?? this.#kinds.get(group) ?? []
  }
}

function keyOf({ kind, number, other }: Claim): string {
  const ends = [numberKey(number), numberKey(other)]
  return [kind, ...(kind === 'same' ? ends.sort() : ends)].join(' ')
}

function edgeOf(key: string, same: readonly Claim[]): Edge {
  const [kind = '', number = '', other = ''] = key.split(' ')
  const sure = same.toSorted(bySource)
  const claims = [...new Map(sure.toReversed().map((claim) => [claim.sellerId, claim])).values()].reverse()
  return { kind: kind as Claim['kind'], number, other, claims, confidence: confidenceOf(claims) }
}

/** Surest first, then oldest; then by number and kind, so that the order is always the same. */
function bySureness(a: Edge, b: Edge): number {
  const age =
    Math.min(...a.claims.map(({ at }) => at.getTime())) - Math.min(...b.claims.map(({ at }) => at.getTime()))
  const name = ({ number, other, kind }: Edge) => `${number} ${other} ${kind}`
  return b.confidence - a.confidence || age || (name(a) < name(b) ? -1 : 1)
}

/** Whether one number was replaced by the other, in any number of steps. */
function leadsTo(newer: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from])
  for (const number of seen) {
    if (number === to) return true
    for (const next of newer.get(number) ?? []) seen.add(next)
  }
  return false
}

/** Of several ways to write a number, the one with the most punctuation: "81150-06470" before "8115006470". */
function writtenOf(claims: readonly Claim[]): Map<string, string> {
  const written = new Map<string, string>()
  for (const number of claims.flatMap((claim) => [claim.number, claim.other])) {
    const key = numberKey(number)
    const known = written.get(key) ?? ''
    if (number.length > known.length || (number.length === known.length && number < known))
      written.set(key, number)
  }
  return written
}

/** A part has a few numbers; more are caused by a placeholder such as "00000". */
export const MAX_NUMBERS = 60

/**
 * The keys of all numbers that interchange with one, without itself, nearest and most certain first. If there are
 * more than `MAX_NUMBERS`, only those claimed for the number itself: still, A is found from B wherever B is found
 * from A.
 */
export function groupOf(graph: Graph, key: string): string[] {
  const seen = new Set([key])
  for (const each of seen) {
    for (const next of neighborsOf(graph, each)) seen.add(next)
    if (seen.size > MAX_NUMBERS) return neighborsOf(graph, key)
  }
  return [...seen].slice(1)
}

/** The surest first. */
function neighborsOf({ around }: Graph, key: string): string[] {
  const next = (around.get(key) ?? []).toSorted(
    (a, b) => b.confidence - a.confidence || (endOf(a, key) < endOf(b, key) ? -1 : 1),
  )
  return [...new Set(next.map((edge) => endOf(edge, key)))]
}

const endOf = ({ number, other }: Edge, key: string): string => (number === key ? other : number)

/** The numbers that a number replaces, and those that replace it, directly or through others. */
export function supersessionsOf(graph: Graph, key: string): { older: string[]; newer: string[] } {
  const follow = (nextOf: (edge: Edge, at: string) => string | undefined) => {
    const seen = new Set([key])
    for (const each of seen) {
      if (seen.size > MAX_NUMBERS) break
      for (const edge of graph.around.get(each) ?? []) seen.add(nextOf(edge, each) ?? each)
    }
    return [...seen].slice(1)
  }
  return {
    older: follow(({ kind, number, other }, at) =>
      kind === 'replaces' && at === number ? other : undefined,
    ),
    newer: follow(({ kind, number, other }, at) =>
      kind === 'replaces' && at === other ? number : undefined,
    ),
  }
}

/**
 * Why a number is in another's group, as a sentence without its period; undefined if it is not.
 * "81150-06470 replaces 81150-06380, according to Harbor Yard".
 */
export function whyOf(graph: Graph, asked: string, found: string): string | undefined {
  const path = pathOf(graph, asked, found)
  if (!path) return undefined
  const name = (key: string) => graph.written.get(key) ?? key
  const steps = new Set(
    path.map(({ edge, to }) => {
      if (edge.kind === 'same') return 'same'
      return edge.number === to ? 'newer' : 'older'
    }),
  )
  const [only] = steps.size === 1 ? steps : []
  const sentence = {
    newer: `${name(found)} replaces ${name(asked)}`,
    older: `${name(asked)} replaces ${name(found)}`,
    same: `${name(found)} is the same part as ${name(asked)}`,
    mixed: `${name(found)} interchanges with ${name(asked)}`,
  }[only ?? 'mixed']
  const through = path.slice(0, -1).map(({ to }) => name(to))
  const sellers = new Set(path.flatMap(({ edge }) => edge.claims.map(({ seller }) => seller)))
  const [seller] = sellers
  const who = sellers.size === 1 ? seller : `${sellers.size} yards`
  return `${sentence}${through.length > 0 ? ` by way of ${through.join(' and ')}` : ''}, according to ${who}`
}

type Step = { readonly edge: Edge; readonly to: string }

/** The fewest steps; undefined for none. */
function pathOf({ around }: Graph, from: string, to: string): readonly Step[] | undefined {
  const reached = new Map<string, readonly Step[]>([[from, []]])
  for (const [key, path] of reached) {
    if (reached.has(to) || reached.size > 2 * MAX_NUMBERS) break
    for (const edge of around.get(key) ?? []) {
      const next = edge.number === key ? edge.other : edge.number
      if (!reached.has(next)) reached.set(next, [...path, { edge, to: next }])
    }
  }
  const path = reached.get(to)
  return path?.length ? path : undefined
}
