import { z } from 'zod'
import { csvForm, reading, saidReading } from '#contract/yard-file/reading.ts'
import { endpoints, okReply } from './endpoint.ts'

/*
 * Pro sellers' bulk import: mapping templates, imports and their results. Staged files are in `staging.ts`.
 */

/** A saved mapping of a yard's columns to fields, for one seller or for everyone. */

export const mappingTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(['USER', 'GLOBAL']),
  /** Target field → header of the file. */
  mapping: z.record(z.string(), z.string()),
  description: z.string(),
  /** How its files are read, as far as a user chose it; the rest is detected per file. */
  reading: saidReading.nullable(),
  /** Built in, for a common file format; it cannot be deleted. */
  shipped: z.boolean(),
})
export type MappingTemplate = z.infer<typeof mappingTemplate>

/** Every import call requires tier PAID and a payout account. */
const importGateErrors = ['SIGNED_OUT', 'PRO_ONLY', 'ONBOARDING_REQUIRED'] as const

const count = z.number().int()

/** What an import did, and what its undo left. */
const importOutcome = z.object({
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
})

export const importModes = ['add', 'replace'] as const
export type ImportMode = (typeof importModes)[number]

/** Maximum failing rows in a reply; the file of rejected rows has all of them. */
export const MOST_ROWS_ANSWERED = 1_000

/** What is wrong with one value of a file. */
const rowIssue = z.object({
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

/** What an import would do to the seller's current listings. */
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

/** How the file was read, chosen and detected settings together. Absent if no file was sent. */
const howRead = reading.optional()

const dryRunReply = z.object({
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

const stagedReply = z.object({
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
  /** Chunks that are in, and the first few that are missing. */
  received: count,
  missingChunks: z.array(count),
  /** All that are missing, as runs with both ends in; a file that lost its connection has a few runs and an end. */
  missing: z.array(z.object({ from: count, to: count })),
  total: count.nullable(),
  rejected: count.nullable(),
  files: z.object({ json: z.string(), csv: z.string(), rejected: z.string().optional() }).nullable(),
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
  /** Actions of the plan that are done, of all. */
  progress: z.object({ done: count, total: count }).nullable(),
  /** Whether it can be undone now. */
  canUndo: z.boolean(),
  /** Whether it can be withdrawn now, by the same call: nothing of it is live yet. */
  canWithdraw: z.boolean(),
  /** Whether the seller may continue it (new names need an administrator). */
  canConfirm: z.boolean(),
})
export type ImportRecord = z.infer<typeof importRecord>

const importReceipt = importOutcome.extend({
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
  listMappings: {
    summary: 'Mapping templates: the seller’s own and those for everybody',
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
    summary: 'Import one part as JSON, on the way a file takes; with dryRun=1 it is only checked',
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
    summary: 'One import: how far it is, what its plan says',
    params: byId,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  confirmImport: {
    summary: 'Let an import go on that stopped with a question, as its plan stands',
    params: byId,
    body: z.object({ planId: z.uuid('The plan that was seen is needed') }),
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STALE', 'CONFLICT'],
  },
  readReceipt: {
    summary: 'What an import did, and what an undo left',
    params: byId,
    reply: importReceipt,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT'],
  },
  readRejectedRows: {
    summary: 'The rows that were not taken, as sent, each with what is wrong with it',
    params: byId,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  undoImport: {
    summary:
      'Take an import back: created listings go, changed ones return, what was edited since is left and named; one that is not live yet is withdrawn',
    params: byId,
    status: 202,
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  /** A seller's listings as a file that an import takes back: its columns are `standardColumns` of `yard-file/shipped-templates.ts`. */
  exportParts: {
    summary:
      'The seller’s running listings in the Standard CSV’s columns, safe against formulas; imported again they change nothing',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
})
