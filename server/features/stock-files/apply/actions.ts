import { type RawBuilder, sql } from 'kysely'
import type { JsonValue } from '#db/schema.gen.ts'
import type { ColumnChanges, ListingRecord } from '#server/features/market/listings/write-queries.ts'
import { RELABEL_REASONS } from '#server/features/market/lookups/lookup-kind.ts'
import { comesBack } from '#server/features/stock-files/identity/pairing.ts'
import type { PlannedAction, Source } from '#server/features/stock-files/identity/sources.ts'
import type { WhyKept } from '#server/features/stock-files/plan/show-plan.ts'
import { lockFileOf } from '#server/features/stock-files/promotion/promotions.ts'
import type { Db } from '#server/platform/database/database.ts'

/*
 * The stored actions of a plan: what each does when it is written or undone, and the queries for a page of them.
 */

export type ActionDecision =
  | { readonly kind: 'create'; readonly replaces: Source | undefined }
  | {
      readonly kind: 'update'
      readonly listing: ListingRecord
      /** Undefined if a listing made by hand becomes the file's, or if the row names it by its id. */
      readonly source: Source | undefined
      /** The source whose previous listing is gone. */
      readonly replaces: Source | undefined
      readonly reopens: boolean
    }
  | { readonly kind: 'end'; readonly listing: ListingRecord; readonly source: Source }
  | { readonly kind: 'skip' }

/**
 * What to do with a planned action when its page is written. Since the plan, another import may have created the listing,
 * or a user deleted or ended it: the current state decides, so that no part is listed twice and no user's decision is
 * overruled.
 */
export function decideAction(
  action: PlannedAction,
  source: Source | undefined,
  listings: ReadonlyMap<string, ListingRecord>,
): ActionDecision {
  if (namesListing(action)) return decideNamed(listings.get(action.listingId ?? ''))
  const listing = source && listings.get(source.listingId)
  if (source && listing && listing.deleted_at === null) return decideLiving(action, source, listing)
  if (action.action === 'end') return { kind: 'skip' }
  const adopted = action.listingId === null ? undefined : listings.get(action.listingId)
  if (action.priorHash === null && adopted?.deleted_at === null) {
    return { kind: 'update', listing: adopted, source: undefined, replaces: source, reopens: false }
  }
  return { kind: 'create', replaces: source }
}

/** Whether it updates a listing that its row names by id. */
export const namesListing = ({ action, hash }: Pick<PlannedAction, 'action' | 'hash'>): boolean =>
  action === 'update' && hash === null

function decideNamed(listing: ListingRecord | undefined): ActionDecision {
  if (!listing || listing.deleted_at !== null || listing.ended_at !== null) return { kind: 'skip' }
  return { kind: 'update', listing, source: undefined, replaces: undefined, reopens: false }
}

function decideLiving(action: PlannedAction, source: Source, listing: ListingRecord): ActionDecision {
  if (action.action === 'end') {
    return listing.ended_at === null ? { kind: 'end', listing, source } : { kind: 'skip' }
  }
  const reopens = comesBack(listing, source.endedAt)
  const isSame = source.hash === action.hash && source.copies === action.copies
  if (isSame && !reopens) return { kind: 'skip' }
  return { kind: 'update', listing, source, replaces: undefined, reopens }
}

async function selectActions(db: Db, condition: RawBuilder<unknown>): Promise<PlannedAction[]> {
  const { rows } = await sql<PlannedAction>`
    select row_no as "rowNo", action, listing_id as "listingId", encode(source_key, 'hex') as key, ordinal,
           encode(content_hash, 'hex') as hash, copies,
           encode(prior_hash, 'hex') as "priorHash", prior_copies as "priorCopies",
           encode(prior_key, 'hex') as "priorKey", prior_ordinal as "priorOrdinal",
           encode(part_key, 'hex') as "partKey", encode(part_hash, 'hex') as "partHash",
           encode(prior_part_hash, 'hex') as "priorPartHash", encode(row_digest, 'hex') as digest,
           encode(prior_digest, 'hex') as "priorDigest", prior_version as "priorVersion", prior_said::text as "priorSaid"
    from promotion_action where ${condition}
  `.execute(db)
  return rows
}

