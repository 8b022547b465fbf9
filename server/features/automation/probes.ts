import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'

/** Reads the server's version and the number of unfinished jobs. */
async function readDatabaseState(db: Db): Promise<{ version: string; jobs: number }> {
  const { rows } = await sql<{ version: string; jobs: number }>`
    select current_setting('server_version') as version, count(*) as jobs
    from job where status in ('queued', 'retrying', 'running', 'waiting-manual')`.execute(db)
  const [state] = rows
  if (!state) throw new Error('the database returned no row')
  return state
}

export type DatabaseProbe = {
  readonly version: string
  /** Of several round trips, in ms. */
  readonly fastestMs: number
  readonly slowestMs: number
  readonly jobs: number
}

const ROUND_TRIPS = 20

/** Measures the round-trip time to the database. Writes nothing. */
export async function probeDatabase(db: Db): Promise<DatabaseProbe> {
  const times: number[] = []
  let state = await readDatabaseState(db)
  for (let trip = 0; trip < ROUND_TRIPS; trip += 1) {
    const began = performance.now()
    state = await readDatabaseState(db)
    times.push(performance.now() - began)
  }
  return { ...state, fastestMs: Math.min(...times), slowestMs: Math.max(...times) }
}

export type FileProbe = {
  readonly bytes: number
  readonly writeMs: number
  readonly readMs: number
  readonly deleteMs: number
}

// About the size of a picture.
const BYTES = 256 * 1024

/**
 * Writes a file of random bytes, reads it back, compares and deletes it.
 * @throws Error if the bytes differ or the file is not deleted
 */
export async function probeFiles(files: FileStore, key: string): Promise<FileProbe> {
  const content = randomBytes(BYTES)
  const writeMs = await timed(() => files.put(key, content))
  let read = ''
  const readMs = await timed(async () => {
    read = await digestOf(await files.get(key))
  })
  const deleteMs = await timed(() => files.delete(key))
  if (read !== createHash('sha256').update(content).digest('hex')) {
    throw new Error('The file store returned different bytes than were written.')
  }
  if (await files.exists(key)) throw new Error('The file store kept a deleted file.')
  return { bytes: BYTES, writeMs, readMs, deleteMs }
}

async function digestOf(content: AsyncIterable<Buffer> | undefined): Promise<string> {
  if (!content) throw new Error('The file store lost a file right after it was written.')
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk)
  return hash.digest('hex')
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}
