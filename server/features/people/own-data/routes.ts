import type { ownDataEndpoints } from '#contract/account/accounts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { openStreamSlots } from '#server/platform/http/limits/stream-slots.ts'
import { type OwnDataDeps, openOwnData } from './own-data.ts'

/** A person needs one; more would be a stolen session or a broken script. */
const EXPORTS = { most: 10, seconds: 3_600 }
/** Compressing each export keeps a core busy while its client reads. */
const PLACES = {
  all: 3,
  perCaller: 1,
  busy: 'Several people are downloading their data right now. Please try again in a moment.',
}

export function ownDataRoutes(deps: OwnDataDeps): Handlers<typeof ownDataEndpoints> {
  const inPlace = openStreamSlots(PLACES)
  return {
    async exportOwnData({ db, actor }) {
      await takeFromWindow(db, `own-data:${actor.userId}`, EXPORTS)
      const stream = inPlace(actor.userId, () => openOwnData(deps, actor))
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
