import { z } from 'zod'
import { endpoints, okReply } from './endpoint.ts'
import { idFilter, lookupName } from './lookups.ts'

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

/** What admins do with lookups beyond creating them (`lookups.ts`). */
export const adminLookupEndpoints = endpoints({
  manageLookups: {
    method: 'GET',
    path: '/admin/lookups/{kind}',
    summary: 'Lookups with what stands behind them, provisional ones included, by name',
    access: 'admin',
    limit: 'read',
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
    method: 'PUT',
    path: '/admin/lookups/{kind}/{id}',
    summary: 'Rename a lookup; the old name stays as an alias, and its listings follow in a job',
    access: 'admin',
    limit: 'write',
    params: byKindAndId,
    body: z.object({ name: lookupName('New') }),
    reply: managedLookup,
    errors: [...errors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  confirmLookup: {
    method: 'POST',
    path: '/admin/lookups/{kind}/{id}/confirm',
    summary: 'Make a provisional name one for everybody; a model after its manufacturer',
    access: 'admin',
    limit: 'write',
    params: byKindAndId,
    reply: managedLookup,
    errors: [...errors, 'CONFLICT'],
  },
  mergeLookup: {
    method: 'POST',
    path: '/admin/lookups/{kind}/{id}/merge',
    summary: 'Make one of two: listings, models and aliases follow in a job, the old name stays as an alias',
    access: 'admin',
    limit: 'write',
    params: byKindAndId,
    body: z.object({ into: z.uuid('Choose what it is merged into') }),
    status: 202,
    reply: z.object({ ok: z.literal(true), jobId: z.uuid() }),
    errors: [...errors, 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  deleteLookup: {
    method: 'DELETE',
    path: '/admin/lookups/{kind}/{id}',
    summary: 'Delete a lookup that nothing uses',
    access: 'admin',
    limit: 'write',
    params: byKindAndId,
    reply: okReply,
    errors: [...errors, 'CONFLICT'],
  },
})
