import { z } from 'zod'
import { adminErrors, byId, endpoints } from '#contract/endpoint.ts'
import { type BulkListingField, bulkListingFields, specOf } from '#contract/listing/listing-fields.ts'
import { clamped, listing, listingBody, listingPage, listingStatuses, paging } from '#contract/listings.ts'
import { idFilter } from '#contract/lookups.ts'

/** Filters of the admins' list and of the export. */
const partFilters = {
  q: z.string().max(200).optional(),
  status: z.union([z.enum(listingStatuses), z.literal('')]).optional(),
  categoryId: idFilter,
  manuId: idFilter,
  /** Words of the model's name. */
  model: z.string().max(200).optional(),
  /** Part of the seller's name, slug or email, or the seller's id. */
  seller: z.string().max(200).optional(),
  /** The beginning of the dealer's name. */
  dealer: z.string().max(200).optional(),
}

/** Maximum items per call; the client splits larger ones. */
export const MAX_BULK_ITEMS = 1_000

/** Fields that a bulk edit may change, by the names of the API. */
export const bulkFields = [...bulkListingFields, 'status'] as const
export type BulkField = BulkListingField | 'status'

const bulkItem = listingBody.extend({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  status: z.union([z.string(), z.null()]).optional(),
})

// Every field an item may have, under all of its names; others are ignored.
const readOfItem: ReadonlySet<string> = new Set([
  ...bulkFields,
  ...bulkListingFields.flatMap((field) => specOf(field).also ?? []),
  'id',
  'version',
])

/**
 * An item with values of the wrong type, such as a price of `true`: only this item fails, like any other invalid row.
 */
const oddItem = z.record(z.string(), z.unknown()).transform((item) => {
  const issues = bulkItem.safeParse(item).error?.issues ?? []
  const odd = new Set(issues.map(({ path }) => String(path[0])))
  const plain = Object.entries(item).filter(([field]) => !odd.has(field))
  const unreadable = [...odd].filter((field) => readOfItem.has(field))
  return { ...bulkItem.parse(Object.fromEntries(plain)), unreadable }
})

const bulkResult = z.object({
  id: z.string().nullable(),
  partnum: z.string().nullable(),
  ok: z.boolean(),
  errors: z.array(z.string()),
  /** Messages by field. */
  fields: z.record(z.string(), z.string()).optional(),
  code: z
    .enum(['STALE', 'NOT_FOUND', 'AMBIGUOUS', 'VALIDATION_FAILED', 'LISTING_DELETED', 'IN_ORDER'])
    .optional(),
  /** The current record, after saving or if the sent one was stale. */
  current: listing.optional(),
})
export type BulkResult = z.infer<typeof bulkResult>

/** The database's largest integer. */
const MAX_VERSION = 2_147_483_647

const change = z.object({
  version: z.number().int(),
  at: z.string(),
  /** The user; null for the system. */
  by: z.string().nullable(),
  /** In words: "edit listing", "import", "bulk edit". */
  how: z.string(),
  changeSetId: z.uuid(),
  fields: z.array(
    z.object({ field: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() }),
  ),
})

export const adminListingEndpoints = endpoints({
  listAll: {
    summary: 'Listings of every seller and status, newest first',
    query: z.object({ ...partFilters, ...paging, perPage: clamped(1, 100, 20) }),
    reply: listingPage,
    errors: adminErrors,
  },
  exportAll: {
    summary: 'All listings of a filter as CSV, safe against formulas',
    query: z.object(partFilters),
    reply: 'binary',
    errors: adminErrors,
  },
  readAny: {
    summary: 'Any listing by its id',
    params: byId,
    reply: listing,
    errors: [...adminErrors, 'NOT_FOUND', 'LISTING_DELETED'],
  },
  updateAny: {
    summary: 'Change any listing; any subset of its fields, its picture and its status',
    params: byId,
    body: listingBody.extend({ status: z.union([z.string(), z.null()]).optional() }),
    file: 'image',
    reply: listing,
    errors: [
      ...adminErrors,
      'NOT_FOUND',
      'LISTING_DELETED',
      'VALIDATION_FAILED',
      'CONFLICT',
      'STALE',
      'IN_ORDER',
    ],
  },
  bulkUpdate: {
    summary: 'Change many listings at once; good rows are saved even if others fail',
    bodyBytes: 8 * 1024 * 1024,
    body: z.object({
      items: z
        .array(z.union([bulkItem, oddItem]), 'items is required')
        .max(MAX_BULK_ITEMS, `At most ${MAX_BULK_ITEMS.toLocaleString('en-US')} items a call; split them`),
    }),
    reply: z.object({
      ok: z.boolean(),
      updated: z.number().int(),
      /** For undoing the whole save; null if nothing changed. */
      changeSetId: z.uuid().nullable(),
      /** The caller's earlier saves that already wrote sent values: their answers were lost. */
      earlierChangeSetIds: z.array(z.uuid()).optional(),
      /** In the order of the items. */
      results: z.array(bulkResult),
      error: z.string().optional(),
    }),
    errors: [...adminErrors, 'VALIDATION_FAILED'],
  },
  undoChangeSet: {
    summary: 'Undo a bulk save; listings changed since are kept and listed',
    params: byId,
    reply: z.object({
      ok: z.literal(true),
      undone: z.number().int(),
      kept: z.array(z.object({ id: z.uuid(), title: z.string(), why: z.string() })),
    }),
    errors: [...adminErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  listChangeSets: {
    summary: 'Bulk saves, newest first',
    query: z.object({ before: z.uuid().optional() }),
    reply: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          at: z.string(),
          by: z.string().nullable(),
          how: z.string(),
          listings: z.number().int(),
          undoneAt: z.string().nullable(),
        }),
      ),
      nextBefore: z.uuid().nullable(),
    }),
    errors: adminErrors,
  },
  listingHistory: {
    summary: 'What happened to a listing, newest first',
    params: byId,
    query: z.object({ before: z.coerce.number().int().positive().max(MAX_VERSION).optional() }),
    reply: z.object({
      items: z.array(change),
      /** `before` of the next page; null at the end. */
      nextBefore: z.number().int().nullable(),
      created: z.object({ at: z.string(), how: z.string() }),
    }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
