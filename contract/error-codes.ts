/** A row of the error table: what happened, and what to do about it. `docs/errors.md` is generated from it. */
type ErrorEntry = { status: number; meaning: string; action: string }

/**
 * Every possible `code` of an error reply. An endpoint declares its own; any endpoint may return those in
 * `everywhereCodes`.
 */
export const errorTable = {
  MALFORMED: {
    status: 400,
    meaning:
      'The request could not be read: broken JSON, a parameter of the wrong type, or text that cannot be stored.',
    action: 'Send what the API description shows for this call.',
  },
  SIGNED_OUT: {
    status: 401,
    meaning: 'The request has no valid bearer token: it is missing, expired, or was never issued.',
    action: 'Sign in again and send the new token.',
  },
  CREDENTIALS_WRONG: {
    status: 401,
    meaning: 'The email or password is wrong, or the account is disabled.',
    action: 'Check both and try again.',
  },
  TICKET_EXPIRED: {
    status: 401,
    meaning: 'The second-step ticket is unknown, expired, already used, or had too many wrong codes.',
    action: 'Sign in with email and password again.',
  },
  REAUTH_NEEDED: {
    status: 403,
    meaning: 'The call needs a sign-in or a password check within the last 10 minutes.',
    action:
      'Confirm the password with POST /reauth, then repeat the call. A new email in PUT /profile needs it as `currentPassword` in the call itself.',
  },
  FACTOR_REQUIRED: {
    status: 403,
    meaning: 'Administrators need two-step sign-in here, and this session was opened without it.',
    action: 'Turn on two-step sign-in in Account settings, or sign in again with the second step.',
  },
  NOT_ALLOWED: {
    status: 403,
    meaning: 'The account does not have the role that this call needs.',
    action: 'Ask an administrator for the role.',
  },
  SCOPE_MISSING: {
    status: 403,
    meaning: 'The request has an API token, and the token may not make this call.',
    action: 'Create a token with the scope named in the error, or sign in: some calls take no tokens.',
  },
  PRO_ONLY: {
    status: 403,
    meaning: 'This call requires the Pro plan.',
    action: 'Upgrade to Pro.',
  },
  QUOTA_REACHED: {
    status: 422,
    meaning: 'The account has reached a limit: unfinished imports, or space for staged files.',
    action: 'Finish or undo earlier imports; the error shows the limit.',
  },
  NOT_FOUND: {
    status: 404,
    meaning: 'There is nothing at this URL, or it is not yours.',
    action: 'Check the URL, or go back to the list.',
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    meaning: 'The URL exists, but not with this method.',
    action: 'Use a method from the Allow header.',
  },
  ONBOARDING_REQUIRED: {
    status: 409,
    meaning: 'The seller has not set up a payout account, and an import requires one.',
    action: 'Start payout onboarding, then import again.',
  },
  LISTING_DELETED: {
    status: 409,
    meaning: 'The listing was deleted while it was being edited.',
    action: 'Undo the deletion, or list the part again.',
  },
  CONFLICT: {
    status: 409,
    meaning: 'Something with this name or URL already exists.',
    action: 'Choose another name.',
  },
  STALE: {
    status: 409,
    meaning:
      'Someone else changed the record since it was read; for a listing, `changed` shows who and when.',
    action: 'Read it again and repeat the change.',
  },
  NOT_SOLD_ONLINE: {
    status: 409,
    meaning: 'The yard does not sell this part online.',
    action: 'Write to the yard instead.',
  },
  PART_TAKEN: {
    status: 409,
    meaning: 'Another buyer has the part, or it was just sold.',
    action: 'Ask to be told if it comes back, or look for another one.',
  },
  PRICE_CHANGED: {
    status: 409,
    meaning: 'The total is no longer the one that the buyer saw; `quote` has the new one.',
    action: 'Show the new total, and send it as `expectedTotal` if the buyer agrees.',
  },
  HOLD_LIMIT: {
    status: 409,
    meaning: 'The buyer, device or network holds too many unpaid parts, or just let this one lapse.',
    action: 'Pay or cancel an open order first, or wait as the error says.',
  },
  IN_ORDER: {
    status: 409,
    meaning: 'A buyer has ordered the part, so it cannot be ended, deleted or restocked.',
    action: 'Open the order that the error names. “Not found” there ends both.',
  },
  STATE: {
    status: 409,
    meaning: 'The order is in a state that does not allow this.',
    action: 'Read the order again; its `actions` are what is possible now.',
  },
  DELIVERY: {
    status: 422,
    meaning: 'The part cannot be had this way, or not be sent to this place.',
    action: 'Choose one of the ways in the quote’s `delivery`.',
  },
  LINK_EXPIRED: {
    status: 410,
    meaning: 'The one-time link was already used, has expired, or was never sent.',
    action: 'Ask for a new link.',
  },
  SELLER_CLOSED: {
    status: 410,
    meaning: 'The seller closed the account; the part or page will not come back.',
    action: 'Remove it from your lists.',
  },
  WITHDRAWN: {
    status: 410,
    meaning: 'The import with this idempotencyKey was withdrawn and accepts no more chunks.',
    action: 'To import the file anyway, send it again with a new idempotencyKey.',
  },
  TOO_LARGE: {
    status: 413,
    meaning: 'The request or a file in it is larger than allowed.',
    action: 'Send a smaller one; the error shows the limit.',
  },
  WRONG_TYPE: {
    status: 415,
    meaning: 'The content type of the request, or the content of a file, is not supported.',
    action: 'Use the content type shown in the error.',
  },
  ANSWER_NEEDED: {
    status: 422,
    meaning:
      'Columns of the imported file may be misread: its `questions` must be answered first. Nothing was staged.',
    action:
      'Send the whole file again, with the same idempotencyKey if you like, and its answers in `answers`.',
  },
  VALIDATION_FAILED: {
    status: 422,
    meaning: 'Something in the request is missing or not allowed.',
    action: 'Correct the fields named in `fields`.',
  },
  EMAIL_UNCONFIRMED: {
    status: 422,
    meaning: 'The account has not confirmed its email address, and this call requires that.',
    action: 'Open the link in our email, or ask for another one with POST /profile/email-link.',
  },
  KEY_REUSED: {
    status: 422,
    meaning: 'The Idempotency-Key belongs to another request.',
    action: 'Use a new key for every new request.',
  },
  LINK_NEEDED: {
    status: 429,
    meaning: 'Too many wrong passwords were tried for this account, from any number of addresses.',
    action:
      'Sign in on a device used before, with a passkey or recovery code as `proof`, with an emailed sign-in link, or after the seconds in Retry-After.',
  },
  TOO_MANY: {
    status: 429,
    meaning: 'Too many requests in a short time.',
    action: 'Wait the number of seconds in Retry-After.',
  },
  INTERNAL: {
    status: 500,
    meaning: 'Something went wrong on our side; it is logged with the request id.',
    action: 'Try again; if it keeps happening, send the request id to support.',
  },
  BUSY: {
    status: 503,
    meaning: 'The service is starting, stopping or at its limit, or cannot reach its database right now.',
    action: 'Try again after the number of seconds in Retry-After.',
  },
  PAYMENTS_UNREACHABLE: {
    status: 503,
    meaning: 'The payment provider did not respond, or refused; nothing changed.',
    action: 'Try again after the number of seconds in Retry-After.',
  },
  STILL_RUNNING: {
    status: 503,
    meaning: 'The first request with this Idempotency-Key is still running.',
    action: 'Send it again after the number of seconds in Retry-After.',
  },
  STORAGE_FULL: {
    status: 507,
    meaning: 'The disk of the file store or of the database is full.',
    action: 'Try again later; nothing was saved. It works again as soon as there is room.',
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorTable

/** Codes that need no declaration: unreadable requests, limits and failures of the service. */
export const everywhereCodes = [
  'MALFORMED',
  'TOO_MANY',
  'TOO_LARGE',
  'WRONG_TYPE',
  'METHOD_NOT_ALLOWED',
  'INTERNAL',
  'BUSY',
  'STORAGE_FULL',
] as const satisfies readonly ErrorCode[]
