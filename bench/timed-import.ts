import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StagedReply } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type ProSeller, postTo, sendImport } from '#tests/support/import-client.ts'

/* A whole import as a seller runs it, with the time of every step as the installation itself wrote it down. */

type At = { readonly address: string; readonly seller: ProSeller }

const LOOK_MS = 200

/** Sends a file in one piece. The time runs from its first byte to the answer: spooled, read, checked, stored. */
export async function timeStaging(
  { address, seller }: At,
  path: string,
): Promise<{ importId: string; ms: number }> {
  const begin = performance.now()
  const file = await openAsBlob(path)
  const { importId } = await sendImport<StagedReply>(address, seller, { key: path, mode: 'add', file })
  return { importId, ms: performance.now() - begin }
}

/** Waits until a staged import is live; answers how long its two jobs ran, and how many listings it made. */
export async function timeGoingLive(db: Db, importId: string) {
  const done = await untilState(db, importId, 'applied')
  const [planMs, applyMs] = [await jobMs(db, done.plan_job_id), await jobMs(db, done.ingest_job_id)]
  return { planMs, applyMs, live: done.created }
}

/** Takes an import back; answers how long its job ran. */
export async function timeUndo(db: Db, { address, seller }: At, importId: string): Promise<number> {
  await postTo(`${address}/api/pro/imports/${importId}/undo`, seller)
  const done = await untilState(db, importId, 'undone')
  return jobMs(db, done.undo_job_id)
}

async function untilState(db: Db, importId: string, state: string) {
  for (;;) {
    const found = await db
      .selectFrom('promotion')
      .select(['state', 'error', 'created', 'plan_job_id', 'ingest_job_id', 'undo_job_id'])
      .where('import_id', '=', importId)
      .executeTakeFirst()
    if (found?.state === state) return found
    if (found?.state === 'failed' || found?.state === 'review') {
      throw new Error(`The import stopped in state ${found.state}: ${found.error ?? ''}`)
    }
    await sleep(LOOK_MS)
  }
}

/** From the moment a worker had it; a job says so in its record when it has ended. */
async function jobMs(db: Db, jobId: string | null): Promise<number> {
  for (;;) {
    const { rows } = await sql<{ ms: number | null }>`
      select (extract(epoch from ended_at - started_at) * 1000)::float8 as ms from job where id = ${jobId}`.execute(
      db,
    )
    const ms = rows[0]?.ms
    if (ms !== null && ms !== undefined) return ms
    await sleep(LOOK_MS)
  }
}
