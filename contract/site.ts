import { z } from 'zod'
import { emailAddress, requiredLine, requiredText } from '#contract/text/text-fields.ts'
import { count, endpoints, okReply } from './endpoint.ts'

export const siteEndpoints = endpoints({
  site: {
    summary: 'Settings of this installation for the web app',
    reply: z.object({
      productName: z.string(),
      /** Target of "Find Auto Parts"; null for our own list. */
      findPartsUrl: z.string().nullable(),
      demo: z.boolean(),
      /** `test`: no money moves, and payment pages show that. */
      payments: z.enum(['live', 'test', 'off']),
      /** Administrators without the Pro plan see its pages. */
      adminPreview: z.boolean(),
      counts: z.object({
        listings: count,
        manufacturers: count,
        models: count,
        sellers: count,
      }),
    }),
    errors: [],
  },
  askSupport: {
    summary: 'Write to the operator',
    body: z.object({
      name: requiredLine('Name', 120),
      email: emailAddress,
      subject: requiredLine('Subject', 160),
      message: requiredText('Message', 5_000),
    }),
    status: 201,
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
})
