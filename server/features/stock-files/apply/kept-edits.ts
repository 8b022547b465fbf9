import { sql } from 'kysely'
import type { ImportReceipt } from '#contract/imports.ts'
import type { ListingField } from '#contract/listing/listing-fields.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import {
  categoriesIn,
  changedFields,
  listCategoryNames,
  type RecordedChange,
} from '#server/features/market/history/changes.ts'
import { LISTING_TITLE } from '#server/features/market/listings/titles.ts'
import {
  type BulkChange,
  changeListings,
  diffColumns,
  lockListings,
} from '#server/features/market/listings/write-queries.ts'
import { holdLookups } from '#server/features/market/lookups/lookup-changes.ts'
import { enqueuePictures } from '#server/features/market/pictures/store-picture.ts'
import { followingTexts } from '#server/features/market/writing/following-texts.ts'
import { findScriptProse } from '#server/features/market/writing/script-prose.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { writePictures } from './write-page.ts'

/*
 * Manual edits that an import kept although its file had new values, and how a seller replaces them with the file's
 * values.
 */

/** Column → [listing's value, row's value]. */
type KeptColumns = Readonly<Record<string, readonly [edited: JsonValue, file: JsonValue]>>

/** How many listings have kept edits, and the first `limit` in detail. */
export async function listKeptEdits(
  db: Db,
  promotionId: string,
  limit: number,
): Promise<ImportReceipt['kept']> {
  const { rows: found } = await sql<{
    record: number
    edits: KeptColumns
    canUse: boolean
    listing: { id: string; partslug: string; title: string }
    total: number
  }>`
    select a.row_no as record, a.kept_edits as edits, count(*) over ()::integer as total,
           l.deleted_at is null and coalesce(s.promotion_id = a.promotion_id, false) as "canUse",
           jsonb_build_object('id', l.id, 'partslug', l.slug, 'title',
             ${LISTING_TITLE}) as listing
    from promotion_action a
    join listing l on l.id = a.listing_id left join listing_source s on s.listing_id = l.id
    where a.promotion_id = ${promotionId} and a.kept_edits is not null
    order by a.row_no limit ${limit}
  `.execute(db)
  const names = await listCategoryNames(db, categoriesIn(found.map(({ edits }) => edits)))
  const rows = found.map(({ record, edits, canUse, listing }) => ({
    record,
    listing,
    canUse,
    fields: changedFields(edits, (id) => names.get(id) ?? 'a deleted category')
      .filter(({ before, after }) => before !== after)
      .map(({ field, label, before, after }) => ({ field, label, edited: before, file: after })),
  }))
  return { total: found[0]?.total ?? 0, rows }
}

/** Counts only the first of a million changed parts. */
const MOST_CORRECTED = 10_000

/** Which listings an import gave another price, grade or mileage, and the first `limit` in detail. */
export async function listCorrected(
  db: Db,
  { id, changeSetId }: { id: string; changeSetId: string | null },
  limit: number,
): Promise<NonNullable<ImportReceipt['corrected']>> {
  const { rows: found } = await sql<{
    changes: RecordedChange
    listing: { id: string; partslug: string; title: string }
    total: number
  }>`
    select found.changes, count(*) over ()::integer as total,
           jsonb_build_object('id', l.id, 'partslug', l.slug, 'title', ${LISTING_TITLE}) as listing
    from (
      select a.row_no, c.listing_id, c.changes
      from promotion_action a join listing_change c on c.listing_id = a.listing_id and c.change_set_id = ${changeSetId}
      where a.promotion_id = ${id} and a.action = 'update' and c.changes ?| array['price_cents', 'grade', 'miles']
      order by a.row_no limit ${MOST_CORRECTED}
    ) found
    join listing l on l.id = found.listing_id
    order by found.row_no limit ${limit}
  `.execute(db)
  const rows = found.map(({ changes, listing }) => ({
    listing,
    fields: changedFields(changes, (category) => category).filter(({ field }) => correctedFields.has(field)),
  }))
  return { total: found[0]?.total ?? 0, rows }
}

