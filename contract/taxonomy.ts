import { z } from 'zod'
import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { endpoints, okReply } from './endpoint.ts'
import { lookupKinds } from './lookups.ts'
import { stagingPath, stagingRoot } from './staging.ts'

/** The taxonomy of staged files: names become those of the lookups, and what is unsure is decided once. Admins only. */

/** Above this a file is resolved by a job. */
export const MOST_ROWS_AT_ONCE = 5_000

/** Above this the answer leaves the file's contents out. */
export const MOST_TAXONOMY_CONTENTS_BYTES = 1024 * 1024

/**
 * The same name (`exact`), another name of it (`alias`), otherwise written (`spelling`), an abbreviation, with words around
 * it (`within`), mistyped (`similar`), or made because nobody had it (`new`).
 */
const matchedHow = ['exact', 'alias', 'spelling', 'abbreviation', 'within', 'similar', 'new'] as const

const count = z.number().int()
/** Between 0 and 1. */
const confidence = z.number()

const nameOfFile = z.object({
  kind: z.enum(lookupKinds),
  typed: z.string(),
  /** Of a model: the manufacturer that it stands with; no id where that is new. */
  manufacturerId: z.uuid().nullable(),
  manufacturer: z.string().nullable(),
  /** Rows of the file that have it. */
  rows: count,
})

const taxonomyName = nameOfFile.extend({
  matched: z.string().nullable(),
  how: z.enum(matchedHow),
  /** Null for a name that is new. */
  confidence: confidence.nullable(),
  /** Rows of a year in which the model was not built. */
  rowsOutOfYears: count,
})
export type TaxonomyName = z.infer<typeof taxonomyName>

/** A name that stays as text until somebody says what it means. */
const taxonomyQuestion = nameOfFile.extend({
  /** Of a category: the type of part, as “Glass” is another category for each. Older results have none. */
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
      /** Left out above 1 MB. */
      contents: z.string().optional(),
      version: count,
      /** Rows that changed. */
      updatedCount: count,
      /** Names written anew in them. */
      rewrittenCount: count,
      /** Different spellings that were replaced. */
      modifiedCount: count,
      /** Lookups that were made. */
      createdCount: count,
    }),
  ),
  createdCategories: z.array(z.string()),
  createdManufacturers: z.array(z.string()),
  createdModels: z.array(z.object({ manufacturer: z.string(), name: z.string() })),
  /** How names were understood, those on most rows first; without those that stood as they should. At most 500. */
  names: z.array(taxonomyName),
  /** At most 500, those on most rows first. */
  unsure: z.array(taxonomyQuestion),
  unsureCount: count,
  /** Why new names were not made. */
  stopped: z.string().nullable(),
})
export type TaxonomyResult = z.infer<typeof taxonomyResult>

export const taxonomyEndpoints = endpoints({
  readTaxonomy: {
    summary: 'What was last made of a file’s names, by whatever run, and the job that resolves them just now',
    query: z.object({ root: stagingRoot, path: stagingPath }),
    reply: z.object({
      jobId: z.uuid().nullable(),
      /** Names that were decided since are not unsure any more. */
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
      /** The version that was looked at; a newer one answers 409. */
      version: z.number().int().optional(),
    }),
    reply: taxonomyResult,
    later: z.object({ jobId: z.uuid() }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED', 'VALIDATION_FAILED', 'NOT_FOUND', 'STALE'],
  },
  decideName: {
    summary: 'Say what a name means, for all files to come: one of the lookups, or a new one (lookupId null)',
    body: z.object({
      kind: z.enum(lookupKinds, 'The kind must be category, manufacturer or car-model'),
      typed: z
        .string('The name is missing')
        .trim()
        .min(1, 'The name is missing')
        .max(LONGEST_LOOKUP_NAME, `A name can have at most ${LONGEST_LOOKUP_NAME} characters`),
      /** Of a category: the type of part that it is decided for; '' for every part with that name. */
      about: z.string().trim().max(LONGEST_LOOKUP_NAME).default(''),
      /** Of a model. */
      manufacturerId: z.uuid().nullish(),
      lookupId: z.uuid('Choose what it means').nullable(),
    }),
    reply: okReply.extend({ id: z.uuid(), name: z.string() }),
    errors: ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED', 'VALIDATION_FAILED', 'CONFLICT'],
  },
})
