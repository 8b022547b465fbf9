import { z } from 'zod'
import { csvForm, reading, saidReading } from '#contract/yard-file/reading.ts'
import { byId, count, endpoints, okReply } from './endpoint.ts'

/* Pro sellers' bulk import: mapping templates, imports and their results. Staged files are in `staging.ts`. */

/** A saved mapping of a yard's columns to fields, for one seller or for everyone. */
export const mappingTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(['USER', 'GLOBAL']),
  /** Target field → header of the file. */
  mapping: z.record(z.string(), z.string()),
  description: z.string(),
  /** Settings a user chose for reading its files; the rest is detected per file. */
  reading: saidReading.nullable(),
  /** Built in, for a common file format; it cannot be deleted. */
  shipped: z.boolean(),
})
export type MappingTemplate = z.infer<typeof mappingTemplate>

/** Every import call requires tier PAID and a payout account. */
const importGateErrors = ['SIGNED_OUT', 'PRO_ONLY', 'ONBOARDING_REQUIRED'] as const

export const importModes = ['add', 'replace'] as const
export type ImportMode = (typeof importModes)[number]

/** Maximum failing rows in a reply; the file of rejected rows has all of them. */
export const MOST_ROWS_ANSWERED = 1_000

/** What is wrong with one value of a file. */
const rowIssue = z.object({
  /** The spreadsheet's number: the header is row 1. */
  row: count,
  /** The file's header, or the target field if no column is mapped; '' if the whole row is wrong. */
  column: z.string(),
  code: z.string(),
  /** The value, cut to 100 characters. */
  value: z.string(),
  message: z.string(),
})
export type RowIssue = z.infer<typeof rowIssue>

const checkedRow = z.object({
  /** Counts data rows from 1 within what was sent. */
  index: count,
  ok: z.boolean(),
  errors: z.array(z.string()),
  issues: z.array(rowIssue),
})
export type CheckedRow = z.infer<typeof checkedRow>

/** What an import would do to the seller's current listings. */
const expectedChanges = z.object({
  create: count,
  update: count,
  unchanged: count,
  /** Rows that equal an earlier one in every mapped field; they add to its quantity. */
  merged: count,
  /** Rows that cannot be matched to one part; `warnings` name them. Older stored replies have none. */
  refused: count.default(0),
})

const fileReply = okReply.extend({
  /** About the file as a whole: detected settings, duplicate column names, repeated headers. No row is rejected for them. */
  warnings: z.array(z.string()),
  /** How the file was read, chosen and detected settings together. Absent if no file was sent. */
  reading: reading.optional(),
})

/** Paths inside the staging root ecomm; `rejected` is the URL of a call. */
const stagedFiles = z.object({ json: z.string(), csv: z.string(), rejected: z.string().optional() })

const dryRunReply = fileReply.extend({
  preview: z.object({
    total: count,
    errors: count,
    /** The first 1,000 failing rows. */
    rows: z.array(checkedRow),
    /** Fields that good rows leave blank, so that the import's default counts, and in how many rows. */
    defaults: z.array(z.object({ field: z.string(), rows: count })).optional(),
    /** In the reply to the last or only chunk: what the whole file would do, as in its plan. */
    whole: expectedChanges.optional(),
  }),
})
export type DryRunReply = z.infer<typeof dryRunReply>

const stagedReply = fileReply.extend({
  total: count,
  rejected: count,
  files: stagedFiles,
  stagingRef: z.string(),
  missionControlUrl: z.string(),
  importId: z.uuid(),
})
export type StagedReply = z.infer<typeof stagedReply>

/** For a chunk that is not the last to arrive. */
const chunkReply = fileReply.extend({ received: count, chunkCount: count, importId: z.uuid() })

const csvReply = z.union([dryRunReply, stagedReply, chunkReply])
export type CsvReply = z.infer<typeof csvReply>

const dryRunQuery = z.object({ dryRun: z.string().max(5).optional() })

/**
 * receiving → staged → planning → planned (waits for an admin) or review → applying → applied → undoing → undone. Up to
 * review it can be withdrawn; once it is live it can be undone.
 */
export const importStates = [
  'receiving',
  'staged',
  'planning',
  'planned',
  'review',
  'applying',
  'applied',
  'undoing',
  'undone',
  'failed',
  'abandoned',
  'withdrawn',
] as const

