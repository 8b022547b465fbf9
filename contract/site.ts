import { z } from 'zod'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { endpoints, okReply } from './endpoint.ts'

const line = (label: string, most: number) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(most, `${label} has at most ${most.toLocaleString('en-US')} characters`)

export const siteEndpoints = endpoints({
  site: {
    summary: 'What the web app needs to know of this installation',
    reply: z.object({
      productName: z.string(),
      /** Where "Find Auto Parts" leads; null for our own list. */
      findPartsUrl: z.string().nullable(),
      demo: z.boolean(),
      /** `test`: no money moves, and pages that take it say so. */
      payments: z.enum(['live', 'test', 'off']),
      /** Administrators without the Pro plan see its pages. */
      adminPreview: z.boolean(),
      counts: z.object({
        listings: z.number().int(),
        manufacturers: z.number().int(),
        models: z.number().int(),
        sellers: z.number().int(),
      }),
    }),
    errors: [],
  },
  askSupport: {
    summary: 'Write to the operator',
    body: z.object({
      name: line('Name', 120).refine(isOneLine, notOneLine('Name')),
      email: z.email('Enter an email address such as name@example.com').max(254),
      subject: line('Subject', 160).refine(isOneLine, notOneLine('Subject')),
      message: line('Message', 5_000),
    }),
    status: 201,
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})
