import type { promotionEndpoints, stagingDeskEndpoints } from '#contract/staging.ts'
import { undoStagedFile } from '#server/features/stock-files/apply/undo.ts'
import { listPlannedRows } from '#server/features/stock-files/plan/planned-rows.ts'
import { planStagedFile, promoteFiles, readStagedPlan } from '#server/features/stock-files/plan/promote.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

/** `folders`: folders that a typed absolute path may begin with. */
export function promotionRoutes({
  folders,
}: {
  folders: readonly string[]
}): Handlers<typeof promotionEndpoints> {
  return {
    async promote(request) {
      const { root, paths, datasetTag, planId } = await request.body()
      const promote = await promoteFiles(request.db, {
        root,
        paths,
        datasetTag: datasetTag?.trim() || undefined,
        planId,
        actor: request.actor,
        ip: request.ip,
        requestId: request.requestId,
        folders,
      })
      return async (db) => {
        const files = await promote(db)
        const [first] = files
        if (!first) throw new Error('No file was promoted')
        return { ok: true, jobId: first.jobId, files }
      }
    },
  }
}

type Desk = Pick<
  typeof stagingDeskEndpoints,
  'planStagingFile' | 'readStagingPlan' | 'listPlannedRows' | 'undoStagingFile'
>

type DeskDeps = { files: FileStore; now: () => Date; folders: readonly string[] }

/** Planning, promoting and undoing staged files. */
export function promotionDeskRoutes({ files, now, folders }: DeskDeps): Handlers<Desk> {
  return {
    async planStagingFile({ db, actor, ip, requestId, body }) {
      return planStagedFile(db, { ...(await body()), folders, actor, ip, requestId })
    },

    async readStagingPlan({ db, actor, ip, requestId, query }) {
      const asked = { ...query, folders, actor, ip, requestId }
      return { plan: await readStagedPlan(db, { ...asked, now: now() }) }
    },

    listPlannedRows({ db, actor, ip, requestId, query }) {
      const { action, cursor, ...asked } = query
      return listPlannedRows(db, files, { ...asked, action, cursor, folders, actor, ip, requestId })
    },

    async undoStagingFile({ db, actor, ip, requestId, body }) {
      const asked = { ...(await body()), folders, actor, ip, requestId }
      return { ok: true, jobId: await undoStagedFile(db, { ...asked, now: now() }) }
    },
  }
}
