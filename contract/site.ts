import { z } from 'zod'
import { emailAddress, requiredLine, requiredText } from '#contract/text/text-fields.ts'
import { count, endpoints, okReply } from './endpoint.ts'

export const siteEndpoints = endpoints({
  site: {
    summary: 'Settings of this installation for the web app',
    shared: 'late',
    reply: z.object({
      productName: z.string(),
      /** Target of "Find Auto Parts"; null for our own list. */
      findPartsUrl: z.string().nullable(),
      demo: z.boolean(),
      /** `test`: no money moves, and payment pages show that. */
      payments: z.enum(['live', 'test', 'off']),
      /** Whether parts can be bought here. */
      orders: z.boolean(),
      /** Administrators without the Pro plan see its pages. */
      adminPreview: z.boolean(),
      /** The monthly price of Pro, such as "$149". */
      proPrice: z.string(),
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

/** Page speed in users' browsers, for operators in `/metrics`; no user and no page is recorded. */

// Ten minutes. Without a limit, one caller could push a sum to infinity until the next restart.
const MAX = 600_000

/** Times in milliseconds; CLS has no unit. */
export const webVitals = ['TTFB', 'FCP', 'LCP', 'INP', 'CLS'] as const
export type WebVital = (typeof webVitals)[number]

export const webVitalEndpoints = endpoints({
  reportWebVital: {
    summary: 'A web vital measured by a browser; unknown ones are ignored',
    body: z.object({
      name: z
        .string('name is required')
        .min(1, 'name is required')
        .max(40, 'name can have at most 40 characters'),
      value: z
        .number('value must be a number')
        .min(0, 'value must be 0 or more')
        .max(MAX, `value must be at most ${MAX.toLocaleString('en-US')}`),
    }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
})
