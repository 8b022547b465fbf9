import { sql } from 'kysely'
import { linksParts, numberKey } from '#contract/listing/interchange.ts'
import { noteFit } from '#server/features/market/interchange/fit-evidence.ts'
import { openRowVins, type Vehicles } from '#server/features/market/vin/vehicles.ts'
import type { Db } from '#server/platform/database/database.ts'

/* Whether parts fitted the vehicles that they were bought for: from orders with a VIN, once they are decided. */

// If the order names no return window.
const WINDOW_DAYS = 30
const MOST_AT_ONCE = 500

type Bought = { id: string; number: string; vin: string; cameBack: boolean }

/** Of line `l` of order `o`: it was sent back because it did not fit. */
const cameBackAsWrong = sql`exists (
  select from order_return r
  where r.order_id = o.id and l.id = any(r.line_ids) and r.reason = 'doesnt-fit' and r.state = 'refunded')`

/** Bought parts whose outcome is decided and not noted: sent back, or kept until it could no longer be. */
async function listDecided(db: Db, now: Date): Promise<Bought[]> {
  const { rows } = await sql<Bought>`
    select l.id, l.facts ->> 'partNumber' as number, o.vin, ${cameBackAsWrong} as "cameBack"
    from part_order o join order_line l on l.order_id = o.id left join fit_outcome f on f.order_line_id = l.id
    where o.vin is not null and o.delivered_at is not null and l.facts ->> 'partNumber' is not null
      and (f.order_line_id is null or f.came_back <> ${cameBackAsWrong})
      and (${cameBackAsWrong} or (
        o.state in ('delivered', 'closed') and o.open_returns = 0
        and coalesce(o.return_until, o.delivered_at + make_interval(days => ${WINDOW_DAYS})) < ${now}))
    order by l.id limit ${MOST_AT_ONCE}`.execute(db)
  return rows
}

export async function noteFits(
  db: Db,
  { now, vehicles }: { now: Date; vehicles: Vehicles },
): Promise<{ noted: number }> {
  const decided = await listDecided(db, now)
  if (decided.length === 0) return { noted: 0 }
  const readVin = await openRowVins(db, vehicles)
  for (const { id, number, vin, cameBack } of decided) {
    const car = linksParts(number) ? readVin(vin) : undefined
    const { partyear: year, partmanu: make, partmodel: model } = car ?? {}
    await noteFit(db, { orderLineId: id, numberKey: numberKey(number), year, make, model, cameBack })
  }
  return { noted: decided.length }
}
