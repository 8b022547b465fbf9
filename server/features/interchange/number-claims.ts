import { sql } from 'kysely'
import { linksParts, numberKey, type StatedNumber } from '#contract/listing/interchange.ts'
import type { InterchangeClaim } from '#contract/search/interchange.ts'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import {
  type Claim,
  type Edge,
  type Graph,
  graphOf,
  groupOf,
  MOST_NUMBERS,
  supersessionsOf,
  whyOf,
} from './graph.ts'

/* What sellers state of numbers. Statements of listings are written by the database itself (migration 0060). */

// Several groups read at once are cut off here: 40 bytes a number and 200 a claim.
const MOST_READ = 5_000

/**
 * All claims that lead anywhere from these keys. A statement goes two steps further, so that one reads most groups: a part
 * has two or three numbers.
 */
export async function readGraph(db: Db, keys: readonly string[]): Promise<Graph> {
  const claims = new Map<string, Claim>()
  const followed = new Set<string>()
  const most = Math.min(MOST_READ, keys.length * (MOST_NUMBERS + 1))
  for (let next = [...new Set(keys)]; next.length > 0 && followed.size <= most; ) {
    const found = await readClaims(db, next, most)
    const asked = new Set(next)
    const ends = new Set<string>()
    for (const claim of found) {
      claims.set(`${claim.kind} ${claim.number} ${claim.other} ${claim.sellerId}`, claim)
      const [one, other] = [numberKey(claim.number), numberKey(claim.other)]
      ends.add(one).add(other)
      if (asked.has(one) || asked.has(other)) followed.add(one).add(other)
    }
    for (const key of next) followed.add(key)
    next = [...ends].filter((key) => !followed.has(key))
  }
  return graphOf([...claims.values()])
}

/**
 * Claims of these numbers and of those that they name, of at most `most` numbers: one for each seller, by its best source
 * (the sources' names happen to sort so) and its first date.
 */
async function readClaims(db: Db, keys: readonly string[], most: number): Promise<Claim[]> {
  const asked = sql`${[...keys]}::text[]`
  const { rows } = await sql<Claim>`
    with near as materialized (
      select unnest(${asked}) as key
      union select other_key from interchange_claim where number_key = any(${asked})
      union select number_key from interchange_claim where other_key = any(${asked})
      limit ${most}
    )
    select c.kind, min(c.number) as number, min(c.other) as other, c.seller_id as "sellerId", s.name as seller,
           max(c.source) as source, min(c.stated_at) as at
    from interchange_claim c join seller s on s.id = c.seller_id
    where c.number_key = any(array(select key from near)) or c.other_key = any(array(select key from near))
    group by c.kind, c.number_key, c.other_key, c.seller_id, s.name
  `.execute(db)
  return rows
}

/** What a searched number interchanges with. */
export type Interchange = {
  /** The key of the number that was asked for, and those of its group, nearest first. */
  readonly asked: string
  readonly keys: readonly string[]
  /** A sentence without its period; undefined for a number that is not in the group. */
  why(number: string): string | undefined
}

/** Undefined if nothing interchanges with the number. */
export async function findInterchange(db: Db, number: string): Promise<Interchange | undefined> {
  if (!linksParts(number)) return undefined
  const asked = numberKey(number)
  const graph = await readGraph(db, [asked])
  const keys = groupOf(graph, asked)
  if (keys.length === 0) return undefined
  const group = new Set(keys)
  return {
    asked,
    keys,
    why(other) {
      const key = numberKey(other)
      return group.has(key) ? whyOf(graph, asked, key) : undefined
    },
  }
}

/** A number's group with everything that is known of it. */
export async function describeInterchange(db: Db, number: string) {
  const asked = numberKey(number)
  const graph = await readGraph(db, [asked])
  const keys = groupOf(graph, asked)
  const group = new Set([asked, ...keys])
  const written = (key: string) => graph.written.get(key) ?? key
  return {
    number: graph.written.get(asked) ?? number,
    numbers: keys.map((key) => ({ number: written(key), why: whyOf(graph, asked, key) ?? '' })),
    edges: graph.edges.filter((edge) => group.has(edge.number) && group.has(edge.other)).map(presentEdge),
  }
  function presentEdge({ kind, number, other, confidence, claims }: Edge) {
    return {
      kind,
      number: written(number),
      other: written(other),
      confidence: Math.round(confidence * 1_000) / 1_000,
      sources: claims.map(({ seller, source, at }) => ({ seller, source, at: at.toISOString() })),
    }
  }
}

type PartNumbers = { same: string[]; replaces: string[]; replacedBy: string[] }

