import type { adminLookupEndpoints, lookupEndpoints, ManagedLookup } from '#contract/lookups.ts'
import type { Actor } from '#server/platform/actor.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { openSharedReads } from '#server/platform/database/reads.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { confirmLookup, createLookup, deleteLookup, markUniversal, renameLookup } from './edit-lookups.ts'
import { type LookupChange, lookupNotFound } from './lookup-changes.ts'
import { kindOf } from './lookup-kind.ts'
import {
  findLookup,
  insertCarModel,
  insertCategory,
  insertManufacturer,
  listCarModels,
  listCategories,
  listManufacturers,
} from './lookup-queries.ts'
import { countManaged, findManaged, listManaged } from './managed-lookups.ts'
import { mergeLookups } from './merge-lookups.ts'

export function lookupRoutes(): Handlers<typeof lookupEndpoints> {
  // The list of all models is long, so concurrent requests share one reply.
  const share = openSharedReads()
  return {
    categories: ({ db, actor }) => listCategories(db, actor?.sellerId),
    manufacturers: ({ db, actor }) => listManufacturers(db, actor?.sellerId),
    async carModels({ db, actor, query, shareReply }) {
      const filter = { ...query, sellerId: actor?.sellerId }
      const models = await share(JSON.stringify(filter), () => listCarModels(db, filter))
      shareReply(models)
      return models
    },

    async createCategory(request) {
      const { name, universal } = await request.body()
      return (db) =>
        createLookup(db, {
          source: auditActorOf(request),
          kind: 'category',
          field: 'name',
          name,
          insert: (trx) => insertCategory(trx, { name, universal }),
        })
    },

    async createManufacturer(request) {
      const { manuname } = await request.body()
      return (db) =>
        createLookup(db, {
          source: auditActorOf(request),
          kind: 'manufacturer',
          field: 'manuname',
          name: manuname,
          insert: (trx) => insertManufacturer(trx, manuname),
        })
    },

    async createCarModel(request) {
      const { carname, ...sent } = await request.body()
      const manuId = (await findLookup(request.db, 'manufacturer', sent.manuId))?.id
      if (manuId === undefined) throw unknownLookup('manuId', 'manufacturer')
      const categoryId = sent.categoryId && (await findLookup(request.db, 'category', sent.categoryId))?.id
      if (sent.categoryId && !categoryId) throw unknownLookup('categoryId', 'category')
      return (db) =>
        createLookup(db, {
          source: auditActorOf(request),
          kind: 'car_model',
          field: 'carname',
          name: carname,
          manufacturerId: manuId,
          insert: (trx) =>
            insertCarModel(trx, {
              name: carname,
              manufacturerId: manuId,
              categoryId: categoryId || undefined,
            }),
        })
    },
  }
}

type OneLookup = {
  params: { kind: Parameters<typeof kindOf>[0]; id: string }
  db: Db
  actor: Actor
  requestId: string
  ip: string
}

export function adminLookupRoutes(): Handlers<typeof adminLookupEndpoints> {
  const changeOf = (request: OneLookup): LookupChange => ({
    kind: kindOf(request.params.kind),
    id: request.params.id,
    by: auditActorOf(request),
  })
  const read = async ({ db, params }: OneLookup): Promise<ManagedLookup> => {
    const kind = kindOf(params.kind)
    const lookup = await findManaged(db, kind, params.id)
    if (!lookup) throw lookupNotFound(kind)
    return lookup
  }
  return {
    async manageLookups({ db, params, query }) {
      const { page, perPage, q, manuId, state } = query
      const filter = { kind: kindOf(params.kind), q, manuId, state }
      const [items, counts] = await Promise.all([
        listManaged(db, filter, { page, perPage }),
        countManaged(db, filter),
      ])
      return { items, ...counts, page, perPage }
    },

    async renameLookup(request) {
      await read(request)
      const { name, universal } = await request.body()
      const { kind, id, by } = changeOf(request)
      if (universal !== undefined) {
        if (kind !== 'category') throw new AppError('VALIDATION_FAILED', 'Only a category can be marked')
        await markUniversal(request.db, { id, universal, by })
      }
      if (name !== undefined) await renameLookup(request.db, { kind, id, name, by })
      return read(request)
    },

    async confirmLookup(request) {
      await confirmLookup(request.db, changeOf(request))
      return read(request)
    },

    async mergeLookup(request) {
      await read(request)
      const { into } = await request.body()
      return async (db) => ({ ok: true, jobId: await mergeLookups(db, { ...changeOf(request), into }) })
    },

    async deleteLookup(request) {
      await deleteLookup(request.db, changeOf(request))
      return { ok: true }
    },
  }
}

function unknownLookup(field: string, noun: string): AppError {
  const sentence = `There is no such ${noun}. Choose one from the list.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
