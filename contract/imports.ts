import { z } from 'zod'
import { splitKinds } from '#contract/csv/import-fields.ts'
import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { csvForm, readingOverride } from '#contract/yard-file/reading.ts'
import { columnAssumption } from './column-questions/questions.ts'
import { byId, count, endpoints, okReply } from './endpoint.ts'
import {
  type checkedRow,
  type dryRunPlan,
  dryRunReply,
  type expectedGoLive,
  fileReply,
  importQuestion,
  type newName,
  type rowIssue,
} from './import-check.ts'

/* Pro sellers' bulk import: mapping templates, imports and their results. Staged files are in `staging.ts`. */

const columnSplit = z.object({ from: z.string(), as: z.enum(splitKinds) })

/** A saved mapping of a yard's columns to fields, for one seller or for everyone. */
export const mappingTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(['USER', 'GLOBAL']),
  /** Target field → header of the file; `split` has the columns that are split into several fields. */
  mapping: z.record(z.string(), z.union([z.string(), columnSplit, z.array(columnSplit).readonly()])),
  description: z.string(),
  /** Settings a user chose for reading its files; the rest is detected per file. */
  reading: readingOverride.nullable(),
  /** Built in, for a common file format; it cannot be deleted. */
  shipped: z.boolean(),
})
export type MappingTemplate = z.infer<typeof mappingTemplate>

/** Every import call requires tier PAID and a payout account. */
const importGateErrors = ['SIGNED_OUT', 'PRO_ONLY', 'ONBOARDING_REQUIRED', 'EMAIL_UNCONFIRMED'] as const

/** The root in which sellers' imports are staged. */
export const IMPORT_ROOT = 'ecomm'

export const importModes = ['add', 'replace'] as const
export type ImportMode = (typeof importModes)[number]

/** Maximum failing rows in a reply; the file of rejected rows has all of them. */
export const MAX_ROWS_ANSWERED = 1_000

export type RowIssue = z.infer<typeof rowIssue>
export type CheckedRow = z.infer<typeof checkedRow>
export type ImportQuestion = z.infer<typeof importQuestion>
export type NewName = z.infer<typeof newName>
export type DryRunPlan = z.infer<typeof dryRunPlan>
export type ExpectedGoLive = z.infer<typeof expectedGoLive>
export type DryRunReply = z.infer<typeof dryRunReply>

const nameAnswer = importQuestion.pick({ kind: true, typed: true, about: true }).extend({
  typed: z
    .string()
    .trim()
    .max(LONGEST_LOOKUP_NAME, `A name can have at most ${LONGEST_LOOKUP_NAME} characters`),
  about: z.string().trim().max(LONGEST_LOOKUP_NAME).default(''),
  /** The category, manufacturer or model the name means; null adds it as a new manufacturer or model. */
  lookupId: z.uuid('Choose what it means').nullable(),
  /** Parts with this name are not listed; `lookupId` is null then. */
  leaveOut: z.boolean().optional(),
})

/** Paths inside the staging root ecomm; `rejected` is the URL of a call. */
const stagedFiles = z.object({ json: z.string(), csv: z.string(), rejected: z.string().optional() })

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
 * review, or if it failed before anything was live, it can be withdrawn; once it is live it can be undone.
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
      /** Rows that wait until the seller explains a name in them. */
      held: count,
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
  /** Whether the seller may continue it; otherwise an administrator does. */
  canConfirm: z.boolean(),
  /** The waiting rest of a new seller's import: its size, when it goes live, and since when a report has held it. */
  rest: z.object({ changes: count, liveAt: z.string(), heldAt: z.string().nullable() }).nullable(),
  /** How its columns were read by the seller's answers, such as a rate. */
  answers: z.array(columnAssumption).optional(),
})
export type ImportRecord = z.infer<typeof importRecord>

const linkedPart = z.object({ id: z.uuid(), partslug: z.string(), title: z.string() })

/** What a held row is: a correction of the listing with its stock number, or a separate part. */
const heldAnswers = ['same', 'new'] as const
export type HeldAnswer = (typeof heldAnswers)[number]

/** If unset, all of them. */
const someRecords = z.array(count).min(1).max(1_000).optional()

