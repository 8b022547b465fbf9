import { type RawBuilder, sql } from 'kysely'
import { type Db, onlyRow } from '#server/platform/database/database.ts'
import { fillPairingTables, pairSimilar, splitDigest, splitRowDigest } from './pair-alike.ts'
import { LISTING_DIGEST, plainNumber } from './row-identity.ts'

/*
 * Pairs the rows of a plan with parts that the seller already has under another key: listed by hand, or with a stock number
 * added or missing.
 */

/** The end reason of listings that are missing from a full stock. */
const FULL_STOCK_END = 'sold-elsewhere'

type Ended = { readonly ended_at: Date | null; readonly ended_reason: string | null }

/**
 * Whether the next file that has the part reopens it: only if a full stock ended it, and no one ended it again since.
 * `IS_RESTORED` is the same rule in SQL; a test compares the two.
 */
export function comesBack(listing: Ended, sourceEndedAt: Date | null): boolean {
  return (
    listing.ended_at !== null &&
    listing.ended_reason === FULL_STOCK_END &&
    listing.ended_at.getTime() === sourceEndedAt?.getTime()
  )
}

/** `comesBack` in SQL, over a listing_source s and its listing l. */
export const IS_RESTORED = sql`coalesce(l.ended_at = s.ended_at and l.ended_reason = ${FULL_STOCK_END}, false)`

/* Parts that the seller already has under another key, found for all rows of plan_action at once. */

/** New rows that have a stock number and meet the condition. */
const newNumberedRows = (condition: RawBuilder<unknown>) => sql`
  select a.row_no, lower(a.stock collate "C") as place, ${splitRowDigest(sql`a.digest`)}
  from plan_action a where a.action = 'create' and a.stock is not null and ${condition}`

/** The seller's listings under these rows' stock numbers, for `fillPairingTables`. */
const listingsUnder = (rows: RawBuilder<unknown>, sellerId: string, condition: RawBuilder<unknown>) => sql`
  select l.id, lower(l.stock_number), row_number() over (order by l.id), case when l.ended_at is null then 3 else 2 end,
         ${splitDigest(sql`coalesce(s.row_digest, ${LISTING_DIGEST})`)}
  from listing l
  left join listing_source s on s.listing_id = l.id
  left join category c on c.id = l.category_id
  where l.seller_id = ${sellerId} and l.deleted_at is null and l.stock_number is not null
    and lower(l.stock_number) in (select place from (${rows}) r)
    and not exists (select from plan_named n where n.listing_id = l.id)
    and not exists (select from plan_action a where a.listing_id = l.id)
    and ${condition}`

/** A part that the seller listed by hand under the same stock number becomes the file's, to avoid a duplicate. */
export async function adoptByStockNumber(trx: Db, sellerId: string): Promise<void> {
  const rows = newNumberedRows(sql`true`)
  const found = await fillPairingTables(trx, {
    rows,
    parts: listingsUnder(rows, sellerId, sql`s.listing_id is null`),
  })
  if (found === 0) return
  await pairSimilar(trx, found)
  await sql`
    update plan_action a set action = 'update', listing_id = p.listing_id from plan_pair p where a.row_no = p.row_no
  `.execute(trx)
}

/**
 * A part from a file whose stock number was typed in later by hand is matched too: its source moves to the number's
 * key. If another row of the file is already that part, it stays with that row.
 */
export async function adoptByTypedNumber(trx: Db, sellerId: string): Promise<void> {
  const rows = newNumberedRows(sql`
    a.part_key is not null and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)`)
  const isFree = sql`
    s.listing_id is not null
    and not exists (select from plan_action a where a.key = s.source_key and a.ordinal = s.ordinal)`
  const found = await fillPairingTables(trx, { rows, parts: listingsUnder(rows, sellerId, isFree) })
  if (found === 0) return
  await pairSimilar(trx, found)
  await sql`
    update plan_action a
    set action = 'update', listing_id = s.listing_id, prior_key = s.source_key, prior_ordinal = s.ordinal,
        prior_hash = s.content_hash, prior_copies = s.copies, prior_part_hash = s.part_hash,
        prior_digest = s.row_digest, prior_version = s.listing_version, prior_said = s.said
    from plan_pair p join listing_source s using (listing_id)
    where a.row_no = p.row_no
  `.execute(trx)
}

