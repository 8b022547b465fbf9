import type { savedViewEndpoints } from '#contract/accounts.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { deleteView, listViews, saveView } from './saved-views.ts'

export function savedViewRoutes(): Handlers<typeof savedViewEndpoints> {
  return {
    listViews: async ({ db, actor, query }) => ({ items: await listViews(db, actor.userId, query.grid) }),

    async saveView(request) {
      return saveView(request.db, request.actor.userId, await request.body())
    },

    async deleteView({ db, actor, params }) {
      await deleteView(db, actor.userId, params.id)
      return { ok: true }
    },
  }
}
