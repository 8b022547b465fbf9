import type { Answer } from '#contract/endpoint.ts'
import type { stagingDeskEndpoints } from '#contract/staging-desk.ts'
import type { Db } from '#server/platform/database.ts'
import { readCursor, toCursor } from '#server/platform/time-cursor.ts'
import { listFiles, type StagingFilter } from './staging-list-queries.ts'
import { viewPath } from './staging-path.ts'

export type AskedList = StagingFilter & { readonly cursor?: string | undefined; readonly limit: number }

/**
 * A page of the staged files of a root, the last changed first.
 * @throws AppError MALFORMED for a cursor that is not ours
 */
export async function listStagingFiles(
  db: Db,
  { cursor, limit, ...filter }: AskedList,
): Promise<Answer<typeof stagingDeskEndpoints.listStagingFiles>> {
  const after = cursor ? readCursor(cursor) : undefined
  // One more tells whether there is a further page.
  const found = await listFiles(db, filter, { after, limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    items: shown.map((row) => ({
      ...row,
      csvPath: viewPath({ path: row.path, format: 'csv' }),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    })),
    nextCursor: last && found.length > limit ? toCursor({ at: last.updatedAt, id: last.id }) : null,
  }
}
