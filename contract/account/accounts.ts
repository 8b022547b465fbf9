import { z } from 'zod'
import { adminErrors, byId, count, endpoints, okReply } from '#contract/endpoint.ts'
import { defaultText, listingDefaults, longestDefaults } from '#contract/listing/listing-defaults.ts'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { phoneField } from '#contract/text/phone.ts'
import { asciiDomain, requiredLine } from '#contract/text/text-fields.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { payoutFields } from './payout-needs.ts'
import { communicationPrefs, contactWay, notificationPrefs } from './preferences.ts'

export const sellerTiers = ['FREE', 'PAID'] as const
export const subscriptionStatuses = ['INACTIVE', 'PENDING', 'ACTIVE', 'PAST_DUE', 'CANCELED'] as const
export const connectStatuses = ['NOT_STARTED', 'IN_PROGRESS', 'PENDING', 'VERIFIED', 'REJECTED'] as const

/** The signed-in user, with the fields of their seller that the spec puts on the user. */
export const userReply = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  /** False until the mailed link is opened; required for emailing strangers and for imports. */
  emailConfirmed: z.boolean(),
  /** A new address awaiting confirmation; `email` stays until then. */
  pendingEmail: z.string().nullable(),
  role: z.number().int(),
  createdAt: z.string(),
  sellerId: z.uuid(),
  sellerSlug: z.string(),
  sellerTier: z.enum(sellerTiers),
  subscriptionStatus: z.enum(subscriptionStatuses),
  subscriptionId: z.string().nullable(),
  subscriptionPriceId: z.string().nullable(),
  connectStatus: z.enum(connectStatuses),
  /** An administrator confirmed that the seller may list air bags. */
  certified: z.boolean(),
  /** When a canceled subscription ends; Pro until then. */
  subscriptionEndsAt: z.string().nullable(),
  stripeCustomerId: z.string().nullable(),
  ...payoutFields,
  listingDefaults,
  notificationPrefs,
  communicationPrefs,
})
export type User = z.infer<typeof userReply>

/**
 * Surrounding spaces and trailing dots are typos, so they are removed. The length is checked first, since the pattern
 * takes quadratic time.
 */
const typedEmail = z
  .string('Enter your email address')
  .max(254, { error: 'An email address can have at most 254 characters', abort: true })
  .overwrite(asciiDomain)
  // Non-ASCII letters that the database folds (İ to i) would give one account two throttle keys.
  .regex(/^[\x20-\x7e]*$/, { error: 'Enter an email address such as name@example.com', abort: true })
  .overwrite((text) => text.trim().replace(/[.\s]+$/, ''))
const emailField = typedEmail.pipe(z.email('Enter an email address such as name@example.com'))
const nameField = z
  .string('Enter your name')
  .trim()
  .min(1, 'Enter your name')
  .max(120, 'A name can have at most 120 characters')
  .refine(isOneLine, notOneLine('Name'))
/** Not trimmed, with no required characters; 1024 limits the cost of hashing. */
const passwordField = z
  .string('Choose a password')
  .min(8, 'A password needs at least 8 characters')
  .max(1024, 'A password can have at most 1024 characters')

/** Role, tier and other privileged fields cannot be set. */
export const newAccount = z.object({
  name: nameField,
  email: emailField,
  password: passwordField,
  /** What for; both get the same account, and a buyer can begin to sell any time. */
  as: z.enum(['selling', 'buying'], 'Choose selling or buying').optional(),
})
export type NewAccount = z.infer<typeof newAccount>

/** Stricter than the reply schema, because accounts may have older defaults. */
const changedDefaults = listingDefaults.extend({
  dealerPhone: phoneField('Dealer phone', longestDefaults.dealerPhone),
  state: defaultText('state', 'State').unwrap().overwrite(stateCode).optional(),
})

/** Absent fields are unchanged, also within defaults and preferences. */
const profileChanges = z.object({
  name: nameField.optional(),
  email: emailField.optional(),
  password: passwordField.optional(),
  currentPassword: z.string().max(1024).optional(),
  /** The id of the one API token that a new password does not end. */
  keepToken: z.uuid().optional(),
  listingDefaults: changedDefaults.optional(),
  // Not `notificationPrefs.partial()`: that would reset missing switches to their defaults.
  notificationPrefs: z
    .object({ orderEmails: z.boolean(), messageEmails: z.boolean(), weeklySummary: z.boolean() })
    .partial()
    .optional(),
  communicationPrefs: z
    .object({ showPhonePublicly: z.boolean(), preferredContact: contactWay, takesOffers: z.boolean() })
    .partial()
    .optional(),
})
export type ProfileChanges = z.infer<typeof profileChanges>

