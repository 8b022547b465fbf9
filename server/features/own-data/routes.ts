import type { ownDataEndpoints } from '#contract/accounts.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { type OwnDataDeps, openOwnData } from './own-data.ts'

/** A person needs one; more would be a stolen session or a broken script. */
const EXPORTS = { most: 10, seconds: 3_600 }
/** Each keeps a core busy with compressing while its client reads. */
const AT_ONCE = 3
const RETRY_SECONDS = 30

export function ownDataRoutes(deps: OwnDataDeps): Handlers<typeof ownDataEndpoints> {
  let open = 0
  return {
    async exportOwnData({ db, actor }) {
      await takeFromWindow(db, `own-data:${actor.userId}`, EXPORTS)
      if (open >= AT_ONCE) {
        const sentence = 'Several people are downloading their data right now. Please try again in a moment.'
        throw new AppError('BUSY', sentence, { retryAfterSeconds: RETRY_SECONDS })
      }
      open += 1
      const stream = openOwnData(deps, actor)
      stream.once('close', () => {
        open -= 1
      })
      const day = deps.now().toISOString().slice(0, 10)
      return {
        stream,
        headers: {
          'content-type': 'application/zip',
          'content-disposition': `attachment; filename="my-data-${day}.zip"`,
          'cache-control': 'no-store',
        },
      }
    },
  }
}
