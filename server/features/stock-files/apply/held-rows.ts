import { sql } from 'kysely'
import type { HeldAnswer, ImportReceipt } from '#contract/imports.ts'
import { LISTING_TITLE } from '#server/features/market/listings/titles.ts'
import { holdLookups } from '#server/features/market/lookups/lookup-changes.ts'
import { enqueuePictures } from '#server/features/market/pictures/store-picture.ts'
import { textOfRow } from '#server/features/stock-files/identity/listed-part.ts'
import { listWronglyFilled } from '#server/features/stock-files/identity/older-reading.ts'
import type { PlannedAction } from '#server/features/stock-files/identity/sources.ts'
import { listLeftOut } from '#server/features/stock-files/plan/left-out.ts'
import { titleOfPart } from '#server/features/stock-files/plan/show-plan.ts'
import type { PromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import { StagedRowReader } from '#server/features/stock-files/store/read-contents.ts'
import { listSegments } from '#server/features/stock-files/store/staged-files.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { PageSums } from './actions.ts'
import { loadNames } from './apply-promotions.ts'
import { type ApplyRun, prepareActions } from './prepare-page.ts'
import { writeRows } from './write-page.ts'

/*
 * Rows that a plan held back for the seller's answer. An answered row becomes an action of its promotion and is undone
 * with it.
 */

/** The rows without an answer: how many there are, and the first `limit` in detail. */
export async function listHeldRows(
  db: Db,
  files: FileStore,
  { promotion, limit }: { promotion: PromotionRow; limit: number },
): Promise<ImportReceipt['held']> {
  const { rows: found } = await sql<{
    record: number
    id: string
    partslug: string
    title: string
    repeats: boolean
    total: number
  }>`
    select h.row_no as record, h.repeats, l.id, l.slug as partslug, count(*) over ()::integer as total,
           ${LISTING_TITLE} as title
    from promotion_held_row h join listing l on l.id = h.listing_id
    where h.promotion_id = ${promotion.id} and h.answer is null
    order by h.row_no limit ${limit}
  `.execute(db)
  if (found.length === 0) return { total: 0, rows: [] }
  const reader = new StagedRowReader(files, await listSegments(db, promotion.fileId, promotion.version))
  const texts = await reader.read(found.map(({ record }) => record))
  const inFile = new Map((await listLeftOut(db, promotion.id)).map((row) => [row.rowNo, row.inFile?.rowNo]))
  const rows = found.map(({ record, repeats, total: _, ...listing }, at) => ({
    record,
    repeats,
    row: inFile.get(record) ?? null,
    part: titleOfPart(textOfRow(texts[at] ?? {}, promotion.fields ?? []), undefined),
    listing,
  }))
  return { total: found[0]?.total ?? 0, rows }
}

type AnswerRequest = {
  readonly promotion: PromotionRow
  readonly answer: HeldAnswer
  /** Undefined for all. */
  readonly records: readonly number[] | undefined
  readonly userId: string
}

/**
 * Applies the seller's answer to held rows of a locked promotion that is live. Returns how many rows it settled.
 * @throws AppError CONFLICT if none is still open
 */
export async function answerHeldRows(
  trx: Db,
  deps: { files: FileStore; now: () => Date },
  request: AnswerRequest,
): Promise<number> {
  const { promotion } = request
  const lookupVersion = await holdLookups(trx)
  const actions = await openActions(trx, request)
  const applyRun = await openApplyRun(trx, deps, { promotion, lookupVersion })
  const page = applyRun && (await prepareActions(applyRun, actions, { after: 0, keepsAll: true }))
  if (!page) {
    throw new AppError('CONFLICT', 'These rows were already answered, or a later import includes them.')
  }
  await insertActions(trx, promotion.id, actions)
  const sums = await writeRows(trx, applyRun, page)
  await countAnswered(trx, request, { actions, sums })
  if (promotion.fields?.includes('imageUrl')) await enqueuePictures(trx, promotion.sellerId)
  return actions.length
}

// One transaction of a few seconds.
const MAX_ANSWERED = 1_000

/**
 * The actions of the answered rows, in row order. Rows whose stock number is in a later import are left to that import,
 * since its file is newer.
 */
async function openActions(trx: Db, { promotion, answer, records }: AnswerRequest): Promise<PlannedAction[]> {
  const { rows } = await sql<PlannedAction>`
    select h.row_no as "rowNo", case when ${answer} = 'new' then 'create' else 'update' end as action,
           case when ${answer} = 'same' then h.listing_id end as "listingId",
           encode(case when ${answer} = 'same' and s.listing_id is not null then s.source_key else h.source_key end, 'hex') as key,
           case when ${answer} = 'same' and s.listing_id is not null then s.ordinal else coalesce((
             select max(o.ordinal) from listing_source o
             where o.seller_id = ${promotion.sellerId} and o.source_key = h.source_key
           ), 0) + 1 end as ordinal,
           encode(h.content_hash, 'hex') as hash, h.copies, encode(h.part_key, 'hex') as "partKey",
           encode(h.part_hash, 'hex') as "partHash", encode(h.row_digest, 'hex') as digest,
           encode(p.content_hash, 'hex') as "priorHash", p.copies as "priorCopies",
           encode(p.part_hash, 'hex') as "priorPartHash", encode(p.row_digest, 'hex') as "priorDigest",
           p.listing_version as "priorVersion", p.said::text as "priorSaid",
           null as "priorKey", null::integer as "priorOrdinal"
    from promotion_held_row h
    join listing l on l.id = h.listing_id
    left join listing_source s on s.listing_id = h.listing_id
    left join listing_source p on p.listing_id = h.listing_id and ${answer} = 'same'
    where h.promotion_id = ${promotion.id} and h.answer is null
      and (${answer} = 'new' or l.deleted_at is null)
      and (${records === undefined} or h.row_no = any(${[...(records ?? [])]}::integer[]))
      and not exists (
        select from listing_source o
        where o.seller_id = ${promotion.sellerId} and o.source_key = h.source_key and o.promotion_id > h.promotion_id)
      and not exists (
        select from promotion_held_row o join promotion q on q.id = o.promotion_id
        where q.seller_id = ${promotion.sellerId} and q.id > h.promotion_id and q.state in ('applying', 'applied')
          and o.source_key = h.source_key)
    order by h.row_no limit ${MAX_ANSWERED}
    for update of h
  `.execute(trx)
  return rows
}

async function openApplyRun(
  trx: Db,
  { files, now }: { files: FileStore; now: () => Date },
  { promotion, lookupVersion }: { promotion: PromotionRow; lookupVersion: number },
): Promise<ApplyRun | undefined> {
  const { changeSetId, fileId, version } = promotion
  if (changeSetId === null) return undefined
  return {
    db: trx,
    files,
    now,
    // All in the caller's transaction.
    run: { withFence: (work) => work(trx), saveCheckpoint: () => Promise.resolve() },
    promotion,
    changeSetId,
    liveThrough: null,
    rows: new StagedRowReader(files, await listSegments(trx, fileId, version)),
    madeUp: await listWronglyFilled(trx, promotion.importId),
    ...(await loadNames(trx)),
    lookupVersion,
    slugTail: 12,
  }
}

async function insertActions(trx: Db, promotionId: string, actions: readonly PlannedAction[]): Promise<void> {
  await sql`
    insert into promotion_action (promotion_id, row_no, action, listing_id, source_key, ordinal, content_hash, copies,
                                  prior_hash, prior_copies, part_key, part_hash, prior_part_hash, row_digest,
                                  prior_digest, prior_version, prior_said)
    select ${promotionId}::uuid, t."rowNo", t.action, t."listingId", decode(t.key, 'hex'), t.ordinal,
           decode(t.hash, 'hex'), t.copies, decode(t."priorHash", 'hex'), t."priorCopies", decode(t."partKey", 'hex'),
           decode(t."partHash", 'hex'), decode(t."priorPartHash", 'hex'), decode(t.digest, 'hex'),
           decode(t."priorDigest", 'hex'), t."priorVersion", t."priorSaid"::jsonb
    from jsonb_to_recordset(${JSON.stringify(actions)}::jsonb)
           as t("rowNo" integer, action text, "listingId" uuid, key text, ordinal integer, hash text, copies integer,
             "priorHash" text, "priorCopies" integer, "partKey" text, "partHash" text, "priorPartHash" text,
             digest text, "priorDigest" text, "priorVersion" integer, "priorSaid" text)
  `.execute(trx)
}

/** Marks the rows as answered and adds them to the promotion's counts. */
async function countAnswered(
  trx: Db,
  { promotion, answer, userId }: AnswerRequest,
  { actions, sums }: { actions: readonly PlannedAction[]; sums: PageSums },
): Promise<void> {
  const rowNos = actions.map(({ rowNo }) => rowNo)
  const rows = actions.reduce((sum, { copies }) => sum + copies, 0)
  const [created, updated] = answer === 'new' ? [actions.length, 0] : [0, actions.length]
  await sql`
    update promotion_held_row set answer = ${answer}, answered_by = ${userId}, answered_at = now()
    where promotion_id = ${promotion.id} and row_no = any(${rowNos}::integer[])
  `.execute(trx)
  await sql`
    update promotion
    set applied = applied + ${actions.length}, created = created + ${sums.created}, updated = updated + ${sums.updated},
        to_create = to_create + ${created}, to_update = to_update + ${updated}, refused = refused - ${rows},
        merged = merged + ${rows - actions.length},
        applied_through = greatest(applied_through, ${Math.max(...rowNos)}), touched_at = clock_timestamp(),
        left_out = coalesce((
          select jsonb_agg(e order by at) from jsonb_array_elements(left_out) with ordinality as x(e, at)
          where e ->> 'why' <> 'held' or (e ->> 'rowNo')::integer <> all(${rowNos}::integer[])
        ), '[]')
    where id = ${promotion.id}
  `.execute(trx)
}
