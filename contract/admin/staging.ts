import { z } from 'zod'
import { adminErrors, count, endpoints } from '#contract/endpoint.ts'

/** Staged files: edited as versions, compared, planned, promoted to live listings, and undone. Admins only. */

export const stagingRoots = ['ecomm', 'datatable', 'mapdata'] as const
export type StagingRoot = (typeof stagingRoots)[number]

/** The dataset that a root's promoted files join. */
export const datasetOf = (root: StagingRoot): string => `marketplace:${root}_autoparts`

/** Larger files are read by windows of rows and never loaded as one text. */
export const MAX_CONTENTS_BYTES = 8 * 1024 * 1024

export const stagingRoot = z.enum(stagingRoots, 'The root must be ecomm, datatable or mapdata')

/** As typed; the server normalizes it. */
export const stagingPath = z
  .string('Enter a staging file path first')
  .trim()
  .min(1, 'Enter a staging file path first')
  .max(500)

const version = z.coerce.number().int().min(1).max(1_000_000)
const json = z.record(z.string(), z.unknown())

const readErrors = [...adminErrors, 'VALIDATION_FAILED', 'NOT_FOUND'] as const

const file = { root: stagingRoot, path: z.string() }
const typedFile = { root: stagingRoot, path: stagingPath }
/** The server checks the path, so that its message explains the problem. */
const queriedFile = { root: stagingRoot, path: z.string().max(500).default('') }
const saved = z.object({ ok: z.literal(true), ...file, version: count })

export const stagingEndpoints = endpoints({
  readStagingFile: {
    summary: 'A staged file as JSON or CSV; a large one by windows of rows (`from` counts from 0)',
    query: z.object({
      ...queriedFile,
      from: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).optional(),
    }),
    reply: z.object({
      ...file,
      contentType: z.string(),
      contents: z.string(),
      version: count,
      /** Rows of the whole file; a window's `contents` has only some of them. */
      rows: count,
      from: count.optional(),
    }),
    errors: readErrors,
  },
  saveStagingFile: {
    summary: 'Save a staged file as a new version',
    // In JSON, each quotation mark and line end of the text takes two bytes, and some characters six.
    bodyBytes: 3 * MAX_CONTENTS_BYTES,
    bodyInWords: '8 MB of text',
    body: z.object({
      ...typedFile,
      contents: z.string('The contents are missing'),
      message: z.string().max(500).optional(),
      version: count.optional(),
    }),
    reply: saved.extend({ bytes: count }),
    errors: [...adminErrors, 'VALIDATION_FAILED', 'STALE'],
  },
})

