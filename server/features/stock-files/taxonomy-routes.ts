import type { taxonomyEndpoints } from '#contract/taxonomy.ts'
import { kindOf } from '#server/features/lookups/lookup-kind.ts'
import { decideName } from '#server/features/stock-files/match/decide-name.ts'
import { readTaxonomy, startTaxonomy } from '#server/features/stock-files/match/taxonomy-runs.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'

type TaxonomyRouteDeps = {
  files: FileStore
  /** Folders that a typed absolute path may begin with. */
  folders: readonly string[]
}

export function taxonomyRoutes({ files, folders }: TaxonomyRouteDeps): Handlers<typeof taxonomyEndpoints> {
  return {
    readTaxonomy({ db, actor, ip, requestId, query }) {
      return readTaxonomy(db, { ...query, folders, actor, ip, requestId })
    },

    async resolveTaxonomy({ db, actor, ip, requestId, body }) {
      const { root, path, version } = await body()
      return startTaxonomy(db, files, { root, path, version, folders, actor, ip, requestId })
    },

    async decideName({ db, actor, ip, requestId, body }) {
      const { kind, typed, manufacturerId, lookupId } = await body()
      const by = { actorUserId: actor.userId, ip, requestId }
      const decision = { kind: kindOf(kind), typed, manufacturerId: manufacturerId ?? null, lookupId, by }
      return { ok: true, ...(await decideName(db, decision)) }
    },
  }
}
