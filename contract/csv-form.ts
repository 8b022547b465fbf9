import { z } from 'zod'

/** Text fields of the multipart body that brings a file in; objects come as JSON text. */
export const csvForm = z.object({
  mappingId: z.string().optional(),
  mapping: z.string().optional(),
  defaults: z.string().optional(),
  /** `saidReading` of `yard-file/reading.ts`; what is not said is detected, by the first chunk for all of them. */
  reading: z.string().optional(),
  chunkIndex: z.string().optional(),
  chunkCount: z.string().optional(),
  idempotencyKey: z.string().optional(),
  staging: z.string().optional(),
  mode: z.string().optional(),
  dryRun: z.string().optional(),
  adminPreview: z.string().optional(),
})
export type CsvForm = z.infer<typeof csvForm>
