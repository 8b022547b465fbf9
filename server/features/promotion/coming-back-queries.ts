import { sql } from 'kysely'
import { FULL_STOCK_END } from './coming-back.ts'

/** `comesBack` for sets: over a listing_source s and its listing l. */
export const COMES_BACK = sql`coalesce(l.ended_at = s.ended_at and l.ended_reason = ${FULL_STOCK_END}, false)`
