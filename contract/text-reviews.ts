import { z } from 'zod'
import { adminErrors, byId, count, endpoints } from './endpoint.ts'
import { stagingRoots } from './staging.ts'

/** Texts that a dry run would write, side by side with the current ones; only accepted texts are written. Admins only. */

/**
 * `new`: there was no text. `added`: the old text is kept, with more below it. `reworded`: other words around the same
 * ones. `drops`: words of the old text are gone. `refused`: nothing would be written.
 */
export const textChanges = ['new', 'added', 'reworded', 'drops', 'refused'] as const
export type TextChange = (typeof textChanges)[number]

export const textDecisions = ['accepted', 'rejected'] as const
export type TextDecision = (typeof textDecisions)[number]

const proposal = z.object({
  /** Its place in the run, counted from 1. */
  place: count,
  /** "Row 3" of a staged file, or "Listing 3". */
  label: z.string(),
  /** The part in one line. */
  title: z.string(),
  /** Of a live listing. */
  partslug: z.string().nullable(),
  before: z.string(),
  /** Null if the record was refused. */
  after: z.string().nullable(),
  change: z.enum(textChanges),
  /** Words of the old text that the new one does not have. */
  lost: z.array(z.string()),
  /** Why the record was refused. */
  why: z.string().nullable(),
  decision: z.enum(textDecisions).nullable(),
  /** `stale`: changed by someone since the dry run, so it was left alone. */
  outcome: z.enum(['written', 'stale']).nullable(),
})
export type TextProposal = z.infer<typeof proposal>

const review = z.object({
  jobId: z.uuid(),
  field: z.enum(['h1', 'partdescription']),
  /** The staged file; null for live listings. */
  source: z.object({ root: z.enum(stagingRoots), path: z.string(), version: count }).nullable(),
  changes: z.object({ new: count, added: count, reworded: count, drops: count, refused: count }),
  accepted: count,
  rejected: count,
  /** Neither decided nor refused. */
  open: count,
  /** Accepted texts that were written, and those whose part had changed meanwhile. */
  written: count,
  stale: count,
  /** Texts beyond the most that a review keeps: run the script on fewer records to see them. */
  leftOut: count,
})
export type TextReview = z.infer<typeof review>

/** Words in the part's title or in one of the two texts, and the kind of change. */
const filter = {
  q: z.string().max(200).optional(),
  change: z.enum(textChanges).optional(),
}

export const textReviewEndpoints = endpoints({
  readTextReview: {
    summary: 'Texts that a dry run would write, with the current ones, in the order of the run',
    params: byId,
    query: z.object({
      ...filter,
      decision: z.enum([...textDecisions, 'open']).optional(),
      /** The last place of the page before. */
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({
      review,
      /** How many match the filter. */
      total: count,
      items: z.array(proposal),
      next: count.nullable(),
    }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  decideTexts: {
    summary:
      'Accept or reject texts of a dry run, some or all that match a filter; written ones stay as they are',
    params: byId,
    body: z.object({
      /** Null: undecided again. */
      decision: z.enum(textDecisions, 'The decision is accepted or rejected').nullable(),
      /** Without places: all that match the filter. */
      places: z.array(count.min(1)).max(1_000).optional(),
      ...filter,
    }),
    reply: z.object({ review, changed: count }),
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  writeAcceptedTexts: {
    summary:
      'Write the accepted texts: a staged file as one new version, live listings as a bulk save of up to 2,000. `left` more need another call',
    params: byId,
    reply: z.object({
      review,
      written: count,
      left: count,
      /** The staged file's new version. */
      version: count.nullable(),
    }),
    errors: [...adminErrors, 'NOT_FOUND', 'STALE', 'STORAGE_FULL', 'BUSY'],
  },
})
