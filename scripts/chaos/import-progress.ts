import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** How far an import is: from 0 to 1, and everything that grows on the way as one text. */
export type Progress = {
  readonly share: number
  readonly trace: string
  readonly applied: boolean
  /** Why it will not go on by itself. */
  readonly failure?: string
}

type Row = {
  state: string
  chunk_count: number
  done: number
  promotion: string | null
  actions: number
  applied_through: number
  error: string | null
  checkpoints: string | null
}

// Shares of the way, about as long as they take.
const PLANNED = 0.6
const UPLOADED = 0.5

const NOTHING: Progress = { share: 0, trace: 'nothing', applied: false }

/** Of the import with that key; undefined while the database does not answer. */
export async function readProgress(db: Db, sellerId: string, key: string): Promise<Progress | undefined> {
  try {
    const { rows } = await sql<Row>`
      select i.state, i.chunk_count,
        (select count(*)::int from import_chunk c where c.import_id = i.id and c.done_at is not null) as done,
        p.state as promotion, p.error, coalesce(p.applied_through, 0) as applied_through,
        coalesce((select max(row_no) from promotion_action a where a.promotion_id = p.id), 0) as actions,
        (select jsonb_agg(jsonb_build_array(j.queue, j.status, j.checkpoint, j.progress, j.error) order by j.id)::text
         from job j where j.id in (p.plan_job_id, p.ingest_job_id)) as checkpoints
      from import i left join promotion p on p.import_id = i.id
      where i.seller_id = ${sellerId} and i.key = ${key} and not i.dry_run
      order by p.id desc limit 1`.execute(db)
    return rows[0] ? toProgress(rows[0]) : NOTHING
  } catch {
    return undefined
  }
}

function toProgress(row: Row): Progress {
  const trace = JSON.stringify(row)
  const applied = row.promotion === 'applied'
  // Another attempt of a resumable job is the engine's matter; these states are nobody's any more.
  const stopped = row.promotion === 'failed' || row.promotion === 'review'
  const failure = stopped ? `the promotion is in ${row.promotion}: ${row.error}` : undefined
  return { share: shareOf(row), trace, applied, ...(failure && { failure }) }
}

function shareOf({ state, done, chunk_count, promotion, actions, applied_through }: Row): number {
  if (state === 'receiving') return (UPLOADED * done) / chunk_count
  if (promotion === 'applied') return 1
  if (promotion !== 'applying') return UPLOADED
  return PLANNED + ((1 - PLANNED) * applied_through) / Math.max(1, actions)
}
