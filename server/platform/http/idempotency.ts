import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { COST, slowDigest } from '#server/platform/processes/concurrency.ts'
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
  const known = await findRecord(db, request)
  if (known) return answerAgain(known, await contentHash(request))
  const write = await prepare()
  const hash = await contentHash(request)
  return db.transaction().execute(async (trx) => {
    await lockKey(trx, request)
    const meanwhile = await findRecord(trx, request)
    if (meanwhile) return answerAgain(meanwhile, hash)
    const reply = await write(trx)
    await sql`
      insert into idempotency_record (owner, key, request_hash, reply)
      values (${request.owner}, ${request.key}, ${hash}, ${JSON.stringify(reply)})
    `.execute(trx)
    return { reply, replayed: false }
  })
}

/** Whoever sends another password is not answered as the first was. */
async function contentHash({ owner, key, call, raw }: IdempotentRequest): Promise<Buffer> {
  const hash = createHash('sha256').update(`${call}\n${JSON.stringify(raw.body ?? null)}\n`)
  if (raw.file) hash.update(raw.file.bytes)
  if (raw.upload) hash.update(raw.upload.sha256)
  const fast = hash.digest()
  if (!hasPassword(raw.body)) return fast
  // Kept under a fast hash, a password could be guessed from the table, however slow its real hash is.
  const salt = createHash('sha256').update(`${owner}\n${key}`).digest()
  return slowDigest(fast, { cost: COST, salt, tagBytes: fast.length })
}

function hasPassword(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([name, value]) => /password/i.test(name) || hasPassword(value))
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

type StoredReply = { requestHash: Buffer; reply: unknown }

async function findRecord(
  db: Db,
  { owner, key }: Pick<IdempotentRequest, 'owner' | 'key'>,
): Promise<StoredReply | undefined> {
  const { rows } = await sql<StoredReply>`
    select request_hash as "requestHash", reply from idempotency_record where owner = ${owner} and key = ${key}
  `.execute(db)
  return rows[0]
}

function answerAgain({ requestHash, reply }: StoredReply, hash: Buffer): Remembered {
  if (requestHash.equals(hash)) return { reply, replayed: true }
  throw new AppError(
    'KEY_REUSED',
    'This Idempotency-Key was already used for another request. Use a new one.',
  )
}