/** What an import did, and what its undo kept. */
const importReceipt = z.object({
  importId: z.uuid(),
  fileName: z.string(),
  appliedAt: z.string().nullable(),
  approvedBy: z.string().nullable(),
  total: count,
  created: count,
  updated: count,
  unchanged: count,
  /** Unchanged listings that were planned as updates but already matched their rows. */
  alreadyEqual: count.optional(),
  /** Parts whose statements of other numbers are more than count in a day: they count on the next days. */
  statementsHeld: count.optional(),
  ended: count,
  merged: count,
  rejected: count,
  /** Rows that wait until the seller explains a name in them. */
  waiting: count,
  /** Rejected rows that the plan excluded: ambiguous, or edited since. */
  refused: count,
  /** The first of these, with spreadsheet row numbers; `row` is null if only the record is known. */
  leftOut: z.array(z.object({ row: count.nullable(), record: count, reason: z.string() })),
  /**
   * Rows that wait for the seller: each has the stock number of a listing but another name and part number, or it
   * `repeats` a part listed by hand without naming its id. Counted in `refused` until they are answered. `part` is the row, `row` its number in the spreadsheet.
   */
  held: z.object({
    total: count,
    rows: z.array(
      z.object({
        record: count,
        row: count.nullable(),
        part: z.string(),
        listing: linkedPart,
        repeats: z.boolean(),
      }),
    ),
  }),
  /** Parts that buyers ordered and that the file would end, or still lists long after they were sold here: nothing changed. */
  ordered: z.object({
    total: count,
    rows: z.array(
      z.object({
        listing: linkedPart,
        order: z.object({ id: z.uuid(), number: z.string() }).nullable(),
        reason: z.string(),
      }),
    ),
  }),
  /** Edits by hand that were kept although the file has a new value, by listing. */
  kept: z.object({
    total: count,
    rows: z.array(
      z.object({
        record: count,
        listing: linkedPart,
        fields: z.array(
          z.object({ field: z.string(), label: z.string(), edited: z.unknown(), file: z.unknown() }),
        ),
        /** Whether the file's values can still be used: false once a later file has other values. */
        canUse: z.boolean(),
      }),
    ),
  }),
  /**
   * Listings whose price, grade or mileage changed, of the first file of its columns since columns are checked before a run: an
   * older reading may have taken kilometers for miles.
   */
  corrected: z
    .object({
      total: count,
      rows: z.array(
        z.object({
          listing: linkedPart,
          fields: z.array(
            z.object({ field: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() }),
          ),
        }),
      ),
    })
    .optional(),
  /** After an undo: how many were undone, and those that were kept because they changed since. */
  undone: count,
  leftAsIs: count,
  left: z.array(z.object({ id: z.uuid(), partslug: z.string(), title: z.string(), reason: z.string() })),
  mode: z.enum(importModes),
  state: z.enum(importStates),
  /** How its columns were read by the seller's answers, such as a rate. */
  answers: z.array(columnAssumption).optional(),
})
export type ImportReceipt = z.infer<typeof importReceipt>

const runErrors = [
  ...importGateErrors,
  'VALIDATION_FAILED',
  'ANSWER_NEEDED',
  'NOT_FOUND',
  'WITHDRAWN',
  'KEY_REUSED',
  'STILL_RUNNING',
  'QUOTA_REACHED',
] as const

const answerErrors = ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'] as const

export const importEndpoints = endpoints({
  readTradeWords: {
    summary: 'The vocabulary for reading files in the browser',
    reply: z.object({
      /** Built-in words by what they do in a name. */
      language: z.array(z.object({ role: z.string(), words: z.string(), means: z.string() })),
      /** Words for makes, with the make’s name. */
      makes: z.array(z.object({ word: z.string(), means: z.string() })),
    }),
    errors: ['SIGNED_OUT'],
  },
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
      reading: readingOverride.nullish(),
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
  readShape: {
    summary:
      'What is remembered for files with these columns: mapping, splits, defaults, mode, answers, reading',
    body: z.object({ header: z.array(z.string().max(500)).min(1).max(1_000) }),
    /** All fields are empty if no such file was imported. */
    reply: z.object({
      mapping: mappingTemplate.shape.mapping,
      defaults: z.record(z.string(), z.string()),
      /** In the format of the import form. */
      answers: z.record(z.string(), z.union([z.string(), z.number(), z.array(z.string())])),
      mode: z.enum(importModes).optional(),
      /** What a person chose for files that have these columns when nothing is chosen. */
      reading: readingOverride.optional(),
    }),
    errors: [...importGateErrors, 'VALIDATION_FAILED'],
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
    summary: 'Continue an import that is waiting for confirmation, with the given plan',
    params: byId,
    body: z.object({ planId: z.uuid('Send the id of the plan that was seen') }),
    reply: importRecord,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STALE', 'CONFLICT'],
  },
  readQuestions: {
    summary: 'Questions the seller must answer before the waiting rows of an import go live',
    params: byId,
    reply: z.object({ held: count, questions: z.array(importQuestion) }),
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  answerNames: {
    summary:
      'Answer what names in the yard’s files mean, for this and all later files; rows that waited for the answers go live',
    body: z.object({ answers: z.array(nameAnswer).min(1, 'Answer at least one question').max(200) }),
    /** Imports whose waiting rows now go live. */
    reply: okReply.extend({ importIds: z.array(z.uuid()) }),
    errors: [...importGateErrors, 'VALIDATION_FAILED'],
  },
  readReceipt: {
    summary: 'What an import did, and what its undo kept',
    params: byId,
    reply: importReceipt,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'CONFLICT'],
  },
  answerHeldRows: {
    summary: 'Decide whether held rows correct the listings with their stock numbers or are separate parts',
    params: byId,
    body: z.object({
      answer: z.enum(heldAnswers, 'Answer “same” or “new”'),
      records: someRecords,
    }),
    reply: importReceipt,
    errors: answerErrors,
  },
  useFileValues: {
    summary: 'Replace edits that were kept with the file’s values',
    params: byId,
    body: z.object({ records: someRecords }),
    reply: importReceipt,
    errors: answerErrors,
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