/** Other numbers of a part: what its seller states in its own words, and what follows from all claims about its number. */
export async function listNumbers(
  db: Db,
  partNumber: string,
  stated: readonly StatedNumber[],
): Promise<PartNumbers> {
  const key = numberKey(partNumber)
  const graph = linksParts(partNumber) ? await readGraph(db, [key]) : graphOf([])
  const group = groupOf(graph, key)
  const { older, newer } = supersessionsOf(graph, key)
  const superseding = new Set([...older, ...newer])
  const ofGroup = (keys: readonly string[]) => keys.filter((one) => group.includes(one))
  const named = (relation: StatedNumber['relation'], keys: readonly string[]) => {
    const written = [
      ...stated.flatMap((one) => (one.relation === relation ? one.number : [])),
      ...keys.map((one) => graph.written.get(one) ?? one),
    ]
    return [...new Map(written.toReversed().map((number) => [numberKey(number), number])).values()].reverse()
  }
  const same = group.filter((one) => !superseding.has(one))
  return {
    same: named('same', same),
    replaces: named('replaces', ofGroup(older)),
    replacedBy: named('replaced by', ofGroup(newer)),
  }
}

/* A yard's own statements */

// Rows of one yard; more would be a table that was copied from somewhere.
const MOST_CLAIMS = 20_000

type Pair = Pick<InterchangeClaim, 'kind' | 'number' | 'other'>
type Stated = Pair & { id: string; at: Date }

const present = ({ at, ...claim }: Stated): InterchangeClaim => ({ ...claim, at: at.toISOString() })

/** @throws AppError VALIDATION_FAILED, CONFLICT (surer statements say the opposite) */
export async function requireConsistent(
  db: Db,
  sellerId: string,
  { kind, number, other }: Pair,
): Promise<void> {
  const [key, otherKey] = [numberKey(number), numberKey(other)]
  if (key === otherKey) {
    const sentence = 'These are two spellings of one number, which we find anyway. Enter another number.'
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { other: sentence } })
  }
  if (kind === 'same') return
  const { edges } = await readGraph(db, [key, otherKey])
  const known = edges.flatMap(({ claims }) => claims)
  const own = { kind, number, other, sellerId, seller: 'your yard', source: 'yard', at: new Date() } as const
  const after = graphOf([...known, own])
  if (!after.refused.some((edge) => edge.number === key && edge.other === otherKey)) return
  const opposite = whyOf(after, key, otherKey) ?? `${other} replaces ${number}`
  const sentence = `This contradicts what is known: ${opposite}. Take that back first, or swap the numbers.`
  throw new AppError('CONFLICT', sentence, { fields: { other: sentence } })
}

/** Stating it again returns what was stated. @throws AppError VALIDATION_FAILED for too many */
export async function stateClaim(db: Db, sellerId: string, stated: Pair): Promise<InterchangeClaim> {
  const { kind } = stated
  // What is the same part has no order; the smaller number is first, as in the claims of listings.
  const isSwapped = kind === 'same' && numberKey(stated.other) < numberKey(stated.number)
  const [number, other] = isSwapped ? [stated.other, stated.number] : [stated.number, stated.other]
  await sql`
    insert into interchange_claim (kind, number, other, seller_id, source)
    select ${kind}, ${number}, ${other}, ${sellerId}::uuid, 'yard'
    where (select count(*) from interchange_claim where seller_id = ${sellerId} and listing_id is null) < ${MOST_CLAIMS}
    on conflict do nothing
  `.execute(db)
  const { rows } = await sql<Stated>`
    select id, kind, number, other, stated_at as at from interchange_claim
    where seller_id = ${sellerId} and listing_id is null and kind = ${kind}
      and number_key = ${numberKey(number)} and other_key = ${numberKey(other)}
  `.execute(db)
  const [claim] = rows
  if (claim) return present(claim)
  const sentence = `A yard can state ${MOST_CLAIMS.toLocaleString('en-US')} pairs of numbers. Take some back first.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { number: sentence } })
}

type PageOf = { page: number; perPage: number }

export async function listClaims(db: Db, sellerId: string, { page, perPage }: PageOf) {
  const own = sql`from interchange_claim where seller_id = ${sellerId} and listing_id is null`
  const { rows } = await sql<Stated>`
    select id, kind, number, other, stated_at as at ${own}
    order by id desc limit ${perPage} offset ${(page - 1) * perPage}
  `.execute(db)
  const { rows: counted } = await sql<{ total: number }>`select count(*)::int as total ${own}`.execute(db)
  return { items: rows.map(present), total: onlyRow(counted).total, page, perPage }
}

/** @throws AppError NOT_FOUND */
export async function removeClaim(db: Db, sellerId: string, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from interchange_claim where id = ${id} and seller_id = ${sellerId} and listing_id is null
  `.execute(db)
  if (!numAffectedRows) throw new AppError('NOT_FOUND', 'This statement was removed already.')
}
