import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import { count, endpoints, okReply, pageOf, pageQuery } from '#contract/endpoint.ts'
import { emailAddress } from '#contract/text/text-fields.ts'

/*
 * Buyers save a search and get emails about new parts. Buyers without an account manage it through links in those
 * emails.
 */

/** How often matching parts are emailed: soon, but at most hourly; every morning; paused. */
const frequencies = ['hourly', 'daily', 'off'] as const
export type Frequency = (typeof frequencies)[number]

const LIST_QUERY = 2_000
/** The query of the parts list's address, which shows the same parts. */
const query = z.string().max(LIST_QUERY, 'This search is too long to be saved')

/** A search to save; without an email address, for the signed-in account. */
export const newSearch = z.object({
  query,
  email: z.union([z.literal(''), emailAddress]).optional(),
  frequency: z.enum(['hourly', 'daily'], 'Choose how often'),
})

const savedSearch = z.object({
  id: z.uuid(),
  /** In words: "2010 Honda Accord Headlight Assembly, left, under $150". */
  title: z.string(),
  query: z.string(),
  frequency: z.enum(frequencies),
  createdAt: z.string(),
  mailedAt: z.string().nullable(),
})
export type SavedSearch = z.infer<typeof savedSearch>

/** Selects the searches of a key from an email, or of the signed-in account. */
const whose = { key: z.uuid('This link is incomplete').optional() }
const ownErrors = ['SIGNED_OUT', 'LINK_EXPIRED', 'VALIDATION_FAILED'] as const

/** A wanted part: the number of saved searches near a yard for the same part and vehicle. */
const wantedPart = z.object({
  /** With its side: "Headlamp Assembly, left"; null if only a vehicle is wanted. */
  part: z.string().nullable(),
  /** Null for any vehicle. */
  vehicle: z.string().nullable(),
  /** "2008–2012"; null for any. */
  years: z.string().nullable(),
  buyers: count,
  /** The nearest buyer is within this many miles; null if none gave a ZIP code. */
  withinMiles: count.nullable(),
  /** The date of the oldest search. */
  since: z.iso.date(),
  /** Known values for listing such a part, by form field. */
  starts: z.record(z.string(), z.string()),
})
export type WantedPart = z.infer<typeof wantedPart>

export const savedSearchEndpoints = endpoints({
  describeSearch: {
    summary: 'A search of the parts list in words, and why it cannot be saved',
    query: z.object({ query: query.default('') }),
    reply: z.object({ title: z.string(), problem: z.string().nullable() }),
    errors: ['VALIDATION_FAILED'],
  },
  saveSearch: {
    summary: 'Save a search; new parts are emailed once the address is confirmed',
    body: newSearch,
    status: 201,
    reply: z.object({
      /** `confirm`: the link in an email saves it. */
      state: z.enum(['saved', 'confirm']),
      email: z.string(),
    }),
    errors: ['VALIDATION_FAILED', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  checkSearchLink: {
    summary: 'Which searches the token of an emailed link confirms',
    body: z.object({ token: linkToken }),
    reply: z.object({ email: z.string(), items: z.array(savedSearch) }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  confirmSearches: {
    summary: 'Confirm searches that were saved for an address',
    body: z.object({ token: linkToken, ids: z.array(z.uuid()).min(1, 'Choose at least one search').max(20) }),
    /** The key lists and changes the searches of the address. */
    reply: z.object({ email: z.string(), key: z.uuid() }),
    errors: ['VALIDATION_FAILED', 'LINK_EXPIRED'],
  },
  listSavedSearches: {
    summary: 'Saved searches, newest first',
    body: z.object(whose),
    reply: z.object({ email: z.string(), items: z.array(savedSearch) }),
    errors: ownErrors,
  },
  changeSavedSearches: {
    summary: 'Change how often a search is emailed; without an id, all of them',
    body: z.object({ ...whose, id: z.uuid().optional(), frequency: z.enum(frequencies, 'Choose how often') }),
    reply: okReply,
    errors: [...ownErrors, 'NOT_FOUND'],
  },
  removeSavedSearch: {
    summary: 'Delete a saved search',
    body: z.object({ ...whose, id: z.uuid() }),
    reply: okReply,
    errors: [...ownErrors, 'NOT_FOUND'],
  },
  listWanted: {
    summary: 'Parts that buyers near the seller are waiting for, most wanted first',
    query: z.object({
      /** Miles around the seller; any distance if unset. */
      radius: z.coerce.number('radius must be a number of miles').int().min(1).max(5_000).optional(),
      /** Only makes that the seller has parts for. */
      ownMakes: z.literal('1').optional(),
      ...pageQuery(24),
    }),
    reply: z.object({
      ...pageOf(wantedPart),
      /** Where the seller is; null if unknown. */
      place: z.string().nullable(),
    }),
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
