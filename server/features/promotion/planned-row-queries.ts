import { sql } from 'kysely'
import type { ListingRecord } from '#server/features/listings/write-queries.ts'
import type { Db } from '#server/platform/database.ts'
import type { PlannedAction } from './action-decision.ts'
import { type WhyKept, whyKept } from './page-queries.ts'

/** An action of a plan, with the listing that it is or was about. */
export type PlannedRowState = Pick<PlannedAction, 'rowNo' | 'action' | 'copies'> & {
  /** Null for a listing that is not made yet, or not there any more. */
  readonly listingId: string | null
  readonly kept: WhyKept | null
  /** Its row names the listing by its id. */
  readonly isNamed: boolean
  /** What its listing came from before. */
  readonly sourceCopies: number | null
  readonly sourceEndedAt: Date | null
  /** Column → before and after, once it was applied; null where it was not or changed nothing. */
  readonly made: Record<string, [before: unknown, after: unknown]> | null
}

export type PlannedRowPage = {
  readonly action: PlannedAction['action'] | undefined
  readonly after: number
  readonly limit: number
}

/** The next actions of a promotion's plan in the order of its rows. */
export async function listPlannedActions(
  db: Db,
  promotion: { id: string; sellerId: string; changeSetId: string | null },
  { action, after, limit }: PlannedRowPage,
): Promise<PlannedRowState[]> {
  const { rows } = await sql<PlannedRowState>`
    with page as (
      select * from promotion_action
      where promotion_id = ${promotion.id} and row_no > ${after}
        and (${action ?? null}::text is null or action = ${action ?? null})
      order by row_no limit ${limit}
    )
    select a.row_no as "rowNo", a.action, a.copies, ${whyKept} as kept, a.action = 'update' and a.content_hash is null as "isNamed", t.listing_id as "listingId",
           s.copies as "sourceCopies", s.ended_at as "sourceEndedAt", c.changes as made
    from page a
    left join listing_source s
      on s.seller_id = ${promotion.sellerId} and s.source_key = coalesce(a.prior_key, a.source_key)
        and s.ordinal = coalesce(a.prior_ordinal, a.ordinal)
    left join listing_source mine
      on a.action = 'create' and mine.seller_id = ${promotion.sellerId} and mine.source_key = a.source_key
        and mine.ordinal = a.ordinal and mine.created_by_promotion = ${promotion.id}
    cross join lateral (select coalesce(a.listing_id, mine.listing_id) as listing_id) t
    left join lateral (
      select changes from listing_change
      where listing_id = t.listing_id and change_set_id = ${promotion.changeSetId} and a.action = 'update'
      order by version desc limit 1
    ) c on true
    order by a.row_no
  `.execute(db)
  return rows
}

/** Listings as they stand, by id; those that were deleted are left out. */
export async function findLivingListings(
  db: Db,
  ids: readonly string[],
): Promise<Map<string, ListingRecord>> {
  const rows = await db
    .selectFrom('listing')
    .selectAll()
    .where('id', '=', (eb) => eb.fn.any(eb.val([...ids])))
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
