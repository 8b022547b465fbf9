import type { Db } from './database.ts'

/** Runs work in one transaction; joins the one that is open already (that of an Idempotency-Key, say). */
export function inTransaction<T>(db: Db, work: (trx: Db) => Promise<T>): Promise<T> {
  return db.isTransaction ? work(db) : db.transaction().execute(work)
}