/**
 * A part whose stock number is written differently in this file ("KA 7" and "KA-7", 0012 and 12) is the same part if
 * it is similar and no other spelling of the number is in the file or in stock. The source keeps its key.
 */
export async function adoptByPlainNumber(trx: Db, sellerId: string): Promise<void> {
  const rows = sql`
    select a.row_no, ${plainNumber(sql`a.stock`)} as place, ${splitRowDigest(sql`a.digest`)}
    from plan_action a
    where a.action = 'create' and a.stock is not null
      and not exists (select from plan_source s where s.key = a.key)`
  const found = await fillPairingTables(trx, {
    rows,
    parts: sql`
      with wanted as materialized (select distinct place from (${rows}) r where place <> ''),
      numbered as materialized (
        select l.id, lower(l.stock_number) as number, ${plainNumber(sql`l.stock_number`)} as place
        from listing l
        where exists (select from wanted) and l.seller_id = ${sellerId} and l.deleted_at is null
          and l.stock_number is not null
      ), single as (
        select place from numbered join wanted using (place) group by place having count(distinct number) = 1
      ), several as materialized (
        select place from (
          select lower(r.stock) as number, ${plainNumber(sql`r.stock`)} as place
          from plan_row r where exists (select from single) and r.stock is not null
        ) sent where place in (select place from single) group by place having count(distinct number) > 1
      )
      select l.id, n.place, row_number() over (order by l.id), 3,
             ${splitDigest(sql`coalesce(s.row_digest, ${LISTING_DIGEST})`)}
      from single join numbered n using (place) join listing l on l.id = n.id
      left join listing_source s on s.listing_id = l.id
      left join category c on c.id = l.category_id
      where (l.ended_at is null or ${IS_RESTORED})
        and not exists (select from plan_named n where n.listing_id = l.id)
        and not exists (select from plan_action a where a.listing_id = l.id)
        and n.place not in (select place from several)`,
  })
  if (found === 0) return
  await pairSimilar(trx, found)
  await sql`
    update plan_action a
    set action = case when s.content_hash = a.hash and s.copies = a.copies and l.ended_at is null then 'same'
                      else 'update' end,
        listing_id = p.listing_id, key = coalesce(s.source_key, a.key), ordinal = coalesce(s.ordinal, a.ordinal),
        prior_hash = s.content_hash, prior_copies = s.copies, prior_part_hash = s.part_hash,
        prior_digest = s.row_digest, prior_version = s.listing_version, prior_said = s.said
    from plan_pair p join listing l on l.id = p.listing_id left join listing_source s on s.listing_id = l.id
    where a.row_no = p.row_no
  `.execute(trx)
}

/**
 * A part imported without a stock number, or without a side, that has one in this file is the same part: its source
 * moves to the new key. Rows that otherwise equal the part match it first, even if it was ended by hand; then active
 * parts in their order. A part matched by another row stays with that row.
 */
export async function adoptByPart(trx: Db, sellerId: string): Promise<void> {
  await sql`
    with wanted as (
      select a.row_no, a.hash, a.part_key, a.part_hash,
             row_number() over (partition by a.part_key, a.part_hash order by a.row_no) as n
      from plan_action a
      where a.action = 'create' and a.part_key is not null
        -- A deleted part at this place comes back itself.
        and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)
    ), spare as (
      select s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies,
             s.row_digest, s.listing_version, s.said, l.ended_at is null
               or ${IS_RESTORED} as living
      from listing_source s join listing l on l.id = s.listing_id
      where s.seller_id = ${sellerId} and s.source_key in (select part_key from wanted)
        and l.deleted_at is null and l.stock_number is null
        and not exists (select from plan_action a where a.key = s.source_key and a.ordinal = s.ordinal)
        and not exists (select from plan_named n where n.listing_id = s.listing_id)
    ), numbered as (
      select *, row_number() over (partition by key, hash order by not living, ordinal) as n from spare
    ), same as (
      select w.row_no, s.key, s.ordinal
      from wanted w join numbered s on s.key = w.part_key and s.hash = w.part_hash and s.n = w.n
    ), rest as (
      select w.row_no, w.part_key, row_number() over (partition by w.part_key order by w.row_no) as n
      from wanted w where not exists (select from same where same.row_no = w.row_no)
    ), others as (
      select s.key, s.ordinal, row_number() over (partition by s.key order by s.ordinal) as n
      from spare s
      where s.living and not exists (select from same where same.key = s.key and same.ordinal = s.ordinal)
    ), found as (
      select row_no, key, ordinal from same
      union all
      select r.row_no, o.key, o.ordinal from rest r join others o on o.key = r.part_key and o.n = r.n
    )
    update plan_action a
    set action = 'update', listing_id = s.listing_id, prior_key = s.key, prior_ordinal = s.ordinal,
        prior_hash = s.hash, prior_copies = s.copies, prior_digest = s.row_digest,
        prior_version = s.listing_version, prior_said = s.said
    from found f join spare s using (key, ordinal)
    where a.row_no = f.row_no
  `.execute(trx)
}

