import { z } from 'zod'
import { endpoints } from './endpoint.ts'

/** Staged files: read, saved as a new version, promoted into live listings. Admins only. */

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
    method: 'GET',
    path: '/admin/automation/staging/file',
    summary: 'A staged file as JSON or CSV; a large one by windows of rows (from counts from 0)',
    access: 'admin',
    limit: 'read',
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
    method: 'PUT',
    path: '/admin/automation/staging/file',
    summary: 'Save a staged file as a new version',
    access: 'admin',
    limit: 'write',
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
    method: 'POST',
    path: '/admin/automation/staging/promote',
    summary: 'Publish staged files: each joins its root’s dataset, and a job makes its rows live',
    access: 'admin',
    limit: 'write',
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
