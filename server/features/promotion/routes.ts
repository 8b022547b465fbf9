import type { promotionEndpoints } from '#contract/staging.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { promoteFiles } from './promote-files.ts'

/** `folders`: what a typed absolute path may begin with. */
export function promotionRoutes({
  folders,
}: {
  folders: readonly string[]
}): Handlers<typeof promotionEndpoints> {
  return {
    async promote(request) {
      const { root, paths, datasetTag, planId } = await request.body()
      const files = await promoteFiles(request.db, {
        root,
        paths,
        datasetTag: datasetTag?.trim() || undefined,
        planId,
        actor: request.actor,
        ip: request.ip,
        requestId: request.requestId,
        folders,
      })
      const [first] = files
      if (!first) throw new Error('a promotion of files promoted none')
      return { ok: true, jobId: first.jobId, files }
    },
  }
}
