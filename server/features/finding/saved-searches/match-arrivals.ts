import { sql } from 'kysely'
import { z } from 'zod'
import { meets } from '#server/features/finding/search/matches/match-conditions.ts'
import { mergePendingRows } from '#server/features/finding/search/matches/match-queries.ts'
import type { ReadPartsQuery } from '#server/features/finding/search/query/reading.ts'
import { isRowForSale } from '#server/features/market/for-sale/for-sale.ts'
import type { Db } from '#server/platform/database/database.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { storedValues } from './conditions.ts'
import { followVocabulary, type MatchRun } from './follow-vocabulary.ts'
import { isMailDue, MAX_WAITING, mailFoundQueue } from './found-mails.ts'
import { ANY, BEGINNINGS, NO_MODEL } from './search-keys.ts'

/*
 * Matches new and changed listings with saved searches. Triggers queue the listings in `listing_arrival`. Each batch is
 * taken, compared and deleted in one transaction, so a killed worker loses nothing. Matching a listing again adds no
 * second row to `saved_search_hit`.
 */

export const matchArrivalsQueue: JobQueue<Record<string, never>> = {
  name: 'match-arrivals',
  title: 'Match saved searches',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 30,
  resumable: true,
  timeoutSeconds: 3_600,
  concurrency: 1,
}

export async function hasArrivals(db: Db): Promise<boolean> {
  const { rows } = await sql`select from listing_arrival limit 1`.execute(db)
  return rows.length > 0
}

// Takes the database about a second with 100,000 saved searches.
const BATCH = 2_000

// A listing may have been written in a transaction that began before the search was saved. A buyer may then get an
// email about a part the list already showed, which is better than missing it.
const SLACK = sql`interval '1 minute'`

type Deps = { db: Db; ask: ReadPartsQuery; now: () => Date }

/**
 * Matches all queued listings and enqueues the emails that are due. First it merges their words into the index, for
 * every search and not just these: with 4 MB of new words beside a million listings, reading a query took 30 times as long.
 */
export async function matchArrivals({ db, ask, now }: Deps, run: MatchRun) {
  const sums = { listings: 0, hits: 0 }
  await mergePendingRows(db)
  // Conditions with a merged part type would not find parts of the remaining one.
  if (!(await followVocabulary({ db, ask, now }, run))) return sums
  for (;;) {
    run.signal.throwIfAborted()
    const { listings, hits } = await run.withFence((trx) => matchBatch(trx, now()))
    sums.listings += listings
    sums.hits += hits
    if (listings === 0) break
    run.progress({ done: sums.listings })
  }
  if (sums.hits > 0 && (await isMailDue(db, now())))
    await enqueueJob(db, { queue: mailFoundQueue, payload: {} })
  return sums
}

/** Takes a batch of listings and stores which searches find them, in the caller's transaction. */
async function matchBatch(trx: Db, now: Date): Promise<{ listings: number; hits: number }> {
  // A quarter of a million pairs would spill to disk, and a busy machine may need longer than the default statement
  // timeout.
  await sql`select set_config('work_mem', '64MB', true), set_config('statement_timeout', '60s', true)`.execute(
    trx,
  )
  const { rows } = await sql<{ listings: number; hits: number }>`
    with taken as (
      delete from listing_arrival where id in (
        select id from (
          select id, sum(cardinality(listing_ids)) over (order by id) - cardinality(listing_ids) as before
          from (select id, listing_ids from listing_arrival order by id limit ${BATCH}) waiting
        ) counted where before < ${BATCH}
      )
      returning *
    ), arrival as materialized (
      select t.*, a.kind, a.at, a.former_cents, l.created_at, l.price_cents, l.miles,
             l.year_from, l.year_to
      from (
        select kind, at, unnest(listing_ids) as listing_id, unnest(former_cents) as former_cents from taken
      ) a
      join listing_search t on t.listing_id = a.listing_id and ${isRowForSale}
      join listing l on l.id = a.listing_id
      where exists (select from saved_search)
    ), candidate as materialized (
      ${candidates}
    ), found as (
      select distinct c.search_id, c.listing_id, s.waiting
      from candidate c
      join arrival t on t.listing_id = c.listing_id
      join saved_search s on s.id = c.search_id
      where s.frequency <> 'off' and s.waiting < ${MAX_WAITING} and ${isNews} and ${meets(storedValues, offer)}
        and not exists (select from saved_search_hit h where h.search_id = s.id and h.listing_id = t.listing_id)
    ), hit as (
      insert into saved_search_hit (search_id, listing_id)
      select search_id, listing_id
      from (
        select *, row_number() over (partition by search_id order by listing_id desc) as place from found
      ) newest
      where place <= ${MAX_WAITING} - waiting
      on conflict do nothing
      returning search_id
    ), counted as (
      update saved_search s
      set waiting = s.waiting + n.hits, waiting_since = coalesce(s.waiting_since, ${now})
      from (select search_id, count(*) as hits from hit group by search_id) n
      where s.id = n.search_id
    )
    select (select coalesce(sum(cardinality(listing_ids)), 0)::int from taken) as listings,
           (select count(*)::int from hit) as hits
  `.execute(trx)
  return rows[0] ?? { listings: 0, hits: 0 }
}

const offer = sql`(select t.price_cents, t.miles) f`

/** Searches that share a key with a listing. */
const candidates = sql`
  select k.search_id, a.listing_id
  from arrival a
  cross join lateral unnest(array[a.category_id::text, ${ANY}]) category
  cross join lateral unnest(array[coalesce(a.car_model_id::text, ${NO_MODEL}), a.manufacturer_id::text, ${ANY}]) vehicle
  cross join lateral (select ${ANY} as year union all select generate_series(a.year_from::int, a.year_to::int)::text) years
  join saved_search_key k on k.key = hashtextextended('part ' || category || ' ' || vehicle || ' ' || year, 0)
  union all
  select k.search_id, w.listing_id
  from (
    select a.listing_id, hashtextextended('word ' || left(word.lexeme, length), 0) as key
    from arrival a
    cross join lateral unnest(a.document) word
    cross join unnest(${[...BEGINNINGS]}::int[]) length
    where char_length(word.lexeme) >= length and left(word.lexeme, 1) <> '^'
  ) w
  join saved_search_key k on k.key = w.key
  union all
  select k.search_id, f.listing_id
  from (
    select a.listing_id, hashtextextended('fit ' || category || ' ' || word.lexeme, 0) as key
    from arrival a
    cross join lateral unnest(a.document) word
    cross join lateral unnest(array[a.category_id::text, ${ANY}]) category
    where left(word.lexeme, 1) = '^'
  ) f
  join saved_search_key k on k.key = f.key`

/**
 * Whether a listing is new for a search: it arrived or began to match after the search was saved, or its price fell
 * into the search's range.
 */
const isNews = sql`
  case t.kind
    when 'new' then s.created_at < t.at + ${SLACK}
    when 'changed' then s.created_at < t.created_at + ${SLACK}
    else s.max_cents < t.former_cents and s.created_at < t.at + ${SLACK}
  end`
