import { readRecords } from '#server/features/stock-files/store/read-contents.ts'
import { listSegments } from '#server/features/stock-files/store/staged-files.ts'
import type { StagedRecord } from '#server/features/stock-files/store/staged-record.ts'
import type { TestApp } from './test-app.ts'

/** The records of a staged import, as the first version of its file has them. */
export async function stagedRecords({ db, files }: TestApp, importId: string): Promise<StagedRecord[]> {
  const { staging_file_id: fileId } = await db
    .selectFrom('import')
    .select('staging_file_id')
    .where('id', '=', importId)
    .executeTakeFirstOrThrow()
  if (!fileId) throw new Error(`Import ${importId} is not staged`)
  const found: StagedRecord[] = []
  for await (const records of readRecords(files, await listSegments(db, fileId, 1), { fromRow: 0 })) {
    found.push(...records.map(({ record }) => record))
  }
  return found
}

/** Their cells as they were sent. */
export async function stagedRows(app: TestApp, importId: string): Promise<string[][]> {
  return (await stagedRecords(app, importId)).map(({ original }) => [...original])
}
