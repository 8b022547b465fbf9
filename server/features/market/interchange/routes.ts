import type { interchangeEndpoints } from '#contract/search/interchange.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import { inTransaction } from '#server/platform/database/database.ts'
import type { Reads } from '#server/platform/database/reads.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { suggestFits } from './fit-suggestions.ts'
import {
  describeInterchange,
  listClaims,
  removeClaim,
  removePermanently,
  requireConsistent,
  stateClaim,
} from './number-claims.ts'
import { readReport } from './report.ts'

export function interchangeRoutes(reads: Reads): Handlers<typeof interchangeEndpoints> {
  return {
    readInterchange: ({ query }) => reads((db) => describeInterchange(db, query.number)),

    readInterchangeReport: ({ db, actor, query }) => readReport(db, { sellerId: actor.sellerId, ...query }),

    suggestFits: async ({ db, actor }) => ({ items: await suggestFits(db, actor.sellerId) }),

    listClaims: ({ db, actor, query }) => listClaims(db, actor.sellerId, query),

    async stateClaim(request) {
      const { actor } = request
      const stated = await request.body()
      await requireConsistent(request.db, actor.sellerId, stated)
      return (db) => stateClaim(db, actor.sellerId, stated)
    },

    async removeClaim({ db, actor, params }) {
      await removeClaim(db, actor.sellerId, params.id)
      return { ok: true }
    },

    async removeNumberClaim(request) {
      const removal = { id: request.params.id, by: auditActorOf(request) }
      await inTransaction(request.db, (trx) => removePermanently(trx, removal))
      return { ok: true }
    },
  }
}