// The largest row number: a condition that is always there keeps the same plan for every page.
const LAST_ROW = 2_147_483_647

/** The next actions of a plan in row order, up to the row `through` if there is one. */
export async function listActions(
  db: Db,
  promotionId: string,
  { after, limit, through }: { after: number; limit: number; through: number | null },
): Promise<PlannedAction[]> {
  return selectActions(
    db,
    sql`promotion_id = ${promotionId} and row_no > ${after} and row_no <= ${through ?? LAST_ROW}
        order by row_no limit ${limit}`,
  )
}

/** Applied actions in reverse order. */
export async function listAppliedActions(
  db: Db,
  promotionId: string,
  { before, limit }: { before: number; limit: number },
): Promise<PlannedAction[]> {
  return selectActions(
    db,
    sql`promotion_id = ${promotionId} and row_no < ${before} order by row_no desc limit ${limit}`,
  )
}

/**
 * Locks the promotion and its file for a page until the transaction ends. False if another run wrote the page or if the
 * promotion is being undone.
 */
export async function lockPage(
  trx: Db,
  promotionId: string,
  at: { state: 'applying' | 'undoing'; through: number },
): Promise<boolean> {
  const through = sql.ref(at.state === 'applying' ? 'applied_through' : 'undone_through')
  await lockFileOf(trx, promotionId)
  const { rows } = await sql`
    select from promotion where id = ${promotionId} and state = ${at.state} and ${through} = ${at.through} for update
  `.execute(trx)
  return rows.length > 0
}

export type AppliedAction = Pick<
  PlannedAction,
  | 'rowNo'
  | 'action'
  | 'listingId'
  | 'priorHash'
  | 'priorPartHash'
  | 'priorCopies'
  | 'priorDigest'
  | 'priorVersion'
  | 'priorSaid'
>

/** Records what was done where it differs from the plan, so that an undo reverts exactly that. */
export async function correctActions(
  trx: Db,
  promotionId: string,
  done: readonly AppliedAction[],
): Promise<void> {
  if (done.length === 0) return
  await sql`
    update promotion_action a
    set action = t.action, listing_id = t."listingId", prior_hash = decode(t."priorHash", 'hex'),
        prior_copies = t."priorCopies", prior_part_hash = decode(t."priorPartHash", 'hex'),
        prior_digest = decode(t."priorDigest", 'hex'), prior_version = t."priorVersion",
        prior_said = t."priorSaid"::jsonb,
        prior_key = case when t."priorHash" is not null then a.prior_key end,
        prior_ordinal = case when t."priorHash" is not null then a.prior_ordinal end
    from jsonb_to_recordset(${JSON.stringify(done)}::jsonb)
           as t("rowNo" integer, action text, "listingId" uuid, "priorHash" text, "priorPartHash" text,
             "priorCopies" integer, "priorDigest" text, "priorVersion" integer, "priorSaid" text)
    where a.promotion_id = ${promotionId} and a.row_no = t."rowNo"
  `.execute(trx)
}

/** Deletes actions that did nothing, so that an undo skips them. */
export async function deleteActions(
  trx: Db,
  promotionId: string,
  rowNumbers: readonly number[],
): Promise<void> {
  if (rowNumbers.length === 0) return
  await sql`
    delete from promotion_action where promotion_id = ${promotionId} and row_no = any(${[...rowNumbers]}::int[])
  `.execute(trx)
}

/** Records edits that the actions kept: column → [listing's value, row's]. */
export async function keepEdits(
  trx: Db,
  promotionId: string,
  edits: readonly { rowNo: number; kept: ColumnChanges }[],
): Promise<void> {
  if (edits.length === 0) return
  await sql`
    update promotion_action a set kept_edits = t.kept
    from jsonb_to_recordset(${JSON.stringify(edits)}::jsonb) as t("rowNo" integer, kept jsonb)
    where a.promotion_id = ${promotionId} and a.row_no = t."rowNo"
  `.execute(trx)
}

