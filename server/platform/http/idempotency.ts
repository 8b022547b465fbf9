import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '#server/platform/app-error.ts'
import type { Db } from '#server/platform/database.ts'
import type { RawBody } from './read-body.ts'

export type Remembered = { reply: unknown; replayed: boolean }
type IdempotentRequest = { owner: string; key: string; call: string; raw: RawBody }

/**
 * Runs one creating request at most once for a key. `prepare` reads and computes, and answers with the writing. The
 * writing and the memory of its reply are committed in one transaction: if it fails nothing is remembered and the key
 * can be used again; if its answer is lost, sending it again answers the same.
 * @throws AppError KEY_REUSED when the key came before with other content, STILL_RUNNING while the first is at work
 */
export async function runOnce(
  db: Db,
  request: IdempotentRequest,
  prepare: () => Promise<(trx: Db) => Promise<unknown>>,
): Promise<Remembered> {
  const hash = contentHash(request)
  const known = await findReply(db, request, hash)
  if (known) return known
  const write = await prepare()
  return db.transaction().execute(async (trx) => {
    await lockKey(trx, request)
    const meanwhile = await findReply(trx, request, hash)
    if (meanwhile) return meanwhile
    const reply = await write(trx)
    await sql`
      insert into idempotency_record (owner, key, request_hash, reply)
      values (${request.owner}, ${request.key}, ${hash}, ${JSON.stringify(reply)})
    `.execute(trx)
    return { reply, replayed: false }
  })
}

/** A password kept under a fast hash could be guessed from the table, however slow its real hash is. */
function withoutPasswords(name: string, value: unknown): unknown {
  return /password/i.test(name) ? undefined : value
}

function contentHash({ call, raw }: IdempotentRequest): Buffer {
  const body = JSON.stringify(raw.body ?? null, withoutPasswords)
  const hash = createHash('sha256').update(`${call}\n${body}\n`)
  if (raw.file) hash.update(raw.file.bytes)
  if (raw.upload) hash.update(raw.upload.sha256)
  return hash.digest()
}

/** The lock is tried, not waited for: a request that hangs on its twin would hold a connection for nothing. */
async function lockKey(trx: Db, { owner, key }: IdempotentRequest): Promise<void> {
  const { rows } = await sql<{ locked: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`idempotency:${owner}:${key}`}, 0)) as locked
  `.execute(trx)
  if (!rows[0]?.locked) {
    throw new AppError('STILL_RUNNING', 'The first request with this Idempotency-Key is still running.', {
      retryAfterSeconds: 1,
    })
  }
}

async function findReply(
  db: Db,
  { owner, key }: IdempotentRequest,
  hash: Buffer,
): Promise<Remembered | undefined> {
  const { rows } = await sql<{ request_hash: Buffer; reply: unknown }>`
    select request_hash, reply from idempotency_record where owner = ${owner} and key = ${key}
  `.execute(db)
  const [known] = rows
  if (!known) return undefined
  if (!known.request_hash.equals(hash)) {
    throw new AppError(
      'KEY_REUSED',
      'This Idempotency-Key was already used for another request. Use a new one.',
    )
  }
  return { reply: known.reply, replayed: true }
}
