import type { adminListingEndpoints } from '#contract/admin/listings.ts'
import type { ownBulkEndpoints } from '#contract/listings.ts'
import type { LetGo } from '#server/features/market/listings/ordered-parts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { readItem } from './bulk-items.ts'
import { changeOwnListings, letGoOfOwn } from './own-listings.ts'
import { letGoOfHidden, saveBulkEdit } from './save-bulk-edit.ts'
import { listBulkSaves, undoBulkEdit } from './undo-bulk-edit.ts'

type Routes = Pick<Handlers<typeof adminListingEndpoints>, 'bulkUpdate' | 'undoChangeSet' | 'listChangeSets'>

const SAVES_A_PAGE = 20
const nothingSaved = 'No rows were saved. Each one has an error.'

type Deps = { now: () => Date; letGo?: LetGo | undefined }

export function bulkEditRoutes({ now, letGo }: Deps): Routes {
  return {
    async bulkUpdate({ db, actor, requestId, ip, body, prepareReply }) {
      const items = (await body()).items.map(readItem)
      await letGoOfHidden(db, items, letGo)
      return saveBulkEdit(db, { items, actor, requestId, ip, now: now() }, (saved) => {
        const ok = items.length === 0 || saved.results.some((result) => result.ok)
        const reply = { ok, ...saved, ...(!ok && { error: nothingSaved }) }
        prepareReply(reply)
        return reply
      })
    },

    async undoChangeSet({ db, actor, params, requestId, ip }) {
      return { ok: true, ...(await undoBulkEdit(db, { changeSetId: params.id, actor, requestId, ip })) }
    },

    async listChangeSets({ db, query }) {
      const found = await listBulkSaves(db, { before: query.before, limit: SAVES_A_PAGE + 1 })
      const items = found.slice(0, SAVES_A_PAGE).map(({ at, undoneAt, ...save }) => ({
        ...save,
        at: at.toISOString(),
        undoneAt: undoneAt?.toISOString() ?? null,
      }))
      return { items, nextBefore: found.length > SAVES_A_PAGE ? (items.at(-1)?.id ?? null) : null }
    },
  }
}

/** The same for a seller's own listings. */
export function ownBulkRoutes({ now, letGo }: Deps): Handlers<typeof ownBulkEndpoints> {
  return {
    async changeOwnListings({ db, actor, requestId, ip, body }) {
      const change = await body()
      if (change.action === 'end') await letGoOfOwn(db, { ids: change.ids, sellerId: actor.sellerId }, letGo)
      return changeOwnListings(db, { change, actor, requestId, ip, now: now() })
    },

    async undoOwnChange({ db, actor, params, requestId, ip }) {
      const undo = { changeSetId: params.id, actor, requestId, ip, sellerId: actor.sellerId }
      return { ok: true, ...(await undoBulkEdit(db, undo)) }
    },
  }
}
