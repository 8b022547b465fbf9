import type { Db } from './object-queries.ts'

export type KeptAnswer = {
  readonly fingerprint: string
  readonly requestId: string
  readonly status: number
  readonly body: string
}

export async function findAnswer(db: Db, key: string): Promise<KeptAnswer | undefined> {
  const { rows } = await db.query<KeptAnswer>(
    `select fingerprint, request_id as "requestId", status, body
     from stripe_simulator.answer where idempotency_key = $1`,
    [key],
  )
  return rows[0]
}

export async function insertAnswer(db: Db, key: string, answer: KeptAnswer): Promise<void> {
  await db.query(
    `insert into stripe_simulator.answer (idempotency_key, fingerprint, request_id, status, body, made_at)
     values ($1, $2, $3, $4, $5, now())`,
    [key, answer.fingerprint, answer.requestId, answer.status, answer.body],
  )
}

/** Stripe forgets a key after 24 hours as well. */
export async function deleteOldAnswers(db: Db): Promise<void> {
  await db.query(`delete from stripe_simulator.answer where made_at < now() - interval '24 hours'`)
}
