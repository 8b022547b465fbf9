import type { apiTokenEndpoints } from '#contract/account/api-tokens.ts'
import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import { callerOf } from '#server/features/people/accounts/sessions.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { createToken, listTokens, revokeToken } from './api-tokens.ts'

type Deps = { db: Db; now: () => Date; letterhead: Letterhead }

export function apiTokenRoutes(deps: Deps): Handlers<typeof apiTokenEndpoints> {
  return {
    listTokens: async ({ db, actor }) => ({ items: await listTokens(db, actor.userId, deps.now()) }),

    async createToken(request) {
      // The reply is the only copy of the token.
      request.setHeader('cache-control', 'no-store')
      return createToken(deps, request.actor, { wanted: await request.body(), caller: callerOf(request) })
    },

    async revokeToken(request) {
      const asked = { tokenId: request.params.id, caller: callerOf(request) }
      await revokeToken(request.db, request.actor, asked)
      return { ok: true }
    },
  }
}
