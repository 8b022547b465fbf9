import { sql } from 'kysely'
import type { ImportQuestion } from '#contract/imports.ts'
import { datasetOf } from '#contract/staging.ts'
import { kindOf, nounOf } from '#server/features/lookups/lookup-kind.ts'
import { findCarModel, findLookup } from '#server/features/lookups/lookup-queries.ts'
import { type NameAnswer, saveNameAnswers } from '#server/features/lookups/name-answers.ts'
import { findPromotionOfImport } from '#server/features/stock-files/plan/planned-rows.ts'
import { startPromotion } from '#server/features/stock-files/plan/promote.ts'
import {
  findStagingFile,
  lockStagingFile,
  repeatVersion,
} from '#server/features/stock-files/store/staged-files.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/* What a seller is asked about the names in an import, and the answers: rows that waited for them go live. */

/** The questions of an import's current plan, and how many rows wait. */
export async function readQuestions(
  db: Db,
  importId: string,
): Promise<{ held: number; questions: ImportQuestion[] }> {
  const promotion = await findPromotionOfImport(db, importId)
  if (!promotion || promotion.waiting === 0) return { held: 0, questions: [] }
  const { rows } = await sql<{ questions: ImportQuestion[] }>`
    select questions from promotion where id = ${promotion.id}
  `.execute(db)
  return { held: promotion.waiting, questions: rows[0]?.questions ?? [] }
}

type SentAnswer = Pick<ImportQuestion, 'kind' | 'typed' | 'about'> & { readonly lookupId: string | null }

/**
 * Remembers what names in the yard's files mean, and publishes the rows that waited for it. Returns their imports.
 * @throws AppError VALIDATION_FAILED if a chosen lookup does not exist
 */
export function answerNames(
  db: Db,
  { actor, ip, requestId, answers }: Caller & { readonly answers: readonly SentAnswer[] },
): Promise<string[]> {
  const { userId, sellerId } = actor
  return inTransaction(db, async (trx) => {
    const named: NameAnswer[] = []
    for (const [at, answer] of answers.entries()) named.push(await toNameAnswer(trx, answer, at))
    await saveNameAnswers(trx, sellerId, { answers: named, answeredBy: userId })
    const importIds: string[] = []
    for (const waiting of await listWaiting(trx, sellerId)) {
      await publishWaiting(trx, waiting, { sellerId, userId })
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

async function toNameAnswer(trx: Db, answer: SentAnswer, at: number): Promise<NameAnswer> {
  const { typed, about, lookupId } = answer
  const kind = kindOf(answer.kind)
  if (lookupId === null) {
    if (kind === 'category') throw wrongAnswer(at, 'Choose the category that it belongs to.')
    return { kind, typed, about, means: null }
  }
  const found =
    kind === 'car_model' ? await findModel(trx, about, lookupId) : await findLookup(trx, kind, lookupId)
  if (!found) throw wrongAnswer(at, `There is no such ${nounOf(kind)}. Choose one from the list.`)
  return { kind, typed, about, means: found.name }
}

async function findModel(trx: Db, manufacturer: string, modelId: string) {
  const make = await findLookup(trx, 'manufacturer', manufacturer)
  return make && findCarModel(trx, make.id, modelId)
}

const wrongAnswer = (at: number, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [`answers.${at}.lookupId`]: sentence } })

type WaitingPromotion = { id: string; importId: string; fileId: string; root: string; path: string }

/**
 * The seller's live promotions with rows that wait, oldest first. A later full stock says what the yard has, so rows that
 * wait in files before it are not published any more.
 */
async function listWaiting(trx: Db, sellerId: string): Promise<WaitingPromotion[]> {
  const { rows } = await sql<WaitingPromotion>`
    select p.id, p.import_id as "importId", p.file_id as "fileId", f.root, f.path
    from promotion p join staging_file f on f.id = p.file_id
    where p.seller_id = ${sellerId} and p.waiting > 0 and p.import_id is not null
      and p.state in ('applying', 'applied')
      and not exists (select from promotion n where n.file_id = p.file_id and n.id > p.id
                      and n.state not in ('undone', 'failed'))
      and not exists (select from promotion n where n.seller_id = p.seller_id and n.id > p.id and n.mode = 'replace'
                      and n.file_id <> p.file_id and n.state in ('applying', 'applied'))
    order by p.id
  `.execute(trx)
  return rows
}

/** As the next version of its file: an import job resolves the names again, now with the answers. */
async function publishWaiting(
  trx: Db,
  { id, importId, fileId, root, path }: WaitingPromotion,
  { sellerId, userId }: { sellerId: string; userId: string },
): Promise<void> {
  await lockStagingFile(trx, fileId)
  const file = await findStagingFile(trx, ROOT, path)
  if (!file || root !== ROOT) throw new Error(`the file of import ${importId} is gone`)
  const version = await repeatVersion(trx, file, { message: 'Names answered', authorUserId: userId })
  await startPromotion(trx, {
    fileId,
    version,
    sellerId,
    importId,
    // The rest of the file is live, and may have been sold since.
    mode: 'add',
    dataset: datasetOf(ROOT),
    createdBy: userId,
    continues: id,
  })
}

const ROOT = 'ecomm'
