import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { NewPromotion } from './promotion-state.ts'

/** Answers undefined where the version has a promotion already that was neither undone nor failed. */
export async function insertPromotion(trx: Db, started: NewPromotion): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    insert into promotion (file_id, version, seller_id, import_id, dataset, dataset_tag, mode, approved_by, approved_at)
    values (${started.fileId}, ${started.version}, ${started.sellerId}, ${started.importId ?? null},
            ${started.dataset}, ${started.datasetTag ?? null}, ${started.mode}, ${started.approvedBy ?? null},
            case when ${started.approvedBy !== undefined} then now() end)
    on conflict (file_id, version) where state not in ('undone', 'failed') do nothing
    returning id
  `.execute(trx)
  return rows[0]?.id
}

export async function findStartedPromotion(
  db: Db,
  file: { fileId: string; version: number },
): Promise<{ promotionId: string; jobId: string }> {
  const { rows } = await sql<{ promotionId: string; jobId: string }>`
    select id as "promotionId", plan_job_id as "jobId" from promotion
    where file_id = ${file.fileId} and version = ${file.version} and state not in ('undone', 'failed')
  `.execute(db)
  const [found] = rows
  if (!found) throw new Error(`version ${file.version} of file ${file.fileId} has no promotion`)
  return found
}

export async function setPlanJob(trx: Db, promotionId: string, jobId: string): Promise<void> {
  await sql`update promotion set plan_job_id = ${jobId} where id = ${promotionId}`.execute(trx)
}
