import type { savedViewEndpoints } from '#contract/account/accounts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { deleteView, listViews, renameView, requireView, saveView } from './saved-views.ts'

export function savedViewRoutes(): Handlers<typeof savedViewEndpoints> {
  return {
    listViews: async ({ db, actor, query }) => ({ items: await listViews(db, actor.userId, query.grid) }),

    async saveView(request) {
      return saveView(request.db, request.actor.userId, await request.body())
    },

    async renameView(request) {
      const { db, actor, params } = request
      await requireView(db, actor.userId, params.id)
      const { name } = await request.body()
      return renameView(db, actor.userId, { id: params.id, name })
    },

    async deleteView({ db, actor, params }) {
      await deleteView(db, actor.userId, params.id)
      return { ok: true }
    },
  }
}