export const promotionEndpoints = endpoints({
  promote: {
    summary: 'Promote staged files: each joins its root’s dataset, and a job publishes its rows',
    body: z.object({
      root: stagingRoot,
      paths: z
        .array(stagingPath, 'Enter a staging file path first')
        .min(1, 'Enter a staging file path first')
        .max(100),
      datasetTag: z.string().max(100).nullish(),
      /** The plan the user saw; 409 if there is a newer one. */
      planId: z.uuid().optional(),
    }),
    status: 202,
    reply: z.object({
      ok: z.literal(true),
      jobId: z.uuid(),
      files: z.array(z.object({ path: z.string(), jobId: z.uuid(), planId: z.uuid() })),
    }),
    errors: [...readErrors, 'STALE', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})

/**
 * State of the newest version: staged → resolved (by the taxonomy) → promoted (approved, not live yet) → live → rolled
 * back. A plan does not change the state until it is approved, and a file is live until its undo is complete. Editing a
 * live file makes it staged again.
 */
export const stagingStates = ['staged', 'resolved', 'promoted', 'live', 'rolled back'] as const
export type StagingState = (typeof stagingStates)[number]

const stagingFile = z.object({
  ...file,
  /** The same rows as CSV. */
  csvPath: z.string(),
  seller: z.object({ id: z.uuid(), name: z.string() }),
  rows: count,
  bytes: count,
  version: count,
  state: z.enum(stagingStates),
  /** Names that need a decision and first appeared in this file. */
  openNames: count,
  createdAt: z.string(),
  updatedAt: z.string(),
  updatedBy: z.string().nullable(),
  message: z.string(),
})
export type StagingFileEntry = z.infer<typeof stagingFile>

const stagingVersion = z.object({
  version: count,
  author: z.string().nullable(),
  message: z.string(),
  rows: count,
  bytes: count,
  createdAt: z.string(),
})
export type StagingVersion = z.infer<typeof stagingVersion>

/** A row that differs, identified by its hidden id; `before` and `after` have only the fields that differ. */
const rowDifference = z.object({
  id: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** Counted from 0 in the newer version, or in the older one if it was removed. */
  row: count,
  before: json.nullable(),
  after: json.nullable(),
})
export type RowDifference = z.infer<typeof rowDifference>

const stagingDiff = z.object({
  from: count,
  to: count,
  added: count,
  removed: count,
  changed: count,
  rows: z.array(rowDifference),
  nextCursor: z.string().nullable(),
})
export type StagingDiff = z.infer<typeof stagingDiff>

const plannedRow = z.object({
  /** Counted from 0. */
  row: count,
  action: z.enum(['create', 'update', 'end']),
  title: z.string(),
  listing: z.object({ id: z.uuid(), partslug: z.string() }).nullable(),
  /** {field: [live, staged]}; a new listing has only staged values. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  /** {field: [live, staged]}: edits by hand that stay although the file has another value. */
  keptEdits: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  /** Why an undo left it unchanged. */
  kept: z.string().nullable(),
})
export type PlannedRow = z.infer<typeof plannedRow>

const stagingPlan = z.object({
  /** Sent to `promote` as `planId`; planning again creates a new id. */
  id: z.uuid(),
  /** Older than the newest version if that has no plan: the earlier promotion can still be undone. */
  version: count,
  state: z.enum(['planning', 'planned', 'review', 'applying', 'applied', 'undoing', 'undone', 'failed']),
  create: count,
  update: count,
  unchanged: count,
  ended: count,
  merged: count,
  refused: count,
  /** Why the first refused rows were refused, in sentences. */
  refusals: z.array(z.string()),
  /** Where the headings and descriptions of the first such rows contradict their facts. */
  contradictions: z.array(z.string()),
  newNames: z.object({
    category: z.array(z.string()),
    manufacturer: z.array(z.string()),
    model: z.array(z.string()),
  }),
  review: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.string().nullable(),
  progress: z.object({ done: count, total: count }).nullable(),
  jobId: z.uuid().nullable(),
  receipt: z.object({
    created: count,
    updated: count,
    ended: count,
    undone: count,
    leftAsIs: count,
    approvedBy: z.string().nullable(),
    appliedAt: z.string().nullable(),
    undoneAt: z.string().nullable(),
  }),
  /** Whether some of it is or may be live and can be undone. */
  canUndo: z.boolean(),
  /** Whether none of it is live yet, so that undo withdraws it at once. */
  canWithdraw: z.boolean(),
})
export type StagingPlan = z.infer<typeof stagingPlan>

/** A row of the version that was read. */
const patchedRow = z.object({
  /** Its hidden id from `readStagingWindow`. */
  id: z.string().max(64),
  /** Counted from 0; without it, a large file is searched for the id. */
  row: count.min(0).optional(),
})

const cellPatch = patchedRow.extend({
  field: z.string().min(1).max(100),
  /** The value that was read: the patch is refused if it has changed. An empty cell is undefined or null. */
  old: z.unknown().optional(),
  /** Undefined removes the field. */
  new: z.unknown().optional(),
})

export const stagingDeskEndpoints = endpoints({
  listStagingFiles: {
    summary: 'Staged files of a root, last changed first',
    query: z.object({
      root: stagingRoot,
      /** Words in the path or the seller's name. */
      q: z.string().max(200).optional(),
      state: z.enum(stagingStates).optional(),
      /** `yes`: only files with names that need a decision. */
      openNames: z.enum(['yes']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ items: z.array(stagingFile), nextCursor: z.string().nullable() }),
    errors: adminErrors,
  },
  readStagingWindow: {
    summary:
      'Rows of any version of a staged file, with their hidden ids (possibly fewer than the limit above 8 MB)',
    query: z.object({
      ...queriedFile,
      version: version.optional(),
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
    }),
    reply: z.object({
      ...file,
      version: count,
      total: count,
      from: count,
      columns: z.array(z.string()),
      rows: z.array(z.object({ id: z.string(), fields: json })),
    }),
    errors: readErrors,
  },
  patchStagingFile: {
    summary: 'Change cells and add or delete rows of a staged file of any size, as one new version',
    bodyBytes: 4 * 1024 * 1024,
    body: z.object({
      ...typedFile,
      /** The version that was read; 409 STALE if there is a newer one. */
      version,
      message: z.string().max(500).optional(),
      cells: z.array(cellPatch).max(20_000).default([]),
      deleteRows: z.array(patchedRow).max(20_000).default([]),
      /** Appended in this order. */
      addRows: z.array(json).max(5_000).default([]),
    }),
    reply: saved.extend({ rows: count }),
    errors: [...readErrors, 'STALE'],
  },
  listStagingVersions: {
    summary: 'The versions of a staged file, newest first',
    query: z.object(queriedFile),
    reply: z.object({ ...file, items: z.array(stagingVersion) }),
    errors: readErrors,
  },
  diffStagingVersions: {
    summary: 'Rows and cells that differ between two versions, page by page',
    query: z.object({
      ...queriedFile,
      from: version,
      to: version,
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    reply: stagingDiff,
    errors: readErrors,
  },
  restoreStagingVersion: {
    summary: 'Restore an earlier version as a new version',
    /** `current`: the newest version the user saw. */
    body: z.object({ ...typedFile, version, current: version }),
    reply: saved,
    errors: [...readErrors, 'STALE'],
  },
  planStagingFile: {
    summary:
      'Plan what promoting the newest version would do, without promoting it, even for trusted sellers',
    body: z.object(typedFile),
    status: 202,
    reply: z.object({ planId: z.uuid(), jobId: z.uuid() }),
    errors: [...readErrors, 'CONFLICT'],
  },
  readStagingPlan: {
    summary: 'The plan of a staged file and, once it is live, its receipt; null if there is none',
    query: z.object(queriedFile),
    reply: z.object({ plan: stagingPlan.nullable() }),
    errors: readErrors,
  },
  listPlannedRows: {
    summary: 'What a plan does, row by row, with the changed fields',
    query: z.object({
      ...queriedFile,
      action: z.enum(['create', 'update', 'end']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({ items: z.array(plannedRow), nextCursor: z.string().nullable() }),
    errors: readErrors,
  },
  undoStagingFile: {
    summary: 'Undo the promotion of a staged file; listings changed since then are kept and listed',
    body: z.object(typedFile),
    status: 202,
    /** `jobId` is null if nothing was live yet, so the plan was withdrawn at once. */
    reply: z.object({ ok: z.literal(true), jobId: z.uuid().nullable() }),
    errors: [...readErrors, 'CONFLICT'],
  },
})
