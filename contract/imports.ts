import { z } from 'zod'
import { reading } from '#contract/yard-file/reading.ts'
import { csvForm } from './csv-form.ts'
import { endpoints } from './endpoint.ts'
import { importOutcome } from './import-outcome.ts'
import { importGateErrors, templateEndpoints } from './mapping-templates.ts'
import { partsExportEndpoints } from './parts-export.ts'

/*
 * Pro sellers' bulk import: templates (`mapping-templates.ts`), runs, and what became of them. The pipeline behind it:
 * contract of the staged files in `staging.ts`.
 */

export const importModes = ['add', 'replace'] as const
export type ImportMode = (typeof importModes)[number]

/** The longest list of failing rows in an answer; the whole of them is in the file of rejected rows. */
export const MOST_ROWS_ANSWERED = 1_000

/** What is wrong with one value of a file. */
export const rowIssue = z.object({
  /** As the spreadsheet numbers it: the header is row 1. */
  row: z.number().int(),
  /** The file's header, or the target field where no column is mapped; '' where the whole row is wrong. */
  column: z.string(),
  code: z.string(),
  /** The value, cut to 100 characters. */
  value: z.string(),
  message: z.string(),
})
export type RowIssue = z.infer<typeof rowIssue>

const checkedRow = z.object({
  /** Counts data rows from 1 within what was sent. */
  index: z.number().int(),
  ok: z.boolean(),
  errors: z.array(z.string()),
  issues: z.array(rowIssue),
})
export type CheckedRow = z.infer<typeof checkedRow>

/** What a run would do to the seller's listings as they stand. */
const expectedChanges = z.object({
  create: z.number().int(),
  update: z.number().int(),
  unchanged: z.number().int(),
  /** Rows that equal an earlier one in every mapped field; they add to its quantity. */
  merged: z.number().int(),
  /** Rows of which nobody can tell which part they are; `warnings` name them. Replies from before they were told have none. */
  refused: z.number().int().default(0),
})

/**
 * What was found about the file as a whole: how it was read where that had to be detected, two columns of one name, headers
 * that repeat. Nothing is refused for it.
 */
const warnings = z.array(z.string())

/** How the file was read: what was said of it and what was detected. Absent where no file was sent. */
const howRead = reading.optional()

export const dryRunReply = z.object({
  ok: z.literal(true),
  warnings,
  reading: howRead,
  preview: z.object({
    total: z.number().int(),
    errors: z.number().int(),
    /** The failing ones, the first 1,000. */
    rows: z.array(checkedRow),
    /** With the last chunk to arrive, or the only one: what the file would do as a whole, as its plan will say. */
    whole: expectedChanges.optional(),
  }),
})
export type DryRunReply = z.infer<typeof dryRunReply>

export const stagedReply = z.object({
  ok: z.literal(true),
  warnings,
  reading: howRead,
  total: z.number().int(),
  rejected: z.number().int(),
  /** Paths inside the staging root ecomm; `rejected` is the address of a call. */
  files: z.object({ json: z.string(), csv: z.string(), rejected: z.string().optional() }),
  stagingRef: z.string(),
  missionControlUrl: z.string(),
  importId: z.uuid(),
})
export type StagedReply = z.infer<typeof stagedReply>

/** For a chunk that is not the last to arrive. */
const chunkReply = z.object({
  ok: z.literal(true),
  warnings,
  reading: howRead,
  received: z.number().int(),
  chunkCount: z.number().int(),
  importId: z.uuid(),
})

const csvReply = z.union([dryRunReply, stagedReply, chunkReply])
export type CsvReply = z.infer<typeof csvReply>

const dryRunQuery = z.object({ dryRun: z.string().max(5).optional() })

