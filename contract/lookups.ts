import { z } from 'zod'
import { endpoints } from './endpoint.ts'
import { LONGEST_LOOKUP_NAME } from './listing-rules.ts'
import { isOneLine, notOneLine } from './one-line.ts'

/** Other words for the same, as people type them; pickers and the search know them. */
const aliases = z.array(z.string())

export const category = z.object({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  aliases,
})
export const manufacturer = z.object({ id: z.uuid(), manuname: z.string(), aliases })
export const carModel = z.object({
  id: z.uuid(),
  carname: z.string(),
  manuId: z.uuid(),
  categoryId: z.uuid().nullable(),
  /** Ranges of model years, first and last included; empty where unknown. */
  years: z.array(z.tuple([z.number().int(), z.number().int()])),
})
export type Category = z.infer<typeof category>
export type Manufacturer = z.infer<typeof manufacturer>
export type CarModel = z.infer<typeof carModel>

/** An id in a query; an empty text is what an unset filter sends. */
export const idFilter = z.union([z.uuid(), z.literal('')]).optional()

export const lookupName = (what: string) =>
  z
    .string(`${what} name is required`)
    .trim()
    .min(1, `${what} name is required`)
    .max(LONGEST_LOOKUP_NAME, `${what} name has at most ${LONGEST_LOOKUP_NAME} characters`)
    .refine(isOneLine, notOneLine(`${what} name`))

export const lookupEndpoints = endpoints({
  categories: {
    method: 'GET',
    path: '/categories',
    summary: 'Part categories that a listing can be assigned to, each with its group',
    access: 'public',
    limit: 'read',
    reply: z.array(category),
    errors: [],
  },
  manufacturers: {
    method: 'GET',
    path: '/manufacturers',
    summary: 'Vehicle manufacturers',
    access: 'public',
    limit: 'read',
    reply: z.array(manufacturer),
    errors: [],
  },
  carModels: {
    method: 'GET',
    path: '/carmodels',
    summary: 'Car models, by manufacturer, category or words',
    access: 'public',
    limit: 'read',
    query: z.object({ manuId: idFilter, categoryId: idFilter, q: z.string().max(200).optional() }),
    reply: z.array(carModel),
    errors: [],
  },
  createCategory: {
    method: 'POST',
    path: '/category',
    summary: 'Add a part category',
    access: 'admin',
    limit: 'write',
    body: z.object({ name: lookupName('Category') }),
    status: 201,
    reply: category,
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  createManufacturer: {
    method: 'POST',
    path: '/manufacturer',
    summary: 'Add a manufacturer',
    access: 'admin',
    limit: 'write',
    body: z.object({ manuname: lookupName('Manufacturer') }),
    status: 201,
    reply: manufacturer,
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  createCarModel: {
    method: 'POST',
    path: '/carmodel',
    summary: 'Add a car model under a manufacturer',
    access: 'admin',
    limit: 'write',
    body: z.object({
      carname: lookupName('Model'),
      manuId: z.uuid('Please choose a manufacturer'),
      categoryId: idFilter,
    }),
    status: 201,
    reply: carModel,
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})
