import type { promotionEndpoints, stagingDeskEndpoints, stagingEndpoints } from '#contract/admin/staging.ts'
import type { taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import { kindOf } from '#server/features/market/lookups/lookup-kind.ts'
import { decideName } from '#server/features/market/naming/decide-name.ts'
import { undoStagedFile } from '#server/features/stock-files/apply/undo.ts'
import { readTaxonomy, startTaxonomy } from '#server/features/stock-files/match/taxonomy-runs.ts'
import { planStagedFile, promoteFiles } from '#server/features/stock-files/plan/promote.ts'
import { listPlannedRows, readStagedPlan } from '#server/features/stock-files/plan/show-plan.ts'
import { diffStagingVersions } from '#server/features/stock-files/store/differences.ts'
import { patchStagingFile } from '#server/features/stock-files/store/patch.ts'
import { readStagingFile, readStagingWindow } from '#server/features/stock-files/store/read-contents.ts'
import { saveStagingFile } from '#server/features/stock-files/store/save.ts'
import { listStagingFiles, requireTypedFile } from '#server/features/stock-files/store/staged-files.ts'
import type { Caller } from '#server/features/stock-files/store/staging-path.ts'
import { listVersions, restoreStagingVersion } from '#server/features/stock-files/store/versions.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

// The contract's maximum for a window.
const MAX_WINDOW_ROWS = 1_000
// Older versions can still be read by number.
const VERSIONS_SHOWN = 500

type StagingRouteDeps = {
  files: FileStore
  now: () => Date
  /** Folders that a typed absolute path may start with. */
  folders: readonly string[]
}

type StagingRoutes = {
  staging: Handlers<typeof stagingEndpoints>
  promotion: Handlers<typeof promotionEndpoints>
  taxonomy: Handlers<typeof taxonomyEndpoints>
  desk: Handlers<typeof stagingDeskEndpoints>
}

/** The handlers for staged files, grouped as in the contract. */
export function stagingRoutes({ files, now, folders }: StagingRouteDeps): StagingRoutes {
  const callerOf = ({ actor, ip, requestId }: Caller) => ({ actor, ip, requestId, folders })
  return {
    staging: {
      readStagingFile({ db, query: { root, path, from, limit }, ...request }) {
        const isWindow = from !== undefined || limit !== undefined
        const window = isWindow ? { fromRow: from ?? 0, rows: limit ?? MAX_WINDOW_ROWS } : undefined
        return readStagingFile(db, files, { root, path, window, ...callerOf(request) })
      },

      async saveStagingFile(request) {
        const { root, path, contents, message, version } = await request.body()
        const save = { root, path, contents, message, version, ...callerOf(request) }
        return { ok: true, root, ...(await saveStagingFile(request.db, files, save)) }
      },
    },
    promotion: {
      async promote(request) {
        const { root, paths, datasetTag, planId } = await request.body()
        const tag = datasetTag?.trim() || undefined
        const chosen = { root, paths, datasetTag: tag, planId, ...callerOf(request) }
        const promote = await promoteFiles(request.db, chosen)
        return async (db) => {
          const promoted = await promote(db)
          const [first] = promoted
          if (!first) throw new Error('No file was promoted')
          return { ok: true, jobId: first.jobId, files: promoted }
        }
      },
    },
    taxonomy: {
      readTaxonomy({ db, query, ...request }) {
        return readTaxonomy(db, { ...query, ...callerOf(request) })
      },

      async resolveTaxonomy(request) {
        const { root, path, version } = await request.body()
        return startTaxonomy(request.db, files, { root, path, version, ...callerOf(request) })
      },

      async decideName({ db, actor, ip, requestId, body }) {
        const { kind, typed, about, manufacturerId, lookupId } = await body()
        const by = { actorUserId: actor.userId, ip, requestId }
        const name = { kind: kindOf(kind), typed, about, manufacturerId: manufacturerId ?? null }
        return { ok: true, ...(await decideName(db, { ...name, lookupId, by })) }
      },
    },
    desk: deskRoutes(files, now, callerOf),
  }
}

/** Browsing, editing, planning and undoing staged files. */
function deskRoutes(
  files: FileStore,
  now: () => Date,
  callerOf: (request: Caller) => Caller & Pick<StagingRouteDeps, 'folders'>,
): StagingRoutes['desk'] {
  return {
    listStagingFiles({ db, query }) {
      return listStagingFiles(db, query)
    },

    readStagingWindow({ db, query, ...request }) {
      const { root, path, version, from: fromRow, limit: rows } = query
      return readStagingWindow(db, files, { root, path, version, fromRow, rows, ...callerOf(request) })
    },

    async patchStagingFile(request) {
      const sent = await request.body()
      const patched = await patchStagingFile(request.db, files, { ...sent, ...callerOf(request) })
      return { ok: true, root: sent.root, ...patched }
    },

    async listStagingVersions({ db, query, ...request }) {
      const { root, path } = query
      const { file, shownPath } = await requireTypedFile(db, { root, path, ...callerOf(request) })
      const items = await listVersions(db, file.id, VERSIONS_SHOWN)
      return {
        root,
        path: shownPath,
        items: items.map((item) => ({ ...item, createdAt: item.createdAt.toISOString() })),
      }
    },

    diffStagingVersions({ db, query: { cursor, ...query }, ...request }) {
      return diffStagingVersions(db, files, { ...query, cursor, ...callerOf(request) })
    },

    async restoreStagingVersion(request) {
      const sent = await request.body()
      const restored = await restoreStagingVersion(request.db, { ...sent, ...callerOf(request) })
      return { ok: true, root: sent.root, ...restored }
    },

    async planStagingFile(request) {
      return planStagedFile(request.db, { ...(await request.body()), ...callerOf(request) })
    },

    async readStagingPlan({ db, query, ...request }) {
      return { plan: await readStagedPlan(db, { ...query, ...callerOf(request), now: now() }) }
    },

    listPlannedRows({ db, query: { action, cursor, ...query }, ...request }) {
      return listPlannedRows(db, files, { ...query, action, cursor, ...callerOf(request) })
    },

    async undoStagingFile(request) {
      const undo = { ...(await request.body()), ...callerOf(request), now: now() }
      return { ok: true, jobId: await undoStagedFile(request.db, undo) }
    },
  }
}
