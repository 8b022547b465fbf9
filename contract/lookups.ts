import { z } from 'zod'
import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { endpoints, okReply } from './endpoint.ts'

/** Other words for the same, as people type them; pickers and the search know them. */
const aliases = z.array(z.string())

const category = z.object({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  aliases,
})
const manufacturer = z.object({ id: z.uuid(), manuname: z.string(), aliases })
const carModel = z.object({
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

const lookupName = (what: string) =>
  z
    .string(`${what} name is required`)
    .trim()
    .min(1, `${what} name is required`)
    .max(LONGEST_LOOKUP_NAME, `${what} name has at most ${LONGEST_LOOKUP_NAME} characters`)
    .refine(isOneLine, notOneLine(`${what} name`))

export const lookupEndpoints = endpoints({
  categories: {
    summary: 'Part categories that a listing can be assigned to, each with its group',
    reply: z.array(category),
    errors: [],
  },
  manufacturers: {
    summary: 'Vehicle manufacturers',
    reply: z.array(manufacturer),
    errors: [],
  },
  carModels: {
    summary: 'Car models, by manufacturer, category or words',
    query: z.object({ manuId: idFilter, categoryId: idFilter, q: z.string().max(200).optional() }),
    reply: z.array(carModel),
    errors: [],
  },
  createCategory: {
    summary: 'Add a part category',
    body: z.object({ name: lookupName('Category') }),
    status: 201,
    reply: category,
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  createManufacturer: {
    summary: 'Add a manufacturer',
    body: z.object({ manuname: lookupName('Manufacturer') }),
    status: 201,
    reply: manufacturer,
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  createCarModel: {
    summary: 'Add a car model under a manufacturer',
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

export const lookupKinds = ['category', 'manufacturer', 'car-model'] as const
export type LookupKind = (typeof lookupKinds)[number]

const managedLookup = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Of a model: its manufacturer. */
  manuId: z.uuid().nullable(),
  manuname: z.string().nullable(),
  /** Provisional names came from files and are absent from public lists. */
  confirmed: z.boolean(),
  aliases: z.array(z.string()),
  /** How many listings use it, deleted ones left out; above 10,000 only that there are more. */
  listings: z.number().int(),
  /** Models of a manufacturer; 0 for the others. */
  models: z.number().int(),
  createdAt: z.string(),
})
export type ManagedLookup = z.infer<typeof managedLookup>

const byKind = z.object({ kind: z.enum(lookupKinds) })
const byKindAndId = z.object({ kind: z.enum(lookupKinds), id: z.uuid() })
const errors = ['SIGNED_OUT', 'NOT_ALLOWED', 'NOT_FOUND'] as const

/** What admins do with lookups beyond creating them. */
export const adminLookupEndpoints = endpoints({
  manageLookups: {
    summary: 'Lookups with what stands behind them, provisional ones included, by name',
    params: byKind,
    query: z.object({
      q: z.string().max(200).optional(),
      manuId: idFilter,
      state: z.enum(['all', 'confirmed', 'provisional', 'unused']).default('all'),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      perPage: z.coerce.number().int().min(1).max(100).default(50),
    }),
    reply: z.object({
      items: z.array(managedLookup),
      total: z.number().int(),
      provisional: z.number().int(),
      page: z.number().int(),
      perPage: z.number().int(),
    }),
    errors,
  },
  renameLookup: {
    summary: 'Rename a lookup; the old name stays as an alias, and its listings follow in a job',
    params: byKindAndId,
    body: z.object({ name: lookupName('New') }),
    reply: managedLookup,
    errors: [...errors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  confirmLookup: {
    summary: 'Make a provisional name one for everybody; a model after its manufacturer',
    params: byKindAndId,
    reply: managedLookup,
    errors: [...errors, 'CONFLICT'],
  },
  mergeLookup: {
    summary: 'Make one of two: listings, models and aliases follow in a job, the old name stays as an alias',
    params: byKindAndId,
    body: z.object({ into: z.uuid('Choose what it is merged into') }),
    status: 202,
    reply: z.object({ ok: z.literal(true), jobId: z.uuid() }),
    errors: [...errors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  deleteLookup: {
    summary: 'Delete a lookup that nothing uses',
    params: byKindAndId,
    reply: okReply,
    errors: [...errors, 'CONFLICT'],
  },
})
