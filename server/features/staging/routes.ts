import type { stagingEndpoints } from '#contract/staging.ts'
import type { FileStore } from '#server/platform/file-store/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readStagingFile } from './read-staging-file.ts'
import { saveStagingFile } from './save-staging-file.ts'

// As many as the contract's window has at most.
const ROWS_OF_A_WINDOW = 1_000

export type StagingRouteDeps = {
  files: FileStore
  /** Folders that a typed absolute path may begin with. */
  stagingAllowedPrefixes: readonly string[]
}

export function stagingRoutes({
  files,
  stagingAllowedPrefixes: folders,
}: StagingRouteDeps): Handlers<typeof stagingEndpoints> {
  return {
    readStagingFile({ db, query: { root, path, from, limit } }) {
      const isWindow = from !== undefined || limit !== undefined
      const window = isWindow ? { fromRow: from ?? 0, rows: limit ?? ROWS_OF_A_WINDOW } : undefined
      return readStagingFile(db, files, { root, path, folders, window })
    },

    async saveStagingFile({ db, actor, ip, requestId, body }) {
      const { root, path, contents, message, version } = await body()
      const sent = { root, path, contents, message, version }
      const saved = await saveStagingFile(db, files, { ...sent, folders, actor, ip, requestId })
      return { ok: true, root, ...saved }
    },
  }
}
