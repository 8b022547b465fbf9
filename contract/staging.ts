import { z } from 'zod'
import { endpoints } from './endpoint.ts'

/**
 * Staged files: read, saved as a new version, promoted into live listings; and the desk where they are looked through,
 * compared, patched by the cell, planned and undone. Admins only.
 */

export const stagingRoots = ['ecomm', 'datatable', 'mapdata'] as const
export type StagingRoot = (typeof stagingRoots)[number]

/** The dataset that a root's files join when they are promoted. */
export const datasetOf = (root: StagingRoot): string => `marketplace:${root}_autoparts`

/** Above this a file is shown by windows of rows, since nothing holds it as one text. */
export const MOST_CONTENTS_BYTES = 8 * 1024 * 1024

export const stagingRoot = z.enum(stagingRoots, 'The root is ecomm, datatable or mapdata')

/** As typed; what it means is told by the server. */
export const stagingPath = z
  .string('Enter a staging file path first')
  .trim()
  .min(1, 'Enter a staging file path first')
  .max(500)

export const stagingEndpoints = endpoints({
  readStagingFile: {
    summary: 'A staged file as JSON or CSV; a large one by windows of rows (from counts from 0)',
    query: z.object({
      root: stagingRoot,
      // Judged with its meaning, for a sentence about it.
      path: z.string().max(500).default(''),
      from: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(1).max(1_000).optional(),
    }),
    reply: z.object({
      root: stagingRoot,
      path: z.string(),
      contentType: z.string(),
      contents: z.string(),
      version: z.number().int(),
      /** Rows of the file; with a window `contents` holds some of them. */
      rows: z.number().int(),
      from: z.number().int().optional(),
    }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
  saveStagingFile: {
    summary: 'Save a staged file as a new version',
    // Inside of JSON every quotation mark and line end of the text takes two bytes, and some signs six.
    bodyBytes: 3 * MOST_CONTENTS_BYTES,
    bodyInWords: '8 MB of text',
    body: z.object({
      root: stagingRoot,
      path: stagingPath,
      contents: z.string('The contents are missing'),
      message: z.string().max(500).optional(),
      version: z.number().int().optional(),
    }),
    reply: z.object({
      ok: z.literal(true),
      root: stagingRoot,
      path: z.string(),
      bytes: z.number().int(),
      version: z.number().int(),
    }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'VALIDATION_FAILED', 'STALE', 'STORAGE_FULL'],
  },
})

export const promotionEndpoints = endpoints({
  promote: {
    summary: 'Publish staged files: each joins its root’s dataset, and a job makes its rows live',
    body: z.object({
      root: stagingRoot,
      paths: z
        .array(stagingPath, 'Enter a staging file path first')
        .min(1, 'Enter a staging file path first')
        .max(100),
      datasetTag: z.string().max(100).nullish(),
      /** Binds the call to a plan that was seen; a newer one answers 409. */
      planId: z.uuid().optional(),
    }),
    status: 202,
    reply: z.object({
      ok: z.literal(true),
      jobId: z.uuid(),
      files: z.array(z.object({ path: z.string(), jobId: z.uuid(), planId: z.uuid() })),
    }),
    errors: [
      'SIGNED_OUT',
      'NOT_ALLOWED',
      'VALIDATION_FAILED',
      'NOT_FOUND',
      'STALE',
      'CONFLICT',
      'KEY_REUSED',
      'STILL_RUNNING',
    ],
  },
})

const count = z.number().int()
const version = z.coerce.number().int().min(1).max(1_000_000)
const json = z.record(z.string(), z.unknown())

/**
 * Of the newest version: staged → resolved (the taxonomy made it) → promoted (let through, on its way) → live → rolled back.
 * A plan that nobody let through yet changes nothing, and one that is being taken back is live until it is not. Whoever
 * edits a live file has a staged one before them again.
 */
export const stagingStates = ['staged', 'resolved', 'promoted', 'live', 'rolled back'] as const
export type StagingState = (typeof stagingStates)[number]

const stagingFile = z.object({
  root: stagingRoot,
  path: z.string(),
  /** The same rows as CSV. */
  csvPath: z.string(),
  seller: z.object({ id: z.uuid(), name: z.string() }),
  rows: count,
  bytes: count,
  version: count,
  state: z.enum(stagingStates),
  /** Names that somebody has to decide, which this file brought first. */
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

/** One row that differs; `before` and `after` hold only the fields that do. A row is known by its hidden id. */
const rowDifference = z.object({
  id: z.string(),
  kind: z.enum(['added', 'removed', 'changed']),
  /** Where it stands, counted from 0: in the newer version, or in the older one where it was removed. */
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
  /** {field: [live, staged]}; of a new listing only what is staged. */
  changes: z.record(z.string(), z.tuple([z.unknown(), z.unknown()])),
  /** Why an undo left it as it is. */
  kept: z.string().nullable(),
})
export type PlannedRow = z.infer<typeof plannedRow>

const stagingPlan = z.object({
  /** Binds `promote` to it as `planId`; a plan that is made anew has another. */
  id: z.uuid(),
  /** May be older than the newest, where that has no plan: what is live of it can still be taken back. */
  version: count,
  state: z.enum(['planning', 'planned', 'review', 'applying', 'applied', 'undoing', 'undone', 'failed']),
  create: count,
  update: count,
  unchanged: count,
  ended: count,
  merged: count,
  refused: count,
  /** Sentences about refused rows, for the first of them. */
  refusals: z.array(z.string()),
  newNames: z.object({
    category: z.array(z.string()),
    manufacturer: z.array(z.string()),
    model: z.array(z.string()),
  }),
  review: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.string().nullable(),
  progress: z.object({ done: count, total: count }).nullable(),
  jobId: z.uuid().nullable(),
  /** The receipt: what has been done. */
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
  /** Something of it is or may be live and can be taken back. */
  canUndo: z.boolean(),
  /** Nothing of it is live yet: undo withdraws it at once. */
  canWithdraw: z.boolean(),
})
export type StagingPlan = z.infer<typeof stagingPlan>

/** A row of the version that was read. */
const patchedRow = z.object({
  /** Its hidden id, as a window names it. */
  id: z.string().max(64),
  /** Where it stands, counted from 0: without it a large file is searched for the id. */
  row: count.min(0).optional(),
})

const cellPatch = patchedRow.extend({
  field: z.string().min(1).max(100),
  /** As it was read: where it is something else the patch is refused. An empty cell is undefined or null. */
  old: z.unknown().optional(),
  /** Undefined takes the field away. */
  new: z.unknown().optional(),
})

const adminErrors = ['SIGNED_OUT', 'NOT_ALLOWED'] as const
const typed = { root: stagingRoot, path: z.string().max(500).default('') }
const readErrors = [...adminErrors, 'VALIDATION_FAILED', 'NOT_FOUND'] as const

export const stagingDeskEndpoints = endpoints({
  listStagingFiles: {
    summary: 'Staged files of a root, the last changed first',
    query: z.object({
      root: stagingRoot,
      /** Words in the path or the seller's name. */
      q: z.string().max(200).optional(),
      state: z.enum(stagingStates).optional(),
      /** `yes`: only files with names that wait for a decision. */
      openNames: z.enum(['yes']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(100).default(20),
    }),
    reply: z.object({ items: z.array(stagingFile), nextCursor: z.string().nullable() }),
    errors: adminErrors,
  },
  readStagingWindow: {
    summary:
      'Rows of a staged file with their hidden ids, for the grid; of any version (fewer than asked above 8 MB)',
    query: z.object({
      ...typed,
      version: version.optional(),
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(1_000).default(200),
    }),
    reply: z.object({
      root: stagingRoot,
      path: z.string(),
      version: count,
      total: count,
      from: count,
      columns: z.array(z.string()),
      rows: z.array(z.object({ id: z.string(), fields: json })),
    }),
    errors: readErrors,
  },
  patchStagingFile: {
    summary: 'Change cells of a staged file of any size, add and delete rows: a new version, or nothing',
    bodyBytes: 4 * 1024 * 1024,
    body: z.object({
      root: stagingRoot,
      path: stagingPath,
      /** The one that was read: where it is not the newest any more, 409 STALE, and the diff of the two is offered. */
      version,
      message: z.string().max(500).optional(),
      cells: z.array(cellPatch).max(20_000).default([]),
      deleteRows: z.array(patchedRow).max(20_000).default([]),
      /** Go to the end, in this order. */
      addRows: z.array(json).max(5_000).default([]),
    }),
    reply: z.object({
      ok: z.literal(true),
      root: stagingRoot,
      path: z.string(),
      version: count,
      rows: count,
    }),
    errors: [...readErrors, 'STALE', 'STORAGE_FULL'],
  },
  listStagingVersions: {
    summary: 'The versions of a staged file, newest first',
    query: z.object(typed),
    reply: z.object({ root: stagingRoot, path: z.string(), items: z.array(stagingVersion) }),
    errors: readErrors,
  },
  diffStagingVersions: {
    summary: 'Rows and cells that differ between two versions, by pages',
    query: z.object({
      ...typed,
      from: version,
      to: version,
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(500).default(100),
    }),
    reply: stagingDiff,
    errors: readErrors,
  },
  restoreStagingVersion: {
    summary: 'Make an earlier version the newest again, as a version of its own',
    /** `current`: the newest version that was seen. */
    body: z.object({ root: stagingRoot, path: stagingPath, version, current: version }),
    reply: z.object({ ok: z.literal(true), root: stagingRoot, path: z.string(), version: count }),
    errors: [...readErrors, 'STALE'],
  },
  planStagingFile: {
    summary: 'Work out what promoting the newest version would do, and do nothing yet, whoever its seller is',
    body: z.object({ root: stagingRoot, path: stagingPath }),
    status: 202,
    reply: z.object({ planId: z.uuid(), jobId: z.uuid() }),
    errors: [...readErrors, 'CONFLICT'],
  },
  readStagingPlan: {
    summary: 'The plan of a staged file and, once it is live, its receipt; null where there is none',
    query: z.object(typed),
    reply: z.object({ plan: stagingPlan.nullable() }),
    errors: readErrors,
  },
  listPlannedRows: {
    summary: 'What a plan does, row by row, with the fields that differ',
    query: z.object({
      ...typed,
      action: z.enum(['create', 'update', 'end']).optional(),
      cursor: z.string().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({ items: z.array(plannedRow), nextCursor: z.string().nullable() }),
    errors: readErrors,
  },
  undoStagingFile: {
    summary: 'Take back what a staged file made live; listings changed since stay and are named',
    body: z.object({ root: stagingRoot, path: stagingPath }),
    status: 202,
    /** `jobId` null: nothing of it was live yet, so it was withdrawn at once. */
    reply: z.object({ ok: z.literal(true), jobId: z.uuid().nullable() }),
    errors: [...readErrors, 'CONFLICT'],
  },
})
