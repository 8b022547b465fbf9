import type { lookupEndpoints } from '#contract/lookups.ts'
import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { createLookup } from './create-lookup.ts'
import {
  findCategory,
  findManufacturer,
  insertCarModel,
  insertCategory,
  insertManufacturer,
  listCarModels,
  listCategories,
  listManufacturers,
} from './lookup-queries.ts'

const sourceOf = (request: { actor: Actor; requestId: string }) => ({
  actorUserId: request.actor.userId,
  requestId: request.requestId,
})

export function lookupRoutes(): Handlers<typeof lookupEndpoints> {
  return {
    categories: ({ db }) => listCategories(db),
    manufacturers: ({ db }) => listManufacturers(db),
    carModels: ({ db, query }) =>
      listCarModels(db, {
        ...(query.manuId && { manuId: query.manuId }),
        ...(query.categoryId && { categoryId: query.categoryId }),
        ...(query.q && { q: query.q }),
      }),

    async createCategory(request) {
      const { name } = await request.body()
      return (db) =>
        createLookup(db, {
          source: sourceOf(request),
          kind: 'category',
          field: 'name',
          name,
          insert: (trx) => insertCategory(trx, name),
        })
    },

    async createManufacturer(request) {
      const { manuname } = await request.body()
      return (db) =>
        createLookup(db, {
          source: sourceOf(request),
          kind: 'manufacturer',
          field: 'manuname',
          name: manuname,
          insert: (trx) => insertManufacturer(trx, manuname),
        })
    },

    async createCarModel(request) {
      const { carname, manuId, categoryId } = await request.body()
      if (!(await findManufacturer(request.db, manuId))) throw unknownLookup('manuId', 'manufacturer')
      if (categoryId && !(await findCategory(request.db, categoryId)))
        throw unknownLookup('categoryId', 'category')
      return (db) =>
        createLookup(db, {
          source: sourceOf(request),
          kind: 'car_model',
          field: 'carname',
          name: carname,
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

function unknownLookup(field: string, noun: string): AppError {
  const sentence = `There is no such ${noun}. Choose one from the list.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })
}
