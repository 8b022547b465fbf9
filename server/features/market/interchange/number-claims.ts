import { sql } from 'kysely'
import { linksParts, numberKey, STATEMENTS_A_DAY, type StatedNumber } from '#contract/listing/interchange.ts'
import type { InterchangeClaim } from '#contract/search/interchange.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { writeSearchRows } from '#server/features/market/listings/search-row/search-rows.ts'
import { shownName } from '#server/features/people/yard-names/shown-name.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'
import { AppError, explainLimit } from '#server/platform/errors.ts'
import { takeFromWindow, tooMany } from '#server/platform/http/limits/rate-limits.ts'
import { listFitEvidence } from './fit-evidence.ts'
import {
  type Claim,
  type Edge,
  type Graph,
  graphOf,
  groupOf,
  type KindsOf,
  MAX_NUMBERS,
  MAX_OF_ONE_NUMBER,
  supersessionsOf,
  whyOf,
} from './graph.ts'

/* Sellers' statements about numbers. The database itself writes the statements of listings (migration 0060). */

// Several groups read at once are cut off here: 40 bytes a number and 200 a claim.
const MOST_READ = 5_000

/**
 * All claims reachable from these keys. Each statement follows two steps, so that one reads most groups: a part
 * has two or three numbers.
 */
export async function readGraph(db: Db, keys: readonly string[]): Promise<Graph> {
  const claims = new Map<string, Claim>()
  const followed = new Set<string>()
  const most = Math.min(MOST_READ, keys.length * (MAX_NUMBERS + 1))
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
  return graphOf([...claims.values()], await findKinds(db, [...followed]))
}

/** The part types for sale under these numbers; those of new sellers don't count. */
async function findKinds(db: Db, keys: readonly string[]): Promise<KindsOf> {
  if (keys.length < 2) return new Map()
  const { rows } = await sql<{ key: string; kinds: string[] }>`
    select l.part_number_key as key, array_agg(distinct l.category_id::text) as kinds
    from listing l join seller s on s.id = l.seller_id
    where l.part_number_key = any(${[...keys]}::text[]) and l.category_id is not null and ${isForSale}
      and s.established_at is not null
    group by l.part_number_key
  `.execute(db)
  return new Map(rows.map(({ key, kinds }) => [key, kinds]))
}

/**
 * Whether an administrator removed the pair of numbers of claim `c`: it stays removed whatever kind or direction its seller
 * states next.
 */
export const isRemoved = sql`exists (
  select from removed_claim r where r.seller_id = c.seller_id
    and r.number_key in (c.number_key, c.other_key) and r.other_key in (c.number_key, c.other_key))`

/**
 * Whether claim `c` of seller `s` counts: not that of a new seller, which anybody can register, nor of one that is gone, nor one
 * that an administrator removed.
 */
export const counts = sql`(
  s.established_at is not null
  and not exists (select from gone_seller g where g.seller_id = s.id)
  and not ${isRemoved})`

/**
 * Claims of these numbers and of those that they name, of at most `most` numbers, most certain first: one for each
 * seller, by its best source (the sources' names happen to sort so) and its first date.
 */