const importRecord = z.object({
  id: z.uuid(),
  state: z.enum(importStates),
  mode: z.enum(importModes),
  fileName: z.string(),
  createdAt: z.string(),
  stagedAt: z.string().nullable(),
  appliedAt: z.string().nullable(),
  undoneAt: z.string().nullable(),
  chunkCount: count,
  /** Received chunks, and the first few missing ones. */
  received: count,
  missingChunks: z.array(count),
  /** All missing chunks as ranges, both ends included. */
  missing: z.array(z.object({ from: count, to: count })),
  total: count.nullable(),
  rejected: count.nullable(),
  files: stagedFiles.nullable(),
  /** What the plan will do; null until there is a plan. */
  plan: z
    .object({
      id: z.uuid(),
      version: count,
      create: count,
      update: count,
      unchanged: count,
      ended: count,
      merged: count,
      rejected: count,
      newNames: z.object({
        category: z.array(z.string()),
        manufacturer: z.array(z.string()),
        model: z.array(z.string()),
      }),
    })
    .nullable(),
  /** Why it waits for a person, one sentence per reason. */
  review: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.string().nullable(),
  /** Finished actions of the plan, and all of them. */
  progress: z.object({ done: count, total: count }).nullable(),
  /** Whether it can be undone now. */
  canUndo: z.boolean(),
  /** Whether it can be withdrawn now, by the same call: nothing of it is live yet. */
  canWithdraw: z.boolean(),
  /** Whether the seller may continue it (new names need an administrator). */
  canConfirm: z.boolean(),
})
export type ImportRecord = z.infer<typeof importRecord>

/** What an import did, and what its undo left. */
const importReceipt = z.object({
  importId: z.uuid(),
  fileName: z.string(),
  appliedAt: z.string().nullable(),
  approvedBy: z.string().nullable(),
  total: count,
  created: count,
  updated: count,
  unchanged: count,
  ended: count,
  merged: count,
  rejected: count,
  /** Rejected rows that the plan left out: ambiguous, or edited since. */
  refused: count,
  /** The first of these, with spreadsheet row numbers; `row` is null if only the record is known. */
  leftOut: z.array(z.object({ row: count.nullable(), record: count, reason: z.string() })),
  /** After an undo: how many were undone, and those that were kept because they changed since. */
  undone: count,
  leftAsIs: count,
  left: z.array(z.object({ id: z.uuid(), partslug: z.string(), title: z.string(), reason: z.string() })),
  mode: z.enum(importModes),
  state: z.enum(importStates),
})
export type ImportReceipt = z.infer<typeof importReceipt>

const runErrors = [
  ...importGateErrors,
  'VALIDATION_FAILED',
  'NOT_FOUND',
  'WITHDRAWN',
  'KEY_REUSED',
  'STILL_RUNNING',
  'STORAGE_FULL',
  'QUOTA_REACHED',
] as const

export const importEndpoints = endpoints({
  listMappings: {
    summary: 'Mapping templates: the seller’s own and global ones',
    reply: z.object({ mine: z.array(mappingTemplate), global: z.array(mappingTemplate) }),
    errors: importGateErrors,
  },
  createMapping: {
    summary: 'Save a mapping template',
    body: z.object({
      name: z.string('Template name is required').trim().min(1, 'Template name is required').max(120),
      scope: z.string().optional(),
      mapping: z.union([z.string(), z.record(z.string(), z.unknown())], 'Mapping JSON is required'),
      description: z.string().max(2_000).nullish(),
      reading: saidReading.nullish(),
    }),
    status: 201,
    reply: mappingTemplate,
    errors: [
      ...importGateErrors,
      'VALIDATION_FAILED',
      'CONFLICT',
      'QUOTA_REACHED',
      'KEY_REUSED',
      'STILL_RUNNING',
    ],
  },
  deleteMapping: {
    summary: 'Delete a mapping template',
    params: z.object({ id: z.uuid() }),
    reply: okReply,
    errors: [...importGateErrors, 'NOT_FOUND', 'CONFLICT'],
  },
  importPart: {
    summary: 'Import one part as JSON, like a file of one row; with dryRun=1 it is only checked',
    query: dryRunQuery,
    body: z.record(z.string(), z.unknown()),
    reply: z.union([dryRunReply, stagedReply]),
    errors: runErrors,
  },
  importCsv: {
    summary: 'Import a CSV or CSV.GZ, whole or in chunks; with dryRun=1 it is only checked',
    query: dryRunQuery,
    body: csvForm,
    upload: 'file',
    reply: csvReply,
    errors: runErrors,
  },
  listImports: {
    summary: 'The seller’s imports, newest first',
    query: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
    reply: z.object({ items: z.array(importRecord), total: count, page: count, perPage: count }),
    errors: ['SIGNED_OUT'],
  },
  readImport: {
    summary: 'One import with its progress and plan',
    params: byId,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  confirmImport: {
    summary: 'Continue an import that waits for a confirmation, with the given plan',
    params: byId,
    body: z.object({ planId: z.uuid('The plan that was seen is needed') }),
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STALE', 'CONFLICT'],
  },
  readReceipt: {
    summary: 'What an import did, and what its undo kept',
    params: byId,
    reply: importReceipt,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT'],
  },
  readRejectedRows: {
    summary: 'The rejected rows as sent, each with its errors',
    params: byId,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  undoImport: {
    summary:
      'Undo an import: removes created listings and restores changed ones, but keeps and names those edited since; withdraws an import that is not live yet',
    params: byId,
    status: 202,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  exportParts: {
    summary:
      'The seller’s active listings in the columns of the Standard CSV, safe against formulas; importing the file changes nothing',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
})