/* Parts imported with a stock number that now come without one, in the tables of a plan. */

/** A row without a stock number that may be any of several parts of its seller. */
export type AmbiguousRow = {
  readonly rowNo: number
  readonly why: 'ambiguous'
  /** How many parts it may be, and the stock numbers of the first of them. */
  readonly parts: number
  readonly stockNumbers: readonly string[]
  /** Rows of the file that may be these parts. */
  readonly rows: number
}

/**
 * Matches rows without a stock number to parts that have one and are otherwise the same: first a single part with equal
 * content, then a single part that no other row fits. Duplicate rows match all parts with equal content if their
 * numbers are equal. The source keeps the number's key. Ambiguous rows are refused, and the first `limit` are returned:
 * a guess would give one part's price to another, and a new listing would be a duplicate.
 */
export async function findNumberedParts(trx: Db, sellerId: string, limit: number): Promise<AmbiguousRow[]> {
  if (!(await hasNumberedParts(trx, sellerId))) return []
  if (!(await collectFits(trx, sellerId))) return []
  await keepEqual(trx)
  await dropEnded(trx, sql`part_key, content`)
  await keepEqual(trx)
  await matchPairs(trx, equalContent)
  await dropEnded(trx, sql`part_key`)
  await matchPairs(trx, singleFits)
  return refuseAmbiguous(trx, limit)
}

