import { z } from 'zod'
import { count, endpoints, okReply } from '#contract/endpoint.ts'
import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { lookupKinds } from '#contract/lookups.ts'
import { stagingPath, stagingRoot } from './staging.ts'

/** The taxonomy of staged files: matches their names with lookups; uncertain names are decided once. Admins only. */

/** Larger files are resolved by a job. */
export const MAX_ROWS_AT_ONCE = 5_000

/** Above this size, the reply omits the file's contents. */
export const MAX_TAXONOMY_CONTENTS_BYTES = 1024 * 1024

/**
 * The same name (`exact`), an alias (`alias`), a spelling variant (`spelling`), an abbreviation, a partial match
 * (`within`), a typo (`similar`), or created because it was unknown (`new`).
 */
const matchedHow = ['exact', 'alias', 'spelling', 'abbreviation', 'within', 'similar', 'new'] as const

/** From 0 to 1. */
const confidence = z.number()

const nameOfFile = z.object({
  kind: z.enum(lookupKinds),
  typed: z.string(),
  /** For a model: its manufacturer in the file; no id if that is new. */
  manufacturerId: z.uuid().nullable(),
  manufacturer: z.string().nullable(),
  /** Rows of the file with the name. */
  rows: count,
})

const taxonomyName = nameOfFile.extend({
  matched: z.string().nullable(),
  how: z.enum(matchedHow),
  /** Null for a new name. */
  confidence: confidence.nullable(),
  /** Rows with a year outside the model's production years. */
  rowsOutOfYears: count,
})
export type TaxonomyName = z.infer<typeof taxonomyName>

/** A name that stays text until an administrator decides what it means. */
const taxonomyQuestion = nameOfFile.extend({
  /** For a category: the type of part, because “Glass” is a different category for each. Older results have none. */
  about: z.string().default(''),
  reason: z.string(),
  candidates: z.array(z.object({ id: z.uuid(), name: z.string(), confidence })),
})
export type TaxonomyQuestion = z.infer<typeof taxonomyQuestion>

export const taxonomyResult = z.object({
  message: z.string(),
  root: stagingRoot,
  files: z.array(
    z.object({
      path: z.string(),
      contentType: z.string(),
      /** Omitted above 1 MB. */
      contents: z.string().optional(),
      version: count,
      /** Changed rows. */
      updatedCount: count,
      /** Replaced names in these rows. */
      rewrittenCount: count,
      /** Distinct spellings that were replaced. */
      modifiedCount: count,
      /** Created lookups. */
      createdCount: count,
    }),
  ),
  createdCategories: z.array(z.string()),
  createdManufacturers: z.array(z.string()),
  createdModels: z.array(z.object({ manufacturer: z.string(), name: z.string() })),
  /** How names were matched, those on most rows first, at most 500; excludes names that were already correct. */
  names: z.array(taxonomyName),
  /** Those on most rows first, at most 500. */
  unsure: z.array(taxonomyQuestion),
  unsureCount: count,
  /** Why new names were not created. */
  stopped: z.string().nullable(),
})
export type TaxonomyResult = z.infer<typeof taxonomyResult>

export const taxonomyEndpoints = endpoints({
  readTaxonomy: {
    summary: 'The last result of resolving a file’s names, and the job that is resolving them now',
    query: z.object({ root: stagingRoot, path: stagingPath }),
    reply: z.object({
      jobId: z.uuid().nullable(),
      /** Excludes names decided since then. */
      last: z
        .object({ result: taxonomyResult, madeAt: z.string(), madeBy: z.string().nullable() })
        .nullable(),
    }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED', 'VALIDATION_FAILED', 'NOT_FOUND'],
  },
  resolveTaxonomy: {
    summary: 'Resolve the names of a staged file: it gets a new version; above 5,000 rows a job does it',
    body: z.object({
      root: stagingRoot,
      path: stagingPath,
      /** The version the user saw; 409 if there is a newer one. */
      version: z.number().int().optional(),
    }),
    reply: taxonomyResult,
    later: z.object({ jobId: z.uuid() }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED', 'VALIDATION_FAILED', 'NOT_FOUND', 'STALE'],
  },
  decideName: {
    summary:
      'Decide what a name means, for this and all later files: one of the lookups, or a new one (lookupId null)',
    body: z.object({
      kind: z.enum(lookupKinds, 'The kind must be category, manufacturer or car-model'),
      typed: z
        .string('The name is missing')
        .trim()
        .min(1, 'The name is missing')
        .max(LONGEST_LOOKUP_NAME, `A name can have at most ${LONGEST_LOOKUP_NAME} characters`),
      /** For a category: the type of part it is decided for; '' for every part with that name. */
      about: z.string().trim().max(LONGEST_LOOKUP_NAME).default(''),
      /** Only for a model. */
      manufacturerId: z.uuid().nullish(),
      lookupId: z.uuid('Choose what it means').nullable(),
    }),
    reply: okReply.extend({ id: z.uuid(), name: z.string() }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED', 'VALIDATION_FAILED', 'CONFLICT'],
  },
})
