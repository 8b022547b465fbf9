import { z } from 'zod'
import { endpoints, okReply } from './endpoint.ts'

/** Page speed in users' browsers, for operators in `/metrics`; no user and no page is recorded. */

// Ten minutes. Otherwise one caller could drive a sum to infinity and ruin it until the next restart.
const MAX = 600_000

/** Times in milliseconds; CLS has no unit. */
export const webVitals = ['TTFB', 'FCP', 'LCP', 'INP', 'CLS'] as const
export type WebVital = (typeof webVitals)[number]

export const webVitalEndpoints = endpoints({
  reportWebVital: {
    summary: 'A web vital measured by a browser; unknown ones are ignored',
    body: z.object({
      name: z.string('name is required').min(1, 'name is required').max(40, 'name has at most 40 characters'),
      value: z
        .number('value is a number')
        .min(0, 'value is 0 or more')
        .max(MAX, `value is at most ${MAX.toLocaleString('en-US')}`),
    }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
})
