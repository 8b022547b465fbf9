import { z } from 'zod'
import type { Spent } from './writer.ts'

/** What a job's writer has cost, as its checkpoint keeps it: the cap goes over all runs of the job. */
export const spentSchema = z.object({
  calls: z.int(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  cents: z.number(),
}) satisfies z.ZodType<Spent>

export const NOTHING_SPENT: Spent = { calls: 0, inputTokens: 0, outputTokens: 0, cents: 0 }