async function readClaims(db: Db, keys: readonly string[], most: number): Promise<Claim[]> {
  const asked = sql`${[...keys]}::text[]`
  const { rows } = await sql<Claim>`/* prepared */
    with near as materialized (
      select unnest(${asked}) as key
      union
      (select n.key from (
         select c.other_key as key, c.seller_id, c.source from interchange_claim c join seller s on s.id = c.seller_id
         where c.number_key = any(${asked}) and ${counts}
         union all
         select c.number_key, c.seller_id, c.source from interchange_claim c join seller s on s.id = c.seller_id
         where c.other_key = any(${asked}) and ${counts}
       ) n
       group by n.key order by count(distinct n.seller_id) desc, max(n.source) desc, n.key limit ${most})
    )
    select c.kind, min(c.number) as number, min(c.other) as other, c.seller_id as "sellerId", ${shownName(sql`c.seller_id`, sql`s.name`)} as seller,
           max(c.source) as source, min(c.stated_at) as at
    from interchange_claim c join seller s on s.id = c.seller_id
    where (c.number_key = any(array(select key from near)) or c.other_key = any(array(select key from near)))
      and ${counts}
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
    evidence: await listFitEvidence(db, number),
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

type PartNumbers = { same: string[]; replaces: string[]; replacedBy: string[]; sellerSays: string[] }

type NumberedPart = { sellerId: string; partNumber: string; stated: readonly StatedNumber[] }

/**
 * Other numbers of a part: its seller's own statements, and the result of all claims about its number. A new seller's
 * statements are kept separate (`sellerSays`).
 */
export async function listNumbers(db: Db, part: NumberedPart): Promise<PartNumbers> {
  const { partNumber } = part
  const key = numberKey(partNumber)
  const { isNew, numbers } = await findOwnWords(db, part)
  const stated = isNew ? [] : numbers
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
    sellerSays: isNew ? [...new Set(numbers.map(inOwnWords))] : [],
  }
}

const inOwnWords = ({ relation, number }: StatedNumber): string =>
  relation === 'same' ? number : `${relation} ${number}`

/**
 * A part seller's own statements: in the listing, without what an administrator removed, and, if the seller is new,
 * of its number besides.
 */
async function findOwnWords(db: Db, { sellerId, partNumber, stated }: NumberedPart) {
  const key = numberKey(partNumber)
  const { rows } = await sql<{ isNew: boolean; removed: string[]; claims: Pair[] }>`/* prepared */
    select s.established_at is null as "isNew",
           array(select case when r.number_key = ${key} then r.other_key else r.number_key end
                 from removed_claim r
                 where r.seller_id = s.id and ${key} in (r.number_key, r.other_key)) as removed,
           coalesce((select jsonb_agg(jsonb_build_object('kind', c.kind, 'number', c.number, 'other', c.other) order by c.id)
                     from interchange_claim c
                     where c.seller_id = s.id and c.listing_id is null and s.established_at is null
                       and ${key} in (c.number_key, c.other_key)), '[]') as claims
    from seller s where s.id = ${sellerId}
  `.execute(db)
  const [found] = rows
  // A replica may not have the seller yet: then the primary is read.
  if (!found) throw new AppError('NOT_FOUND', 'This seller does not exist.')
  const { isNew, removed, claims } = found
  const ofClaims = claims.map(({ kind, number, other }): StatedNumber => {
    if (numberKey(number) !== key) return { relation: kind === 'same' ? 'same' : 'replaced by', number }
    return { relation: kind, number: other }
  })
  const numbers = [...stated, ...ofClaims].filter(({ number }) => !removed.includes(numberKey(number)))
  return { isNew, numbers }
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
    const sentence =
      'These are two spellings of the same number, and a search for either finds both. Enter another number.'
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { other: sentence } })
  }
  if (kind === 'same') return
  const { edges } = await readGraph(db, [key, otherKey])
  const known = [
    ...edges.flatMap(({ claims }) => claims),
    ...(await readUncounted(db, sellerId, [key, otherKey])),
  ]
  const own = { kind, number, other, sellerId, seller: 'your yard', source: 'yard', at: new Date() } as const
  const after = graphOf([...known, own])
  if (!after.refused.some((edge) => edge.number === key && edge.other === otherKey)) return
  const opposite = whyOf(after, key, otherKey) ?? `${other} replaces ${number}`
  const sentence = `This contradicts another statement: ${opposite}. Remove that one first, or swap the numbers.`
  throw new AppError('CONFLICT', sentence, { fields: { other: sentence } })
}

/** What a new seller states of these numbers: it counts for nobody yet, but its own words must agree. */
async function readUncounted(db: Db, sellerId: string, keys: readonly string[]): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    select c.kind, c.number, c.other, c.seller_id as "sellerId", s.name as seller, c.source, c.stated_at as at
    from interchange_claim c join seller s on s.id = c.seller_id
    where s.id = ${sellerId} and s.established_at is null
      and (c.number_key = any(${[...keys]}) or c.other_key = any(${[...keys]}))
  `.execute(db)
  return rows
}

/** Stating it again returns what was stated. @throws AppError VALIDATION_FAILED, TOO_MANY for too many */
export function stateClaim(db: Db, sellerId: string, stated: Pair): Promise<InterchangeClaim> {
  return inTransaction(db, async (trx) => {
    // Of statements at the same moment, each counts the others.
    await sql`select from seller where id = ${sellerId} for no key update`.execute(trx)
    return state(trx, sellerId, stated)
  })
}

