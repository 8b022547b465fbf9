import { z } from 'zod'
import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { requiredLine } from '#contract/text/text-fields.ts'
import { visibleText } from '#contract/trade-language/names.ts'
import { adminErrors, count, endpoints, okReply, pageOf, pageQuery } from './endpoint.ts'

/** Aliases, which pickers and the search also match. */
const aliases = z.array(z.string())

const category = z.object({
  id: z.uuid(),
  name: z.string(),
  group: z.string().nullable(),
  aliases,
  /** Its parts are listed without a vehicle: tires, wheels. */
  universal: z.boolean(),
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

/** An id in a query; unset filters send an empty text. */
export const idFilter = z.union([z.uuid(), z.literal('')]).optional()

/** Names that look the same are the same. */
const lookupName = (what: string) => requiredLine(`${what} name`, LONGEST_LOOKUP_NAME).overwrite(visibleText)
const createErrors = [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'] as const

export const lookupEndpoints = endpoints({
  categories: {
    summary: 'Part categories that a listing can be assigned to, each with its group',
    shared: true,
    reply: z.array(category),
    errors: [],
  },
  manufacturers: {
    summary: 'Vehicle manufacturers',
    shared: true,
    reply: z.array(manufacturer),
    errors: [],
  },
  carModels: {
    summary: 'Car models, by manufacturer, category, year or words',
    query: z.object({
      manuId: idFilter,
      categoryId: idFilter,
      /** "2004" or "2004-2008": models sold then, and those whose years are unknown. */
      year: z.string().max(20).optional(),
      q: z.string().max(200).optional(),
    }),
    shared: true,
    reply: z.array(carModel),
    errors: [],
  },
  createCategory: {
    summary: 'Add a part category',
    body: z.object({ name: lookupName('Category'), universal: z.boolean().default(false) }),
    status: 201,
    reply: category,
    errors: createErrors,
  },
  createManufacturer: {
    summary: 'Add a manufacturer',
    body: z.object({ manuname: lookupName('Manufacturer') }),
    status: 201,
    reply: manufacturer,
    errors: createErrors,
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
    errors: createErrors,
  },
})

export const lookupKinds = ['category', 'manufacturer', 'car-model'] as const
export type LookupKind = (typeof lookupKinds)[number]

const managedLookup = z.object({
  id: z.uuid(),
  name: z.string(),
  /** Only for a model: its manufacturer. */
  manuId: z.uuid().nullable(),
  manuname: z.string().nullable(),
  /** Provisional names came from files and are absent from public lists. */
  confirmed: z.boolean(),
  /** Only the yard whose file made it can choose it so far. */
  ofOneYard: z.boolean(),
  aliases,
  /** Listings that use it, without deleted ones; counting stops above 10,000. */
  listings: count,
  /** Models of a manufacturer; 0 for the others. */
  models: count,
  createdAt: z.string(),
})
export type ManagedLookup = z.infer<typeof managedLookup>

const byKind = z.object({ kind: z.enum(lookupKinds) })
const byKindAndId = byKind.extend({ id: z.uuid() })
const errors = [...adminErrors, 'NOT_FOUND'] as const

/** Managing lookups, for admins. */
export const adminLookupEndpoints = endpoints({
  manageLookups: {
    summary: 'Lookups with their usage, including provisional ones, by name',
    params: byKind,
    query: z.object({
      q: z.string().max(200).optional(),
      manuId: idFilter,
      state: z.enum(['all', 'confirmed', 'provisional', 'unused']).default('all'),
      ...pageQuery(50),
    }),
    reply: z.object({ ...pageOf(managedLookup), provisional: count }),
    errors,
  },
  renameLookup: {
    summary: 'Rename a lookup; the old name stays as an alias, and a job updates its listings',
    params: byKindAndId,
    body: z.object({ name: lookupName('New') }),
    reply: managedLookup,
    errors: [...errors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  confirmLookup: {
    summary: 'Publish a provisional name; the manufacturer of a model must be published first',
    params: byKindAndId,
    reply: managedLookup,
    errors: [...errors, 'CONFLICT'],
  },
  mergeLookup: {
    summary:
      'Merge a lookup into another: a job moves its listings, models and aliases, and its name becomes an alias',
    params: byKindAndId,
    body: z.object({ into: z.uuid('Choose the name to merge into') }),
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