const factorKinds = ['passkey', 'totp'] as const

/** Options for the browser's passkey functions; `@simplewebauthn/browser` has the full type. */
const passkeyOptions = z.looseObject({ challenge: z.string() })

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(20_000)
const passkeyId = { id: base64url, rawId: base64url, type: z.literal('public-key') }
const passkeyMore = {
  clientExtensionResults: z.record(z.string(), z.unknown()).default({}),
  authenticatorAttachment: z.enum(['platform', 'cross-platform']).optional(),
}

/** What the browser returns when a passkey signs. */
const assertion = z.object({
  ...passkeyId,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: z.string().max(200).optional(),
  }),
  ...passkeyMore,
})
export type PasskeyAssertion = z.output<typeof assertion>
/** The same beside the password: a recovery code, or a passkey's signature with the ticket of its challenge. */
export type LoginProof = { code: string } | { ticket: string; assertion: PasskeyAssertion }
/** The second factor: an app's code or a recovery code, or a passkey's signature. */
export type FactorProof = { code: string } | { assertion: PasskeyAssertion }

/** What the browser returns for a new passkey. */
const newPasskey = z.object({
  ...passkeyId,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(40)).max(10).optional(),
  }),
  ...passkeyMore,
})
export type NewPasskey = z.output<typeof newPasskey>

const ticket = z.string('ticket is required').min(1).max(200)
const typedCode = z.string('Enter the code').trim().min(1, 'Enter the code').max(100, 'This code is too long')
const factorName = z
  .string()
  .trim()
  .min(1, 'Enter a name')
  .max(60, 'A name can have at most 60 characters')
  .refine(isOneLine, notOneLine('Name'))

const signedIn = z.object({
  token: z.string(),
  user: userReply,
  /** Only if the account was closed and this sign-in reopened it. */
  reopened: z.literal(true).optional(),
})
export type SignedIn = z.infer<typeof signedIn>
/** The password was correct. `passkey` has the browser's options, if one of the factors is a passkey. */
const secondStep = z.object({
  ticket: z.string(),
  factors: z.array(z.enum(factorKinds)),
  passkey: passkeyOptions.optional(),
})
export type SecondStep = z.infer<typeof secondStep>

const factor = z.object({
  id: z.uuid(),
  kind: z.enum(factorKinds),
  name: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.string().nullable(),
})
export type Factor = z.infer<typeof factor>

/** `recoveryCodes` come with the first factor and are shown only once. */
const addedFactor = z.object({ factor, recoveryCodes: z.array(z.string()).optional() })

const factorErrors = ['SIGNED_OUT', 'REAUTH_NEEDED'] as const

/** The kinds of email that an unsubscribe link can stop. */
export const unsubscribeKinds = ['weeklySummary', 'messageEmails', 'conversation', 'savedSearches'] as const
export type UnsubscribeKind = (typeof unsubscribeKinds)[number]

export const linkToken = z.string('token is required').min(1).max(200)