async function state(db: Db, sellerId: string, stated: Pair): Promise<InterchangeClaim> {
  const { kind } = stated
  // Equal parts have no order, so the smaller number is first, as in the claims of listings.
  const isSwapped = kind === 'same' && numberKey(stated.other) < numberKey(stated.number)
  const [number, other] = isSwapped ? [stated.other, stated.number] : [stated.number, stated.other]
  const known = await findStated(db, sellerId, { kind, number, other })
  if (known) return present(known)
  await requireFew(db, sellerId, { number, other })
  await requireRoomToday(db, sellerId)
  await sql`
    insert into interchange_claim (kind, number, other, seller_id, source)
    select ${kind}, ${number}, ${other}, ${sellerId}::uuid, 'yard'
    where (select count(*) from interchange_claim where seller_id = ${sellerId} and listing_id is null) < ${MOST_CLAIMS}
    on conflict do nothing
  `.execute(db)
  const claim = await findStated(db, sellerId, { kind, number, other })
  if (claim) return present(claim)
  const sentence = `A yard can add ${MOST_CLAIMS.toLocaleString('en-US')} pairs of numbers. Remove some first.`
  throw new AppError('VALIDATION_FAILED', sentence, { fields: { number: sentence } })
}

/** Those of listings count as well; removed ones do, too. @throws AppError TOO_MANY */
async function requireRoomToday(db: Db, sellerId: string): Promise<void> {
  const opening = `You have stated ${STATEMENTS_A_DAY.toLocaleString('en-US')} pairs of numbers today.`
  const goOn = explainLimit((wait) => `${opening} Go on in ${wait}.`)
  const limit = { most: STATEMENTS_A_DAY, seconds: DAY_SECONDS }
  await takeFromWindow(db, `number-claims:${sellerId}`, limit).catch(goOn)
  const { rows } = await sql<{ stated: number; left: number }>`
    select count(*)::int as stated,
           ceil(extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now()))::int as left
    from interchange_claim where seller_id = ${sellerId} and stated_at >= date_trunc('day', now(), 'UTC')
  `.execute(db)
  const { stated, left } = onlyRow(rows)
  if (stated >= STATEMENTS_A_DAY) goOn(tooMany(left))
}

const DAY_SECONDS = 86_400

async function findStated(
  db: Db,
  sellerId: string,
  { kind, number, other }: Pair,
): Promise<Stated | undefined> {
  const { rows } = await sql<Stated>`
    select id, kind, number, other, stated_at as at from interchange_claim
    where seller_id = ${sellerId} and listing_id is null and kind = ${kind}
      and number_key = ${numberKey(number)} and other_key = ${numberKey(other)}
  `.execute(db)
  return rows[0]
}

/** @throws AppError VALIDATION_FAILED at the number of which the yard states too much */
async function requireFew(db: Db, sellerId: string, pair: Omit<Pair, 'kind'>): Promise<void> {
  for (const [field, number] of Object.entries(pair)) {
    const key = numberKey(number)
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from interchange_claim
      where seller_id = ${sellerId} and listing_id is null and ${key} in (number_key, other_key)
    `.execute(db)
    if (onlyRow(rows).total < MAX_OF_ONE_NUMBER) continue
    const sentence = `You already list ${MAX_OF_ONE_NUMBER} numbers for ${number}. Remove some first.`
    throw new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
  }
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

type Removal = { id: string; by: AuditActor }

/**
 * Removes a seller's statement about two numbers for good, for an administrator: wherever the seller states it again, it counts
 * nothing.
 * @throws AppError NOT_FOUND
 */
export async function removePermanently(trx: Db, { id, by }: Removal): Promise<void> {
  const { rows } = await sql<Pair & { sellerId: string; listingIds: string[] }>`
    with named as (
      select seller_id, kind, number_key, other_key, number, other from interchange_claim where id = ${id}
    ), removed as (
      insert into removed_claim (seller_id, kind, number_key, other_key, removed_by)
      select seller_id, kind, number_key, other_key, ${by.actorUserId} from named
      on conflict do nothing
    )
    select n.kind, n.number, n.other, n.seller_id as "sellerId", array(
      select c.listing_id from interchange_claim c
      where c.seller_id = n.seller_id and c.listing_id is not null
        and c.number_key in (n.number_key, n.other_key) and c.other_key in (n.number_key, n.other_key)
      order by c.listing_id
    ) as "listingIds"
    from named n
  `.execute(trx)
  const [removed] = rows
  if (!removed) throw new AppError('NOT_FOUND', 'This statement no longer exists: its seller removed it.')
  const { sellerId, listingIds, ...pair } = removed
  if (listingIds.length > 0) await writeSearchRows(trx, listingIds)
  await writeAudit(trx, { action: 'number-claim-removed', target: sellerId, detail: pair, ...by })
}

/** @throws AppError NOT_FOUND */
export async function removeClaim(db: Db, sellerId: string, id: string): Promise<void> {
  const { numAffectedRows } = await sql`
    delete from interchange_claim where id = ${id} and seller_id = ${sellerId} and listing_id is null
  `.execute(db)
  if (!numAffectedRows) throw new AppError('NOT_FOUND', 'This statement was already removed.')
}
