import { z } from 'zod'
import { byId, endpoints, okReply } from '#contract/endpoint.ts'
import { type ApiScope, apiScopes } from '#contract/routes.ts'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'

/** What a token with the scope may do, as shown in the form. */
export const scopeWords: Record<ApiScope, string> = {
  'listings:read': 'Read your listings and download them',
  'listings:write': 'Create, change, end and delete your listings',
  'imports:read': 'Read your imports, their receipts and column mappings',
  'imports:write': 'Import inventory files, answer questions about them and undo imports',
  'messages:read': 'Read messages from buyers',
}

/** The form's choices of days until a token expires; null means never. */
export const tokenLifetimes = [30, 90, 365, null] as const

/** Enough for every system of a yard. */
export const MAX_TOKENS = 20

const apiToken = z.object({
  id: z.uuid(),
  name: z.string(),
  /** The token's last characters, to tell it from others. */
  ending: z.string(),
  scopes: z.array(z.enum(apiScopes)),
  createdAt: z.string(),
  /** Accurate to five minutes. */
  lastUsedAt: z.string().nullable(),
  expiresAt: z.string().nullable(),
  isExpired: z.boolean(),
})
export type ApiToken = z.infer<typeof apiToken>

const newToken = z.object({
  name: z
    .string('Name the token')
    .trim()
    .min(1, 'Name the token after the system that will use it')
    .max(80, 'A name can have at most 80 characters')
    .refine(isOneLine, notOneLine('Name')),
  scopes: z
    .array(
      z.enum(apiScopes, `A scope must be one of ${apiScopes.join(', ')}`),
      'Choose what the token may do',
    )
    .min(1, 'Choose what the token may do')
    .transform((scopes) => apiScopes.filter((scope) => scopes.includes(scope))),
  /** Null for a token that does not expire. */
  expiresInDays: z
    .int('A token expires after 1 to 365 days')
    .min(1, 'A token expires after 1 to 365 days')
    .max(365, 'A token expires after 1 to 365 days')
    .nullable(),
})
export type NewApiToken = z.infer<typeof newToken>

export const apiTokenEndpoints = endpoints({
  listTokens: {
    summary: 'Your API tokens, newest first',
    reply: z.object({ items: z.array(apiToken) }),
    errors: ['SIGNED_OUT'],
  },
  createToken: {
    summary: 'Create an API token; the reply is the only time it is shown',
    body: newToken,
    // Not 201: a creating call takes an Idempotency-Key, and its stored reply would contain the token.
    reply: z.object({ token: z.string(), item: apiToken }),
    errors: ['SIGNED_OUT', 'REAUTH_NEEDED', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  revokeToken: {
    summary: 'Revoke an API token; it stops working at once',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
})
