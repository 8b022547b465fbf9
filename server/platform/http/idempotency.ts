import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { COST, slowDigest } from '#server/platform/processes/slow-digest.ts'
import type { RawBody } from './read-body.ts'

type RecordedReply = { reply: unknown; replayed: boolean }
type IdempotentRequest = { owner: string; key: string; call: string; raw: RawBody }

/**
 * Runs a creating request at most once per key. `prepare` reads, computes, and returns the function that writes. The
 * writes and the stored reply are committed in one transaction: after a failure nothing is stored and the key can be used
 * again; after a lost reply, sending the request again returns the same reply.
 * @throws AppError KEY_REUSED if the key was used with other content, STILL_RUNNING while the first request is running
 */
export async function runOnce(
  db: Db,
  request: IdempotentRequest,
  prepare: () => Promise<(trx: Db) => Promise<unknown>>,
): Promise<RecordedReply> {
  const known = await findRecord(db, request)
  if (known) return replay(known, await contentHash(request))
  const write = await prepare()
  const hash = await contentHash(request)
  return db.transaction().execute(async (trx) => {
    await lockKey(trx, request)
    const meanwhile = await findRecord(trx, request)
    if (meanwhile) return replay(meanwhile, hash)
    const reply = await write(trx)
    await sql`
      insert into idempotency_record (owner, key, request_hash, reply)
      values (${request.owner}, ${request.key}, ${hash}, ${JSON.stringify(reply)})
    `.execute(trx)
    return { reply, replayed: false }
  })
}

/** Includes passwords, so that a request with another password does not get the first one's reply. */
async function contentHash({ owner, key, call, raw }: IdempotentRequest): Promise<Buffer> {
  const hash = createHash('sha256').update(`${call}\n${JSON.stringify(raw.body ?? null)}\n`)
  if (raw.file) hash.update(raw.file.bytes)
  if (raw.upload) hash.update(raw.upload.sha256)
  const fast = hash.digest()
  if (!hasPassword(raw.body)) return fast
  // With only a fast hash a password could be brute-forced from this table, however slow its real hash is.
  const salt = createHash('sha256').update(`${owner}\n${key}`).digest()
  return slowDigest(fast, { cost: COST, salt, tagBytes: fast.length, as: 'registration' })
}

function hasPassword(body: unknown): boolean {
  if (typeof body !== 'object' || body === null) return false
  return Object.entries(body).some(([name, value]) => /password/i.test(name) || hasPassword(value))
}

/** Does not wait for the lock: a waiting duplicate would only occupy a connection. */
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

function replay({ requestHash, reply }: StoredReply, hash: Buffer): RecordedReply {
  if (requestHash.equals(hash)) return { reply, replayed: true }
  throw new AppError(
    'KEY_REUSED',
    'This Idempotency-Key was already used for another request. Use a new one.',
  )
}