export const accountEndpoints = endpoints({
  register: {
    summary: 'Open an account, with a seller on the free plan',
    body: newAccount,
    // Real requests are below 1 kB; the schema would allow 4.2 kB.
    bodyBytes: 4 * 1024,
    status: 201,
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'CONFLICT', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  login: {
    summary:
      'Sign in; with two-step sign-in the reply is a ticket for the second step, unless a recovery code or passkey is sent along',
    body: z.object({
      email: typedEmail,
      password: z.string('Enter your password').max(1024),
      /** A recovery code, or a passkey's signature with its ticket: lets its owner in while strangers guess the password. */
      proof: z.union([z.object({ code: typedCode }), z.object({ ticket, assertion })]).optional(),
    }),
    // A passkey's signature takes about 2 kB; its format bounds nothing.
    bodyBytes: 16 * 1024,
    reply: z.union([signedIn, secondStep]),
    errors: ['VALIDATION_FAILED', 'CREDENTIALS_WRONG', 'LINK_NEEDED'],
  },
  requestSignInLink: {
    summary: 'Email a link that signs in; the reply is the same if there is no such account',
    body: z.object({ email: emailField }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
  useSignInLink: {
    summary: 'Sign in with the token of an emailed link; the reply is that of login',
    body: z.object({ token: linkToken }),
    reply: z.union([signedIn, secondStep]),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  logout: {
    summary: 'End the session; its token stops working at once',
    reply: okReply,
    errors: ['SIGNED_OUT'],
  },
  authCheck: {
    summary: 'Check that the token is valid',
    reply: okReply,
    errors: ['SIGNED_OUT'],
  },
  adminCheck: {
    summary: 'Check that the token is an admin’s',
    reply: okReply,
    errors: adminErrors,
  },
  profile: {
    summary: 'The signed-in user',
    reply: userReply,
    errors: ['SIGNED_OUT'],
  },
  updateProfile: {
    summary: 'Change name, email, password, listing defaults or preferences',
    body: profileChanges,
    reply: userReply,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'CONFLICT', 'REAUTH_NEEDED'],
  },
  checkAddressLink: {
    summary: 'The purpose of an emailed link’s token',
    body: z.object({ token: linkToken }),
    reply: z.object({ purpose: z.enum(['confirm', 'restore']), email: z.string() }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  confirmAddress: {
    summary: 'Confirm an email address with the token of the link; a new address takes effect',
    body: z.object({ token: linkToken }),
    reply: z.object({ ok: z.literal(true), email: z.string() }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED', 'CONFLICT'],
  },
  restoreAddress: {
    summary:
      'Undo a change of the email address with the link mailed to the former one; signs out every session',
    body: z.object({ token: linkToken }),
    reply: z.object({
      ok: z.literal(true),
      email: z.string(),
      /** Sets a new password, as the token of a password link does. */
      passwordToken: z.string(),
    }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED', 'CONFLICT'],
  },
  mailAddressLink: {
    summary: 'Email the confirmation link again, to the new address if one is pending',
    reply: okReply,
    errors: ['SIGNED_OUT', 'CONFLICT'],
  },
  cancelEmailChange: {
    summary: 'Keep the current email address; the link to the new one stops working',
    reply: userReply,
    errors: ['SIGNED_OUT'],
  },
  unsubscribe: {
    summary: 'Switch off one kind of email with the token of its unsubscribe link',
    body: z.object({ token: linkToken }),
    reply: z.object({ ok: z.literal(true), kind: z.enum(unsubscribeKinds) }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  requestPasswordReset: {
    summary: 'Email a one-time link; the reply is the same if there is no such account',
    body: z.object({ email: emailField }),
    reply: okReply,
    errors: ['VALIDATION_FAILED'],
  },
  checkPasswordLink: {
    summary: 'Check that the token of an emailed link can still set a password',
    body: z.object({ token: linkToken }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  resetPassword: {
    summary:
      'Choose a new password with the token of the link; ends every session and API token of the account',
    body: z.object({ token: linkToken, password: passwordField }),
    reply: okReply,
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  listSessions: {
    summary: 'The user’s sessions, last used first',
    reply: z.object({
      items: z.array(
        z.object({
          id: z.uuid(),
          /** Browser and system in words, if known. */
          device: z.string(),
          ip: z.string().nullable(),
          createdAt: z.string(),
          lastSeenAt: z.string(),
          /** The session of this call. */
          current: z.boolean(),
        }),
      ),
    }),
    errors: ['SIGNED_OUT'],
  },
  endSession: {
    summary: 'Sign out one device',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'REAUTH_NEEDED', 'NOT_FOUND'],
  },
  endAllSessions: {
    summary: 'Sign out everywhere, including this session, and end all API tokens',
    reply: okReply,
    errors: ['SIGNED_OUT', 'REAUTH_NEEDED'],
  },
})

export const factorEndpoints = endpoints({
  startPasskeyLogin: {
    summary:
      'What the browser needs to sign with a passkey beside the password; the reply is the same for everyone',
    reply: z.object({ ticket: z.string(), passkey: passkeyOptions }),
    errors: ['CONFLICT'],
  },
  loginFactor: {
    summary: 'The second step of signing in: an app code, a recovery code, or a passkey',
    body: z.union([z.object({ ticket, code: typedCode }), z.object({ ticket, assertion })]),
    reply: signedIn,
    errors: ['VALIDATION_FAILED', 'CREDENTIALS_WRONG', 'TICKET_EXPIRED'],
  },
  listFactors: {
    summary: 'Two-step methods, oldest first',
    reply: z.object({
      items: z.array(factor),
      recoveryCodesLeft: count,
      /** Whether administrators of this server need one. */
      required: z.boolean(),
      /** The host where passkeys work: the server’s own; null if it is an IP address. */
      passkeysAt: z.string().nullable(),
    }),
    errors: ['SIGNED_OUT'],
  },
  startPasskey: {
    summary: 'The options for creating a passkey in the browser',
    reply: z.object({ ticket: z.string(), options: passkeyOptions }),
    errors: [...factorErrors, 'CONFLICT'],
  },
  addPasskey: {
    summary: 'Add the passkey that the browser created; the first factor signs out all other devices',
    body: z.object({ ticket, name: factorName.optional(), credential: newPasskey }),
    reply: addedFactor,
    errors: [...factorErrors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  startTotp: {
    summary: 'A new secret for an authenticator app, as text and as a URL to show as a QR code',
    reply: z.object({ ticket: z.string(), secret: z.string(), address: z.string() }),
    errors: [...factorErrors, 'CONFLICT'],
  },
  addTotp: {
    summary: 'Add the app, verified by one of its codes; the first factor signs out all other devices',
    body: z.object({ ticket, name: factorName.optional(), code: typedCode }),
    reply: addedFactor,
    errors: [...factorErrors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  removeFactor: {
    summary: 'Remove a second step; without the last one, sign-in needs the password only',
    params: byId,
    reply: okReply,
    errors: [...factorErrors, 'NOT_FOUND'],
  },
  replaceRecoveryCodes: {
    summary: 'New recovery codes, shown only this once; the former ones stop working',
    reply: z.object({ recoveryCodes: z.array(z.string()) }),
    errors: [...factorErrors, 'CONFLICT'],
  },
  startReauth: {
    summary: 'The options for confirming with a passkey; empty without one',
    reply: z.object({ ticket: z.string().optional(), passkey: passkeyOptions.optional() }),
    errors: ['SIGNED_OUT'],
  },
  reauth: {
    summary: 'Confirm the password (or a passkey); calls that need it work for 10 minutes',
    body: z.union([
      z.object({ password: z.string('Enter your password').min(1, 'Enter your password').max(1024) }),
      z.object({ ticket, assertion }),
    ]),
    reply: okReply,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})

export const ownDataEndpoints = endpoints({
  exportOwnData: {
    summary: 'Everything we store about you, as a ZIP of JSON files',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
})

/** Days in which signing in reopens a closed account. */
export const DAYS_TO_REOPEN = 14

export const closingEndpoints = endpoints({
  closeAccount: {
    summary: `Close the account: erased after ${DAYS_TO_REOPEN} days unless you sign in before`,
    reply: z.object({
      /** When the data is erased. */
      eraseAfter: z.string(),
    }),
    errors: ['SIGNED_OUT', 'REAUTH_NEEDED', 'CONFLICT'],
  },
})

/* Views of a data grid that a person saved under a name. */

const savedGrids = ['bulk-edit', 'staging', 'import-rows'] as const
export type SavedGrid = (typeof savedGrids)[number]

// More than any file has.
const MAX_COLUMNS = 500
const column = z.string().max(1_000)

/** Unknown columns and filters are ignored when the view is applied. */
const viewSettings = z.object({
  /** Hidden columns. */
  hidden: z.array(column).max(MAX_COLUMNS),
  order: z.object({ column, descending: z.boolean() }).nullable(),
  rows: z.enum(['all', 'wrong', 'changed']),
  /** The filters of the list that the grid shows. */
  filters: z.record(z.string().max(40), z.string().max(200)),
})
export type ViewSettings = z.infer<typeof viewSettings>

const savedView = z.object({ id: z.uuid(), name: z.string(), settings: viewSettings })
export type SavedView = z.infer<typeof savedView>

const grid = z.enum(savedGrids, `Choose one of ${savedGrids.join(', ')}`)

export const savedViewEndpoints = endpoints({
  listViews: {
    summary: 'The views a person saved for a grid, by name',
    query: z.object({ grid }),
    reply: z.object({ items: z.array(savedView) }),
    errors: ['SIGNED_OUT'],
  },
  saveView: {
    summary: 'Save a view of a grid; one with the same name is replaced',
    body: z.object({ grid, name: requiredLine('Name', 60), settings: viewSettings }),
    reply: savedView,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
  renameView: {
    summary: 'Rename a saved view',
    params: byId,
    body: z.object({ name: requiredLine('Name', 60) }),
    reply: savedView,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  deleteView: {
    summary: 'Delete a saved view',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
})
