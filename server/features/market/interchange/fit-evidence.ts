import { sql } from 'kysely'
import { linksParts, numberKey } from '#contract/listing/interchange.ts'
import { FEWEST_FITS, type FitEvidence } from '#contract/pages/track-record.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * What happened to parts of a number that were bought for a vehicle: evidence that no seller states. Counted over the orders of
 * all yards, by model, and never shown of fewer than three.
 */

// A number fits a few models; more would be noise.
const MOST_MODELS = 5

/** Most bought first. */
export async function listFitEvidence(db: Db, partNumber: string): Promise<FitEvidence[]> {
  if (!linksParts(partNumber)) return []
  const { rows } = await sql<FitEvidence>`/* prepared */
    select make, model, min(year)::int as from, max(year)::int as to, count(*)::int as bought,
           (count(*) filter (where came_back))::int as "cameBack"
    from fit_outcome where number_key = ${numberKey(partNumber)} and model is not null
    group by make, model having count(*) >= ${FEWEST_FITS}
    order by count(*) desc, make, model limit ${MOST_MODELS}`.execute(db)
  return rows
}

export type FitOutcome = {
  orderLineId: string
  numberKey: string
  /** Of the buyer's vehicle; undefined if its VIN does not say. */
  year: string | undefined
  make: string | undefined
  model: string | undefined
  cameBack: boolean
}

/** Notes what happened to a bought part; a part that was kept may still come back. */
export async function noteFit(db: Db, outcome: FitOutcome): Promise<void> {
  const { orderLineId, year, make, model, cameBack } = outcome
  const isKnown = make !== undefined && model !== undefined
  await sql`
    insert into fit_outcome (order_line_id, number_key, year, make, model, came_back)
    values (${orderLineId}, ${outcome.numberKey}, ${year === undefined ? null : Number(year)},
            ${isKnown ? make : null}, ${isKnown ? model : null}, ${cameBack})
    on conflict (order_line_id) do update set came_back = excluded.came_back
    where fit_outcome.came_back <> excluded.came_back`.execute(db)
}
