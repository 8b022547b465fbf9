import { sql } from 'kysely'
import { datasetOf } from '#contract/admin/staging.ts'
import type { ImportQuestion } from '#contract/imports.ts'
import { kindOf, nounOf } from '#server/features/market/lookups/lookup-kind.ts'
import { findCarModel, findLookup } from '#server/features/market/lookups/lookup-queries.ts'
import { LEAVE_OUT, type NameAnswer, saveNameAnswers } from '#server/features/market/lookups/name-answers.ts'
import { listForeignNames, shareName } from '#server/features/market/lookups/new-names.ts'
import type { PromotionRow } from '#server/features/stock-files/promotion/promotions.ts'
import { findPromotionOfImport } from '#server/features/stock-files/promotion/summaries.ts'
import {
  findStagingFile,
  findStagingName,
  lockStagingFile,
  repeatVersion,
} from '#server/features/stock-files/store/staged-files.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { startPromotion } from './promote.ts'

/* Questions to the seller about names in an import. Once they are answered, the rows that waited go live. */

/** The open questions of an import's current plan, and how many rows wait. */
export async function readQuestions(
  db: Db,
  importId: string,
): Promise<{ held: number; questions: ImportQuestion[] }> {
  const promotion = await findPromotionOfImport(db, importId)
  if (!promotion || promotion.waiting === 0) return { held: 0, questions: [] }
  // Rows answered in the meantime are published once the rest of the import is live.
  const { rows } = await sql<{ questions: ImportQuestion[] }>`
    select coalesce(jsonb_agg(q.value order by q.place), '[]') as questions
    from promotion p cross join jsonb_array_elements(p.questions) with ordinality q(value, place)
    where p.id = ${promotion.id} and not exists (
      select from name_answer a
      where a.seller_id = p.seller_id and a.answered_at > p.planned_at
        and a.kind = replace(q.value ->> 'kind', '-', '_')
        and a.typed_key = name_key(q.value ->> 'typed') and a.about_key = name_key(q.value ->> 'about'))
  `.execute(db)
  return { held: promotion.waiting, questions: rows[0]?.questions ?? [] }
}

type SentAnswer = Pick<ImportQuestion, 'kind' | 'typed' | 'about'> & {
  readonly lookupId: string | null
  readonly leaveOut?: boolean | undefined
}

/**
 * Saves what names in the yard's files mean, and publishes the rows that waited for that. Returns their imports. If the
 * rest of an import is not live yet, its waiting rows follow.
 * @throws AppError VALIDATION_FAILED if a chosen lookup does not exist
 */
export function answerNames(
  db: Db,
  { actor, ip, requestId, answers }: Caller & { readonly answers: readonly SentAnswer[] },
): Promise<string[]> {
  const { userId, sellerId } = actor
  return inTransaction(db, async (trx) => {
    const named: NameAnswer[] = []
    for (const [at, answer] of answers.entries())
      named.push(await toNameAnswer(trx, { sellerId, userId }, answer, at))
    await saveNameAnswers(trx, sellerId, { answers: named, answeredBy: userId })
    const importIds: string[] = []
    for (const waiting of await listWaiting(trx, sellerId)) {
      await promoteWaitingRows(trx, waiting, userId)
      importIds.push(waiting.importId)
    }
    const detail = { answers: named.length, imports: importIds.length }
    await writeAudit(trx, {
      action: 'names-answered',
      actorUserId: userId,
      target: sellerId,
      ip,
      requestId,
      detail,
    })
    return importIds
  })
}

async function toNameAnswer(
  trx: Db,
  by: { sellerId: string; userId: string },
  answer: SentAnswer,
  at: number,
): Promise<NameAnswer> {
  const { typed, about, lookupId, leaveOut } = answer
  const kind = kindOf(answer.kind)
  if (leaveOut) return { kind, typed, about, means: LEAVE_OUT }
  if (lookupId === null) {
    if (kind === 'category') throw wrongAnswer(at, 'Choose the category that it belongs to.')
    return { kind, typed, about, means: null }
  }
  const found =
    kind === 'car_model' ? await findModel(trx, about, lookupId) : await findLookup(trx, kind, lookupId)
  if (!found || !(await mayMean(trx, by.sellerId, found.id)))
    throw wrongAnswer(at, `There is no such ${nounOf(kind)}. Choose one from the list.`)
  await shareName(trx, { kind, id: found.id, ...by })
  return { kind, typed, about, means: found.name }
}

