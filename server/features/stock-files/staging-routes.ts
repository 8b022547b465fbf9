import type { stagingDeskEndpoints, stagingEndpoints } from '#contract/staging.ts'
import { diffStagingVersions } from '#server/features/stock-files/store/differences.ts'
import { patchStagingFile } from '#server/features/stock-files/store/patch.ts'
import { readStagingFile, readStagingWindow } from '#server/features/stock-files/store/read-contents.ts'
import { saveStagingFile } from '#server/features/stock-files/store/save.ts'
import { listStagingFiles, requireTypedFile } from '#server/features/stock-files/store/staged-files.ts'
import { listVersions, restoreStagingVersion } from '#server/features/stock-files/store/versions.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

// The maximum of the contract's window.
const ROWS_OF_A_WINDOW = 1_000
// Older versions can still be read by number.
const VERSIONS_SHOWN = 500

export type StagingRouteDeps = {
  files: FileStore
  /** Folders that a typed absolute path may begin with. */
  folders: readonly string[]
}

export function stagingRoutes({ files, folders }: StagingRouteDeps): Handlers<typeof stagingEndpoints> {
  return {
    readStagingFile({ db, actor, ip, requestId, query: { root, path, from, limit } }) {
      const isWindow = from !== undefined || limit !== undefined
      const window = isWindow ? { fromRow: from ?? 0, rows: limit ?? ROWS_OF_A_WINDOW } : undefined
      return readStagingFile(db, files, { root, path, folders, window, actor, ip, requestId })
    },

    async saveStagingFile({ db, actor, ip, requestId, body }) {
      const { root, path, contents, message, version } = await body()
      const sent = { root, path, contents, message, version }
      const saved = await saveStagingFile(db, files, { ...sent, folders, actor, ip, requestId })
      return { ok: true, root, ...saved }
    },
  }
}

type Desk = Pick<
  typeof stagingDeskEndpoints,
  | 'listStagingFiles'
  | 'readStagingWindow'
  | 'patchStagingFile'
  | 'listStagingVersions'
  | 'diffStagingVersions'
  | 'restoreStagingVersion'
>

/** Browsing, editing and versions of staged files. */
export function stagingDeskRoutes({ files, folders }: StagingRouteDeps): Handlers<Desk> {
  return {
    listStagingFiles({ db, query }) {
      return listStagingFiles(db, query)
    },

    readStagingWindow({ db, actor, ip, requestId, query }) {
      const { root, path, version, from: fromRow, limit: rows } = query
      return readStagingWindow(db, files, {
        root,
        path,
        folders,
        version,
        fromRow,
        rows,
        actor,
        ip,
        requestId,
      })
    },

    async patchStagingFile({ db, actor, ip, requestId, body }) {
      const sent = await body()
      const patched = await patchStagingFile(db, files, { ...sent, folders, actor, ip, requestId })
      return { ok: true, root: sent.root, ...patched }
    },

    async listStagingVersions({ db, actor, ip, requestId, query: { root, path } }) {
      const { file, shownPath } = await requireTypedFile(db, { root, path, folders, actor, ip, requestId })
      const items = await listVersions(db, file.id, VERSIONS_SHOWN)
      return {
        root,
        path: shownPath,
        items: items.map((item) => ({ ...item, createdAt: item.createdAt.toISOString() })),
      }
    },

    diffStagingVersions({ db, actor, ip, requestId, query }) {
      const { cursor, ...asked } = query
      return diffStagingVersions(db, files, { ...asked, cursor, folders, actor, ip, requestId })
    },

    async restoreStagingVersion({ db, actor, ip, requestId, body }) {
      const sent = await body()
      const restored = await restoreStagingVersion(db, { ...sent, folders, actor, ip, requestId })
      return { ok: true, root: sent.root, ...restored }
    },
  }
}
