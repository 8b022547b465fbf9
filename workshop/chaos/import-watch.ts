import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'

/** How far an import is, from 0 to 1, and everything that changes on the way as one text. */
type Progress = {
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
}

const NOTHING: Progress = { share: 0, trace: 'nothing', applied: false }
// Shares of the way, about as long as they take.
const UPLOADED = 0.5
const PLANNED = 0.6

/** Of the seller's latest import after the `skipped` first ones; undefined while the database is away. */
async function readProgress(db: Db, sellerId: string, skipped: number): Promise<Progress | undefined> {
  try {
    const { rows } = await sql<Row>`
      select i.state, i.chunk_count,
        (select count(*)::int from import_chunk c where c.import_id = i.id and c.done_at is not null) as done,
        p.state as promotion, p.error, coalesce(p.applied_through, 0) as applied_through,
        coalesce((select max(row_no) from promotion_action a where a.promotion_id = p.id), 0) as actions,
        (select jsonb_agg(jsonb_build_array(j.queue, j.status, j.checkpoint, j.progress, j.error) order by j.id)::text
         from job j where j.id in (p.plan_job_id, p.ingest_job_id)) as jobs
      from (select * from import where seller_id = ${sellerId} and not dry_run order by id limit 1 offset ${skipped}) i
      left join promotion p on p.import_id = i.id
      order by p.id desc limit 1`.execute(db)
    return rows[0] ? progressOf(rows[0]) : NOTHING
  } catch {
    return undefined
  }
}

function progressOf(row: Row): Progress {
  const { promotion, error } = row
  // Retrying a resumable job is up to the engine; from these states nobody continues.
  const isStuck = promotion === 'failed' || promotion === 'review'
  return {
    share: shareOf(row),
    trace: JSON.stringify(row),
    applied: promotion === 'applied',
    ...(isStuck && { failure: `the promotion is in ${promotion}: ${error}` }),
  }
}

function shareOf({ state, done, chunk_count, promotion, actions, applied_through }: Row): number {
  if (state === 'receiving') return (UPLOADED * done) / chunk_count
  if (promotion === 'applied') return 1
  if (promotion !== 'applying') return UPLOADED
  return PLANNED + ((1 - PLANNED) * applied_through) / Math.max(1, actions)
}

// Often enough to hit the moments between two pages; a page of a small import takes some tens of milliseconds.
const LOOK_MS = 20
/** No import may stand still for longer, whatever was killed. */
const LONGEST_STILL_MS = 30_000

/** Something that happens `laterMs` after the import has come this far (0 to 1). */
export type Timed = { readonly at: number; readonly laterMs: number }

/** Watches an import and measures how long it stood still; time in which nobody could make progress does not count. */
export class ImportWatch {
  readonly #read: () => Promise<Progress | undefined>
  #share = 0
  #trace = ''
  #movedAt = Date.now()
  #away = 0
  longestStillMs = 0

  /** `skipped` imports of the seller came before. */
  constructor(db: Db, sellerId: string, skipped: number) {
    this.#read = () => readProgress(db, sellerId, skipped)
  }

  /** Something makes progress impossible, or no longer does. */
  away(isAway: boolean): void {
    this.#away += isAway ? 1 : -1
    this.#movedAt = Date.now()
  }

  /** Resolves when it is applied; rejects when it failed or stood still for too long. */
  async untilApplied(): Promise<void> {
    this.#movedAt = Date.now()
    for (;;) {
      const progress = await this.#read()
      if (progress?.failure) throw new Error(progress.failure)
      this.#note(progress)
      if (progress?.applied) return
      await sleep(LOOK_MS)
    }
  }

  /** Runs an import while events happen along its way; resolves when both are over. */
  async importAmid<Event extends Timed>(
    events: readonly Event[],
    happen: (event: Event) => Promise<void>,
    run: (signal: AbortSignal) => Promise<void>,
  ): Promise<void> {
    const over = new AbortController()
    const happenings = Promise.all(
      events.map(async (event) => {
        while (this.#share < event.at && !over.signal.aborted) await sleep(LOOK_MS)
        await sleep(event.laterMs)
        await happen(event)
      }),
    )
    // Awaited below; one that fails early must not end this program.
    happenings.catch(() => undefined)
    try {
      await run(over.signal)
    } finally {
      over.abort()
      // The failure of the import is reported, whatever fails after it.
      await Promise.allSettled([happenings])
    }
    await happenings
  }

  #note(progress: Progress | undefined): void {
    const now = Date.now()
    if (progress && progress.trace !== this.#trace) {
      this.#share = progress.share
      this.#trace = progress.trace
      this.#movedAt = now
    }
    if (this.#away > 0) return
    const stillMs = now - this.#movedAt
    this.longestStillMs = Math.max(this.longestStillMs, stillMs)
    if (stillMs > LONGEST_STILL_MS) {
      throw new Error(`nothing moved for ${Math.round(stillMs / 1_000)} s; the last state was ${this.#trace}`)
    }
  }
}
