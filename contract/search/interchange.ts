import { z } from 'zod'
import { adminErrors, byId, count, endpoints, okReply, pageOf, pageQuery } from '#contract/endpoint.ts'
import { linksParts } from '#contract/listing/interchange.ts'

/* Part numbers that are the same part or replace each other, as stated by sellers. */

const longestNumber = 60
const number = z
  .string()
  .trim()
  .max(longestNumber, `A part number can have at most ${longestNumber} characters`)
  .refine(linksParts, {
    error:
      'Use a part number of 5 to 30 letters and digits, with a digit. Hollander numbers, such as 114-60123, stay in the listing.',
  })

/** `number` is the same part as `other`, or replaces it. */
const pair = { kind: z.enum(['same', 'replaces']), number: z.string(), other: z.string() }

const claim = z.object({ id: z.uuid(), ...pair, at: z.iso.datetime() })
export type InterchangeClaim = z.infer<typeof claim>

const edge = z.object({
  ...pair,
  /** Combined confidence of its sources, 0 to 1. */
  confidence: z.number(),
  /**
   * One per seller; `file`: an inventory file, `listing`: a listing's form, `yard`: a statement about the numbers
   * themselves.
   */
  sources: z.array(
    z.object({ seller: z.string(), source: z.enum(['yard', 'listing', 'file']), at: z.iso.datetime() }),
  ),
})

/** Parts of one number that were bought for one model, over all yards; `cameBack` as not fitting. */
const fitEvidence = z.object({
  make: z.string(),
  model: z.string(),
  from: z.int().nullable(),
  to: z.int().nullable(),
  bought: count,
  cameBack: count,
})

const group = z.object({
  number: z.string(),
  numbers: z.array(z.object({ number: z.string(), why: z.string() })),
  edges: z.array(edge),
  /** What happened to parts of this number that were bought for a vehicle. */
  evidence: z.array(fitEvidence),
})

const part = z.object({ id: z.uuid(), partslug: z.string(), partname: z.string() })

const report = z.object({
  /** Number of live parts; of those with a part number; of those that interchange with any number. */
  parts: count,
  numbered: count,
  linked: count,
  /** A page of parts that do not interchange, newest first. */
  without: z.array(part.extend({ partnum: z.string().nullable(), version: count, vehicle: z.string() })),
  page: count,
  perPage: count,
  /** Contradictory statements, one message each. */
  contradictions: z.array(
    z.object({
      sentence: z.string(),
      /** The listings to edit. */
      parts: z.array(part.extend({ category: z.string().nullable() })),
      /** A statement that the yard can remove. */
      claimId: z.uuid().nullable(),
    }),
  ),
})
export type InterchangeReport = z.infer<typeof report>

const fitSuggestion = part.extend({
  partnum: z.string(),
  version: count,
  /** The listing's current fitment. */
  fitment: z.string().nullable(),
  /** Rows that could be added, in the field's format. */
  rows: z.array(z.object({ row: z.string(), why: z.string() })),
})
export type FitSuggestion = z.infer<typeof fitSuggestion>

export const interchangeEndpoints = endpoints({
  readInterchange: {
    summary: 'The numbers that interchange with one, why, and who states it',
    query: z.object({ number: z.string().min(1).max(longestNumber) }),
    shared: 'recent',
    reply: group,
    errors: ['VALIDATION_FAILED'],
  },
  readInterchangeReport: {
    summary: 'How many of the seller’s parts interchange, those that do not, and contradictory statements',
    query: z.object(pageQuery(24)),
    reply: report,
    errors: ['SIGNED_OUT'],
  },
  suggestFits: {
    summary:
      'Vehicles that the seller’s parts may also fit, based on parts with the same number; add them by editing the listing',
    reply: z.object({ items: z.array(fitSuggestion) }),
    errors: ['SIGNED_OUT'],
  },
  listClaims: {
    summary: 'The yard’s statements about numbers besides its listings, newest first',
    query: z.object(pageQuery(50)),
    reply: z.object(pageOf(claim)),
    errors: ['SIGNED_OUT'],
  },
  stateClaim: {
    summary:
      'State that a number is the same part as another, or replaces it; stating it again changes nothing',
    body: z.object({ ...pair, number, other: number }),
    status: 201,
    reply: claim,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  removeClaim: {
    summary: 'Remove one of the yard’s statements about two numbers',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  removeNumberClaim: {
    summary: 'Remove a seller’s statement about two numbers permanently: stating it again has no effect',
    params: byId,
    reply: okReply,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
})