const correctedFields: ReadonlySet<string> = new Set<ListingField>(['partprice', 'partgrade', 'partmiles'])

type Choice = {
  readonly promotionId: string
  readonly changeSetId: string
  readonly sellerId: string
  /** Undefined for all. */
  readonly records: readonly number[] | undefined
}

// One transaction of a few seconds.
const MAX_CHOSEN = 1_000

/**
 * Replaces kept edits of a locked promotion with the file's values, except in listings that a later import has updated
 * since. Returns how many listings it changed.
 * @throws AppError CONFLICT if there are none
 */
export async function useFileValues(trx: Db, choice: Choice): Promise<number> {
  await holdLookups(trx)
  const chosen = await listChosenRows(trx, choice)
  const listings = await lockListings(
    trx,
    chosen.map(({ listingId }) => listingId),
  )
  const prose = await findScriptProse(
    trx,
    [...listings.values()].map(({ description }) => description),
  )
  const changes = chosen.flatMap(({ listingId, edits }): BulkChange[] => {
    const before = listings.get(listingId)
    if (!before || before.deleted_at !== null) return []
    const { imageUrl, ...rest } = edits
    const columns = Object.fromEntries(Object.entries(rest).map(([column, [, file]]) => [column, file]))
    const elsewhere = imageUrl && { imageUrl: [imageUrl[0], imageUrl[1]] as [unknown, unknown] }
    const texts = followingTexts(before, columns, { prose })
    return [{ before, columns: diffColumns(before, { ...texts, ...columns }), elsewhere }]
  })
  if (changes.length === 0) {
    throw new AppError('CONFLICT', 'These values were already used, or a later import has newer ones.')
  }
  await changeListings(trx, await writePictures(trx, changes), choice.changeSetId)
  if (changes.some(({ elsewhere }) => elsewhere)) await enqueuePictures(trx, choice.sellerId)
  await forgetEdits(trx, choice.promotionId, chosen)
  return changes.length
}

type ChosenRow = { rowNo: number; listingId: string; edits: KeptColumns }

/** Skips rows whose category, make or model was deleted since. */
async function listChosenRows(trx: Db, { promotionId, records }: Choice): Promise<ChosenRow[]> {
  const id = (column: string) => sql`(a.kept_edits -> ${column} ->> 1)::uuid`
  const { rows } = await sql<ChosenRow>`
    select a.row_no as "rowNo", a.listing_id as "listingId", a.kept_edits as edits
    from promotion_action a
    join listing_source s on s.listing_id = a.listing_id and s.promotion_id = a.promotion_id
    where a.promotion_id = ${promotionId} and a.kept_edits is not null
      and (${records === undefined} or a.row_no = any(${[...(records ?? [])]}::integer[]))
      and (${id('category_id')} is null or exists (select from category where id = ${id('category_id')}))
      and (${id('manufacturer_id')} is null or exists (select from manufacturer where id = ${id('manufacturer_id')}))
      and (${id('car_model_id')} is null or exists (select from car_model where id = ${id('car_model_id')}))
    order by a.row_no limit ${MAX_CHOSEN}
    for update of s
  `.execute(trx)
  return rows
}

/** These values count as the file's from now on. */
async function forgetEdits(trx: Db, promotionId: string, chosen: readonly ChosenRow[]): Promise<void> {
  const rows = chosen.map(({ listingId, edits }) => ({ listingId, columns: Object.keys(edits) }))
  // The version stays: other edits since the import are still edits.
  await sql`
    update listing_source s
    set said = nullif(s.said - (select array_agg(c) from jsonb_array_elements_text(t.columns) c), '{}')
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t("listingId" uuid, columns jsonb)
    where s.listing_id = t."listingId"
  `.execute(trx)
  await sql`
    update promotion_action set kept_edits = null
    where promotion_id = ${promotionId} and row_no = any(${chosen.map(({ rowNo }) => rowNo)}::integer[])
  `.execute(trx)
  await sql`update promotion set touched_at = clock_timestamp() where id = ${promotionId}`.execute(trx)
}