/**
 * receiving → staged → planning → planned (waits for an admin) or review → applying → applied → undoing → undone. Up to
 * review it can be withdrawn; once it goes live it is taken back instead.
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

const count = z.number().int()

export const importRecord = z.object({
  id: z.uuid(),
  state: z.enum(importStates),
  mode: z.enum(importModes),
  fileName: z.string(),
  createdAt: z.string(),
  stagedAt: z.string().nullable(),
  appliedAt: z.string().nullable(),
  undoneAt: z.string().nullable(),
  chunkCount: count,
  /** Chunks that are in, and the first few that are missing. */
  received: count,
  missingChunks: z.array(count),
  /** All that are missing, as runs with both ends in; a file that lost its connection has a few runs and an end. */
  missing: z.array(z.object({ from: count, to: count })),
  total: count.nullable(),
  rejected: count.nullable(),
  files: z.object({ json: z.string(), csv: z.string(), rejected: z.string().optional() }).nullable(),
  /** What the plan says will happen; null until it is made. */
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
  /** Why it waits for somebody, one sentence a reason. */
  review: z.array(z.object({ code: z.string(), message: z.string() })),
  error: z.string().nullable(),
  /** Actions of the plan that are done, of all. */
  progress: z.object({ done: count, total: count }).nullable(),
  /** Whether it can be taken back now. */
  canUndo: z.boolean(),
  /** Whether it can be withdrawn now, by the same call: nothing of it is live yet. */
  canWithdraw: z.boolean(),
  /** Whether the seller may let it go on (after a question; new names are an administrator's). */
  canConfirm: z.boolean(),
})
export type ImportRecord = z.infer<typeof importRecord>

export const importReceipt = importOutcome.extend({
  mode: z.enum(importModes),
  state: z.enum(importStates),
})
export type ImportReceipt = z.infer<typeof importReceipt>

const byId = z.object({ id: z.uuid() })
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
  ...templateEndpoints,
  ...partsExportEndpoints,
  importPart: {
    method: 'POST',
    path: '/pro/bulk/parts',
    summary: 'Import one part as JSON, on the way a file takes; with dryRun=1 it is only checked',
    access: 'user',
    limit: 'write',
    query: dryRunQuery,
    body: z.record(z.string(), z.unknown()),
    reply: z.union([dryRunReply, stagedReply]),
    errors: runErrors,
  },
  importCsv: {
    method: 'POST',
    path: '/pro/bulk/parts/csv',
    summary: 'Import a CSV or CSV.GZ, whole or in chunks; with dryRun=1 it is only checked',
    access: 'user',
    limit: 'import',
    query: dryRunQuery,
    body: csvForm,
    upload: 'file',
    reply: csvReply,
    errors: runErrors,
  },
  listImports: {
    method: 'GET',
    path: '/pro/imports',
    summary: 'The seller’s imports, newest first',
    access: 'user',
    limit: 'read',
    query: z.object({ page: z.coerce.number().int().min(1).max(10_000).default(1) }),
    reply: z.object({ items: z.array(importRecord), total: count, page: count, perPage: count }),
    errors: ['SIGNED_OUT'],
  },
  readImport: {
    method: 'GET',
    path: '/pro/imports/{id}',
    summary: 'One import: how far it is, what its plan says',
    access: 'user',
    limit: 'read',
    params: byId,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  confirmImport: {
    method: 'POST',
    path: '/pro/imports/{id}/confirm',
    summary: 'Let an import go on that stopped with a question, as its plan stands',
    access: 'user',
    limit: 'write',
    params: byId,
    body: z.object({ planId: z.uuid('The plan that was seen is needed') }),
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STALE', 'CONFLICT'],
  },
  readReceipt: {
    method: 'GET',
    path: '/pro/imports/{id}/receipt',
    summary: 'What an import did, and what an undo left',
    access: 'user',
    limit: 'read',
    params: byId,
    reply: importReceipt,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT'],
  },
  readRejectedRows: {
    method: 'GET',
    path: '/pro/imports/{id}/rejected.csv',
    summary: 'The rows that were not taken, as sent, each with what is wrong with it',
    access: 'user',
    limit: 'read',
    params: byId,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  undoImport: {
    method: 'POST',
    path: '/pro/imports/{id}/undo',
    summary:
      'Take an import back: created listings go, changed ones return, what was edited since is left and named; one that is not live yet is withdrawn',
    access: 'user',
    limit: 'write',
    params: byId,
    status: 202,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})
