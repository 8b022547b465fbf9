import type { Db } from '#server/platform/database/database.ts'
import type { UseLedger } from './language-use.ts'
import { addLanguageUse, findLanguageUse } from './language-use-queries.ts'

/** The ledger of a job: what is counted there counts against its cap, however often the job is stopped and goes on. */
export async function openUseLedger(db: Db, jobId: string): Promise<UseLedger> {
  return {
    before: await findLanguageUse(db, jobId),
    add: (use) => addLanguageUse(db, jobId, use),
  }
}
