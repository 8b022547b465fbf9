import { type RawBuilder, sql } from 'kysely'
import type { Everybody, ModelWords, Search } from './search.ts'

/*
 * Among whose listings a search goes, as conditions on its rows `t`. Each comes in two forms: one that is planned with its
 * values, so that an index can answer it, and one in a single text for rows that are looked at one by one.
 */

export function withinScope({ seller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`t.seller_id = ${seller.id}`
  if (!everybody) return sql`t.live`
  const { status, model } = everybody
  return sql`${status ? sql`t.hidden = ${status === 'HIDDEN'}` : sql`true`} and ${model ? ofModel(model) : sql`true`}`
}

export function lookedInScope({ seller, everybody }: Search): RawBuilder<unknown> {
  if (seller) return sql`true`
  if (!everybody) return sql`t.live`
  const { status, model } = everybody
  const hidden = sql`(select ${status ? status === 'HIDDEN' : null}::boolean)`
  const patterns = sql`${model?.patterns ?? null}::text[]`
  const words = sql`(select ${model?.query || null}::tsquery)`
  return sql`
    (${hidden} is null or t.hidden = ${hidden})
    and (${patterns} is null or t.car_model_id = any(${modelIds(patterns)})
         or (t.car_model_id is null and ts_match_vq(t.document, ${words}) and ${namesModel(patterns)}))`
}

/** A listing of a car that no list knows has its model as text alone; its words are in its document too. */
function ofModel({ patterns: words, query }: ModelWords): RawBuilder<unknown> {
  const patterns = sql`${words}::text[]`
  const listed = sql`t.car_model_id = any(${modelIds(patterns)})`
  if (query === '') return listed
  return sql`(${listed}
    or (t.car_model_id is null and t.document @@ ${query}::tsquery and ${namesModel(patterns)}))`
}

const modelIds = (patterns: RawBuilder<unknown>) =>
  sql`array(select id from car_model where words like all (${patterns}))`

// No "exists": that may be hashed, which asks every listing there is.
const namesModel = (patterns: RawBuilder<unknown>) =>
  sql`(select model_words(m.model_name) like all (${patterns}) from listing m where m.id = t.listing_id)`

/** Which rows a walk through everybody's listings passes at all. */
export const walkedRows = (everybody: Everybody | undefined): RawBuilder<unknown> =>
  everybody?.status === 'HIDDEN' ? sql`hidden` : sql`true`
