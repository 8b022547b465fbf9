import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'

/** Days in which signing in takes a closure back. */
export const DAYS_TO_REOPEN = 14

export const ownDataEndpoints = endpoints({
  exportOwnData: {
    summary: 'Everything we store about you, as a ZIP of JSON files',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
})

export const closingEndpoints = endpoints({
  closeAccount: {
    summary: `Close the account: erased after ${DAYS_TO_REOPEN} days unless you sign in before`,
    body: z.object({
      password: z.string('Enter your password').min(1, 'Enter your password').max(1024),
    }),
    reply: z.object({
      /** When the data is erased. */
      eraseAfter: z.string(),
    }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'CONFLICT'],
  },
})
