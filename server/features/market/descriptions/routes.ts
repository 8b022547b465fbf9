import type { textReviewEndpoints } from '#contract/admin/scripts.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { writeAccepted } from './accepted-texts.ts'
import { decideProposals, listProposals, presentReview, requireReview } from './text-review.ts'

/** The texts of a dry run: compare, decide, write. */
export function textReviewRoutes({ files }: { files: FileStore }): Handlers<typeof textReviewEndpoints> {
  return {
    async readTextReview({ db, params: { id }, query }) {
      const review = await presentReview(db, id)
      return { review, ...(await listProposals(db, id, query)) }
    },

    async decideTexts({ db, params: { id }, body }) {
      await requireReview(db, id)
      const changed = await decideProposals(db, id, await body())
      return { review: await presentReview(db, id), changed }
    },

    async writeAcceptedTexts({ db, params: { id }, actor, ip, requestId }) {
      const done = await writeAccepted(db, files, { jobId: id, caller: { actor, ip, requestId } })
      return { review: await presentReview(db, id), ...done }
    },
  }
}
