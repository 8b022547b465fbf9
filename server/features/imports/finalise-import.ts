import { importFields } from '#contract/import-fields.ts'
import type { StagedReply } from '#contract/imports.ts'
import { datasetOf } from '#contract/staging.ts'
import { startPromotion } from '#server/features/promotion/start-promotion.ts'
import { createStagingFile } from '#server/features/staging/create-staging-file.ts'
import type { Db } from '#server/platform/database.ts'
import { stagedReply } from './import-files.ts'
import { type ImportSums, type LedgerImport, listImportSegments, setStaged } from './ledger-queries.ts'
import { stagingPath } from './staging-place.ts'

/** What a reply says of the file as a whole. */
export type ToldReading = Pick<StagedReply, 'warnings' | 'reading'>

export type FinishedImport = {
  readonly told: ToldReading
  readonly ledger: LedgerImport
  readonly header: readonly string[]
  readonly sums: ImportSums
  readonly sellerSlug: string
  readonly userId: string
  readonly now: Date
}

const ROOT = 'ecomm'

/**
 * Makes an import whose chunks are all in a staged file and puts that on its way to live. Nothing but metadata: the rows
 * lie in the store already. In the transaction of the last chunk, which holds the import's lock.
 */
export async function finaliseImport(trx: Db, finished: FinishedImport): Promise<StagedReply> {
  const { ledger, sums, sellerSlug, userId, now } = finished
  const { id: importId, sellerId, key, mode } = ledger
  const { fileId, path } = await createStagingFile(trx, {
    root: ROOT,
    path: stagingPath(ledger.place, { sellerId, sellerSlug, key, today: now }),
    sellerId,
    createdBy: userId,
    header: finished.header,
    segments: await listImportSegments(trx, importId, 'staged'),
    columns: importFields.filter((field) => field in ledger.mapping || field in ledger.defaults),
    message: 'Imported',
  })
  await setStaged(trx, importId, { fileId, at: now })
  await startPromotion(trx, {
    fileId,
    version: 1,
    sellerId,
    importId,
    mode,
    dataset: datasetOf(ROOT),
    createdBy: userId,
  })
  return stagedReply({ importId, path, told: finished.told, ...sums })
}