export type PageSums = { actions: number; created: number; updated: number; ended: number }

export async function countPage(
  trx: Db,
  promotionId: string,
  through: number,
  sums: PageSums,
): Promise<void> {
  await sql`
    update promotion
    set applied_through = ${through}, applied = applied + ${sums.actions}, created = created + ${sums.created},
        updated = updated + ${sums.updated}, ended = ended + ${sums.ended}, touched_at = clock_timestamp()
    where id = ${promotionId}
  `.execute(trx)
}

export type UndoneSums = { undone: number; left: number }

export async function countUndonePage(
  trx: Db,
  promotionId: string,
  through: number,
  sums: UndoneSums,
): Promise<void> {
  await sql`
    update promotion
    set undone_through = ${through}, undone = undone + ${sums.undone}, left_as_is = left_as_is + ${sums.left},
        touched_at = clock_timestamp()
    where id = ${promotionId}
  `.execute(trx)
}

export type Kept = { rowNo: number; listingId: string; kept: Exclude<WhyKept, 'lookup-deleted'> }

/** Records the listings that an undo left unchanged. `deleted`: the listing, or a lookup that it had before. */
export async function keepActions(trx: Db, promotionId: string, kept: readonly Kept[]): Promise<void> {
  if (kept.length === 0) return
  await sql`
    update promotion_action a set kept = t.kept, listing_id = t."listingId"
    from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as t("rowNo" integer, "listingId" uuid, kept text)
    where a.promotion_id = ${promotionId} and a.row_no = t."rowNo"
  `.execute(trx)
}

export type LastChange = {
  listingId: string
  /** The version that this change set made, and its changes; null if it changed nothing. */
  version: number | null
  changes: Record<string, [before: JsonValue, after: JsonValue]> | null
  /** Later changes of undone imports; together with their undos they cancel out. */
  canceled: number
  /** Later changes that followed renamed or merged lookups. */
  relabeled: number
  /** Whether a later change by another import is still in effect. */
  laterImport: boolean
}

/** What a promotion changed in these listings, and what changed after it. */
export async function listLastChanges(
  trx: Db,
  { sellerId, changeSetId }: { sellerId: string; changeSetId: string | null },
  listingIds: readonly string[],
): Promise<Map<string, LastChange>> {
  const { rows } = await sql<LastChange>`
    with canceled as (
      select pair.* from promotion p
      cross join lateral (values (change_set_id, undo_change_set_id), (undo_change_set_id, change_set_id)) as pair(id, other)
      where seller_id = ${sellerId} and state = 'undone'
    )
    select t.id as "listingId", mine.version, mine.changes,
           coalesce(later.canceled, 0)::integer as canceled,
           coalesce(later.relabeled, 0)::integer as relabeled, coalesce(later.import, false) as "laterImport"
    from unnest(${[...listingIds]}::uuid[]) as t(id)
    left join lateral (
      select version, changes from listing_change
      where listing_id = t.id and change_set_id = ${changeSetId} order by version desc limit 1
    ) mine on true
    left join lateral (
      select count(*) filter (where x.id is not null) as canceled,
             count(*) filter (where s.reason = any(${RELABEL_REASONS})) as relabeled,
             bool_or(s.reason in ('import', 'undo import')) filter (where x.id is null) as import
      from listing_change c
      join change_set s on s.id = c.change_set_id
      left join canceled x on x.id = c.change_set_id and exists (
        select from listing_change o where o.listing_id = t.id and o.change_set_id = x.other)
      where c.listing_id = t.id and c.version > coalesce(mine.version, 1)
    ) later on true
  `.execute(trx)
  return new Map(rows.map((row) => [row.listingId, row]))
}