async function hasNumberedParts(trx: Db, sellerId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from listing_source where seller_id = ${sellerId} and part_key is not null) as has
  `.execute(trx)
  return rows[0]?.has ?? false
}

/** New rows without a number, and the seller's unmatched parts that they may be. Returns whether there are such parts. */
async function collectFits(trx: Db, sellerId: string): Promise<boolean> {
  await sql`
    create temp table plan_open on commit drop as
    select row_no, key, hash, copies from plan_action a
    where action = 'create' and stock is null
      -- A deleted part at this place comes back itself.
      and not exists (select from plan_source s where s.key = a.key and s.ordinal = a.ordinal)
  `.execute(trx)
  await sql`
    create temp table plan_fit on commit drop as
    select s.part_key, s.source_key as key, s.ordinal, s.listing_id, s.content_hash as hash, s.copies, s.part_hash,
           s.row_digest, s.listing_version, s.said,
           -- If unknown, a row without a number may have written it last.
           coalesce(s.part_hash, s.content_hash) as content,
           ${IS_RESTORED} as comes_back, l.ended_at is null or ${IS_RESTORED} as living, l.stock_number
    from listing_source s join listing l on l.id = s.listing_id
    where s.seller_id = ${sellerId} and s.part_key in (select key from plan_open) and l.deleted_at is null
      and not exists (select from plan_action a where a.listing_id = s.listing_id)
      and not exists (select from plan_named n where n.listing_id = s.listing_id)
  `.execute(trx)
  const { rows } = await sql<{ fits: boolean }>`select exists (select from plan_fit) as fits`.execute(trx)
  if (!onlyRow(rows).fits) return false
  await sql`analyze plan_open, plan_fit`.execute(trx)
  return true
}

/** Matches rows with parts and removes both from the candidates. */
async function matchPairs(trx: Db, pairs: RawBuilder<unknown>): Promise<void> {
  await sql`
    with pair as (${pairs}), row_taken as (
      delete from plan_open o using pair where o.row_no = pair.row_no
    ), part_taken as (
      delete from plan_fit f using pair where f.listing_id = pair.listing_id
    )
    update plan_action a
    set action = case when f.content = a.hash and f.copies = a.copies and not f.comes_back then 'same' else 'update' end,
        listing_id = f.listing_id, key = f.key, ordinal = f.ordinal, prior_hash = f.hash, prior_copies = f.copies,
        part_hash = a.hash, prior_part_hash = f.part_hash, digest = f.row_digest, prior_digest = f.row_digest,
        prior_version = f.listing_version, prior_said = f.said
    from pair join plan_fit f using (listing_id)
    where a.row_no = pair.row_no
  `.execute(trx)
}

/** Duplicate rows whose number equals that of the parts with equal content: nothing changes. */
async function keepEqual(trx: Db): Promise<void> {
  await sql`
    with kept as (
      select o.row_no, o.hash, f.listing_id, f.part_key, f.key, f.ordinal, f.copies,
             row_number() over (partition by o.row_no order by f.key, f.ordinal) as n
      from plan_open o
      join (
        select part_key, content, sum(copies) as copies from plan_fit
        group by part_key, content having not bool_or(comes_back)
      ) equal on equal.part_key = o.key and equal.content = o.hash and equal.copies = o.copies
      join plan_fit f on f.part_key = o.key and f.content = o.hash
    ), rows_kept as (
      delete from plan_open o using kept k where k.row_no = o.row_no
    ), parts_kept as (
      delete from plan_fit f using kept k where k.listing_id = f.listing_id
    ), more_parts as (
      insert into plan_part (key, hash, row_no, copies) select part_key, hash, row_no, copies from kept where n > 1
    ), more_actions as (
      insert into plan_action (row_no, action, listing_id, key, ordinal, hash, copies)
      select row_no, 'same', listing_id, key, ordinal, hash, copies from kept where n > 1
    )
    update plan_action a set action = 'same', listing_id = k.listing_id, key = k.key, ordinal = k.ordinal
    from kept k where k.n = 1 and a.row_no = k.row_no
  `.execute(trx)
}

const equalContent = sql`
  select o.row_no, f.listing_id
  from plan_open o
  join (
    select part_key, content, (array_agg(listing_id))[1] as listing_id from plan_fit
    group by part_key, content having count(*) = 1
  ) f on f.part_key = o.key and f.content = o.hash`

const singleFits = sql`
  select o.row_no, f.listing_id
  from (select key, min(row_no) as row_no from plan_open group by key having count(*) = 1) o
  join (
    select part_key, (array_agg(listing_id))[1] as listing_id from plan_fit group by part_key having count(*) = 1
  ) f on f.part_key = o.key`

/** An active part is preferred to an ended one like it. */
async function dropEnded(trx: Db, like: RawBuilder<unknown>): Promise<void> {
  await sql`delete from plan_fit where not living and (${like}) in (select ${like} from plan_fit where living)`.execute(
    trx,
  )
}

async function refuseAmbiguous(trx: Db, limit: number): Promise<AmbiguousRow[]> {
  await sql`
    create temp table plan_ambiguous on commit drop as
    select o.row_no, o.key, o.hash, f.parts, f.stock_numbers, count(*) over (partition by o.key)::integer as rows
    from plan_open o
    join (
      select part_key, count(*)::integer as parts,
             (array_agg(stock_number order by stock_number) filter (where stock_number is not null))[1:3] as stock_numbers
      from plan_fit group by part_key
    ) f on f.part_key = o.key
  `.execute(trx)
  await sql`
    update plan_row r set refused = true from plan_ambiguous m
    where r.key = m.key and r.hash = m.hash and r.listing_id is null and not r.refused
  `.execute(trx)
  await sql`delete from plan_part p using plan_ambiguous m where m.row_no = p.row_no`.execute(trx)
  await sql`delete from plan_action a using plan_ambiguous m where m.row_no = a.row_no`.execute(trx)
  const { rows } = await sql<AmbiguousRow>`
    select row_no as "rowNo", 'ambiguous' as why, parts, coalesce(stock_numbers, '{}') as "stockNumbers", rows
    from plan_ambiguous m where not exists (select from plan_row r where r.row_no = m.row_no and r.gone)
    order by row_no limit ${limit}
  `.execute(trx)
  return rows
}
