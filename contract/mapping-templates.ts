import { z } from 'zod'
import { saidReading } from '#contract/yard-file/reading.ts'
import { endpoints, okReply } from './endpoint.ts'

/** Which column of a yard's file is which field, saved for the next file: a seller's own and those for everybody. */

export const mappingTemplate = z.object({
  id: z.uuid(),
  name: z.string(),
  scope: z.enum(['USER', 'GLOBAL']),
  /** Target field → header of the file. */
  mapping: z.record(z.string(), z.string()),
  description: z.string(),
  /** How its files are read, as far as somebody chose that; the rest is detected in each. */
  reading: saidReading.nullable(),
  /** Comes with the product, for a file that many programs write; it cannot be deleted. */
  shipped: z.boolean(),
})
export type MappingTemplate = z.infer<typeof mappingTemplate>

/** The gate of everything that imports: tier PAID, payout onboarding begun. */
export const importGateErrors = ['SIGNED_OUT', 'PRO_ONLY', 'ONBOARDING_REQUIRED'] as const

export const templateEndpoints = endpoints({
  listMappings: {
    method: 'GET',
    path: '/pro/mappings',
    summary: 'Mapping templates: the seller’s own and those for everybody',
    access: 'user',
    limit: 'read',
    reply: z.object({ mine: z.array(mappingTemplate), global: z.array(mappingTemplate) }),
    errors: importGateErrors,
  },
  createMapping: {
    method: 'POST',
    path: '/pro/mappings',
    summary: 'Save a mapping template',
    access: 'user',
    limit: 'write',
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
    method: 'DELETE',
    path: '/pro/mappings/{id}',
    summary: 'Delete a mapping template',
    access: 'user',
    limit: 'write',
    params: z.object({ id: z.uuid() }),
    reply: okReply,
    errors: [...importGateErrors, 'NOT_FOUND', 'CONFLICT'],
  },
})
