import { z } from 'zod'
import { endpoints, okReply } from './endpoint.ts'

/** Page speed in users' browsers, for operators in `/metrics`; no user and no page is recorded. */

// Ten minutes. Otherwise one caller could drive a sum to infinity and ruin it until the next restart.
const MOST = 600_000

/** Times in milliseconds; CLS has no unit. */
export const webVitals = ['TTFB', 'FCP', 'LCP', 'INP', 'CLS'] as const
export type WebVital = (typeof webVitals)[number]

export const webVitalEndpoints = endpoints({
  reportWebVital: {
    summary: 'A web vital as a browser measured it; one that is not known here is taken and not counted',
    body: z.object({
      name: z.string('name is required').min(1, 'name is required').max(40, 'name has at most 40 characters'),
      value: z
        .number('value is a number')
        .min(0, 'value is 0 or more')
        .max(MOST, `value is at most ${MOST.toLocaleString('en-US')}`),
    }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
})
