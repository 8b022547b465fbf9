/** One row of the error table: what it means to a person, and what to do about it. `docs/errors.md` is made from it. */
type ErrorEntry = { status: number; meaning: string; action: string }

/**
 * Every machine word that can stand in `code` of an error reply. An endpoint declares which of them are its own; the
 * ones in `everywhereCodes` may come from any endpoint.
 */
export const errorTable = {
  MALFORMED: {
    status: 400,
    meaning:
      'The request could not be read: broken JSON, a parameter of the wrong kind, or text that cannot be stored.',
    action: 'Send what the API description shows for this call.',
  },
  SIGNED_OUT: {
    status: 401,
    meaning: 'There is no valid bearer token with the request: it is missing, ended, or was never issued.',
    action: 'Sign in again and send the new token.',
  },
  CREDENTIALS_WRONG: {
    status: 401,
    meaning: 'E-mail or password is wrong, or the account is disabled.',
    action: 'Check both and try again.',
  },
  NOT_ALLOWED: {
    status: 403,
    meaning: 'The account does not have the role that this call needs.',
    action: 'Ask an administrator for the role.',
  },
  PRO_ONLY: {
    status: 403,
    meaning: 'The call belongs to the Pro plan.',
    action: 'Upgrade to Pro.',
  },
  QUOTA_REACHED: {
    status: 422,
    meaning: 'The account has as much of this as it may have: unfinished imports, or space for staged files.',
    action: 'Finish or undo earlier imports; the sentence names the limit.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing at this address, or it is not yours.',
    action: 'Check the address; go back to the list it came from.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The address exists, but not with this method.',
    action: 'Use a method named in the Allow header.',
  },
  ONBOARDING_REQUIRED: {
    status: 409,
    meaning: 'The payout account of the seller was never begun, and an import needs it.',
    action: 'Begin payout onboarding, then import again.',
  },
  LISTING_DELETED: {
    status: 409,
    meaning: 'The listing was deleted while it was being edited.',
    action: 'Take the deletion back, or list the part again.',
  },
  CONFLICT: {
    status: 409,
    meaning: 'Something with this name or address exists already.',
    action: 'Choose another name.',
  },
  STALE: {
    status: 409,
    meaning:
      'The record was changed by somebody else since it was read; for a listing, `changed` says by whom and when.',
    action: 'Read it again and repeat the change.',
  },
  LINK_EXPIRED: {
    status: 410,
    meaning: 'The one-time link was used already, has expired, or was never sent.',
    action: 'Ask for a new link.',
  },
  WITHDRAWN: {
    status: 410,
    meaning: 'The import with this idempotencyKey was withdrawn, so no more of it is taken.',
    action: 'To import the file after all, send it again with a new idempotencyKey.',
  },
  TOO_LARGE: {
    status: 413,
    meaning: 'The request or a file in it is larger than allowed.',
    action: 'Send a smaller one; the sentence names the limit.',
  },
  WRONG_TYPE: {
    status: 415,
    meaning: 'The content type of the request, or the content of a file, is not one that is read here.',
    action: 'Send the type that the sentence names.',
  },
  VALIDATION_FAILED: {
    status: 422,
    meaning: 'Something in the request is missing or not allowed.',
    action: 'Correct the fields named in `fields`.',
  },
  KEY_REUSED: {
    status: 422,
    meaning: 'The Idempotency-Key belongs to another request.',
    action: 'Use a new key for every new request.',
  },
  TOO_MANY: {
    status: 429,
    meaning: 'Too many requests in a short time.',
    action: 'Wait for as many seconds as Retry-After says.',
  },
  INTERNAL: {
    status: 500,
    meaning: 'Something went wrong on our side; it has been logged under the request id.',
    action: 'Try again; if it stays, write to support with the request id.',
  },
  BUSY: {
    status: 503,
    meaning:
      'The service is starting, stopping or at its limit, or its database is out of reach for the moment.',
    action: 'Try again after as many seconds as Retry-After says.',
  },
  PAYMENTS_UNREACHABLE: {
    status: 503,
    meaning: 'The payment provider did not answer, or refused; nothing was changed.',
    action: 'Try again after as many seconds as Retry-After says.',
  },
  STILL_RUNNING: {
    status: 503,
    meaning: 'The first request with this Idempotency-Key is still being worked on.',
    action: 'Send it again after as many seconds as Retry-After says.',
  },
  STORAGE_FULL: {
    status: 507,
    meaning: 'The file store could not take the file.',
    action: 'Try again later; nothing was saved.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

/** Codes that need no declaration: reading the request, limits and failures of the service itself. */
export const everywhereCodes = [
  'MALFORMED',
  'TOO_MANY',
  'TOO_LARGE',
  'WRONG_TYPE',
  'METHOD_NOT_ALLOWED',
  'INTERNAL',
  'BUSY',
] as const satisfies readonly ErrorCode[]
