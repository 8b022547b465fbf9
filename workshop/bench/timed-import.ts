import { openAsBlob } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { StagedReply } from '#contract/imports.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openProSeller, type ProSeller, postTo, sendImport } from '#tests/support/import-client.ts'
import { writeYardFile, yardRows } from '#tests/support/yard-file.ts'

const LOOK_MS = 200

/** A whole import as a seller runs it, with the time of every step as the installation itself recorded it. */
export class TimedImport {
  readonly #address: string
  readonly #db: Db
  readonly seller: ProSeller
  readonly #path: string
  #importId = ''

  private constructor(address: string, db: Db, seller: ProSeller, path: string) {
    this.#address = address
    this.#db = db
    this.seller = seller
    this.#path = path
  }

  /** The import of a file by a new seller. */
  static async open({ address, db, path }: { address: string; db: Db; path: string }): Promise<TimedImport> {
    return new TimedImport(address, db, await openProSeller(address, db), path)
  }

  /** Sends the file in one piece. Returns the milliseconds until the reply: spooled, read, checked, stored. */
  async stage(): Promise<number> {
    const begin = performance.now()
    const file = await openAsBlob(this.#path)
    const sending = { key: this.#path, mode: 'add', file } as const
    this.#importId = (await sendImport<StagedReply>(this.#address, this.seller, sending)).importId
    return performance.now() - begin
  }

  /** Waits until the staged import is live. Returns how long its two jobs ran, and the number of listings. */
  async goLive(): Promise<{ planMs: number; applyMs: number; live: number }> {
    const done = await this.#untilState('applied')
    const [planMs, applyMs] = [await this.#jobMs(done.plan_job_id), await this.#jobMs(done.ingest_job_id)]
    return { planMs, applyMs, live: done.created }
  }

  /** Undoes the import. Returns how long its job ran. */
  async undo(): Promise<number> {
    await postTo(`${this.#address}/api/pro/imports/${this.#importId}/undo`, this.seller)
    return this.#jobMs((await this.#untilState('undone')).undo_job_id)
  }

  async #untilState(state: string) {
    for (;;) {
      const found = await this.#db
        .selectFrom('promotion')
        .select(['state', 'error', 'created', 'plan_job_id', 'ingest_job_id', 'undo_job_id'])
        .where('import_id', '=', this.#importId)
        .executeTakeFirst()
      if (found?.state === state) return found
      if (found?.state === 'failed' || found?.state === 'review') {
        throw new Error(`The import stopped in state ${found.state}: ${found.error ?? ''}`)
      }
      await sleep(LOOK_MS)
    }
  }

  /** From the moment a worker claimed it; its record has the time once it has ended. */
  async #jobMs(jobId: string | null): Promise<number> {
    for (;;) {
      const { rows } = await sql<{ ms: number | null }>`
        select (extract(epoch from ended_at - started_at) * 1000)::float8 as ms from job where id = ${jobId}`.execute(
        this.#db,
      )
      const ms = rows[0]?.ms
      if (typeof ms === 'number') return ms
      await sleep(LOOK_MS)
    }
  }
}

/** Writes a yard's file of this many rows. Returns its length in bytes. */
export const writeRows = (path: string, rows: number, seed: string): Promise<number> =>
  writeYardFile(path, yardRows(rows, seed))