/** A name that only another yard's file made is for yards that may share it, and for those that were offered it. */
async function mayMean(trx: Db, sellerId: string, id: string): Promise<boolean> {
  const [foreign] = await listForeignNames(trx, sellerId, [id])
  if (!foreign || foreign.isOpen) return true
  const { rows } = await sql`
    select from promotion where seller_id = ${sellerId} and waiting > 0 and strpos(questions::text, ${id}) > 0 limit 1
  `.execute(trx)
  return rows.length > 0
}

async function findModel(trx: Db, manufacturer: string, modelId: string) {
  const make = await findLookup(trx, 'manufacturer', manufacturer)
  return make && findCarModel(trx, make.id, modelId)
}

const wrongAnswer = (at: number, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [`answers.${at}.lookupId`]: sentence } })

/** A live promotion with rows that wait for its seller's answers. */
type WaitingPromotion = Pick<PromotionRow, 'id' | 'fileId' | 'sellerId'> & { readonly importId: string }

/**
 * The seller's live promotions with rows that wait, oldest first. A later full stock lists all that the yard has, so
 * waiting rows of earlier files are no longer published. While the rest of a first import waits, so do these rows.
 */
async function listWaiting(trx: Db, sellerId: string): Promise<WaitingPromotion[]> {
  const { rows } = await sql<WaitingPromotion>`
    select p.id, p.import_id as "importId", p.file_id as "fileId", p.seller_id as "sellerId" from promotion p
    where p.seller_id = ${sellerId} and p.waiting > 0 and p.import_id is not null
      and p.state in ('applying', 'applied') and p.live_through is null
      and not exists (select from promotion n where n.file_id = p.file_id and n.id > p.id
                      and n.state not in ('undone', 'failed'))
      and not exists (select from promotion n where n.seller_id = p.seller_id and n.id > p.id and n.mode = 'replace'
                      and n.file_id <> p.file_id and n.state in ('applying', 'applied'))
    order by p.id
  `.execute(trx)
  return rows
}

/**
 * Publishes the waiting rows as the next version of their file: its plan resolves the names again, now with the
 * answers.
 */
async function promoteWaitingRows(
  trx: Db,
  { id, importId, fileId, sellerId }: WaitingPromotion,
  userId: string | undefined,
): Promise<void> {
  await lockStagingFile(trx, fileId)
  const name = await findStagingName(trx, fileId)
  const file = name && (await findStagingFile(trx, name.root, name.path))
  if (!file) throw new Error(`the file of import ${importId} is gone`)
  const version = await repeatVersion(trx, file, { message: 'Names answered', authorUserId: userId })
  await startPromotion(trx, {
    fileId,
    version,
    sellerId,
    importId,
    // The rest of the file is live, and may have been sold since.
    mode: 'add',
    dataset: datasetOf(file.root),
    ...(userId && { createdBy: userId }),
    continues: id,
  })
}

/** Publishes the waiting rows of a promotion whose names the seller explained before all other rows were live. */
export async function promoteAnsweredRows(trx: Db, { id, sellerId }: PromotionRow): Promise<void> {
  const waiting = (await listWaiting(trx, sellerId)).find((promotion) => promotion.id === id)
  if (!waiting) return
  const { rows } = await sql<{ answeredBy: string | null }>`
    select a.answered_by as "answeredBy" from name_answer a join promotion p on p.seller_id = a.seller_id
    where p.id = ${id} and a.answered_at > p.planned_at order by a.answered_at desc limit 1
  `.execute(trx)
  if (rows[0]) await promoteWaitingRows(trx, waiting, rows[0].answeredBy ?? undefined)
}
