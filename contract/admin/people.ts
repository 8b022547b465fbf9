import { z } from 'zod'
import { connectStatuses, sellerTiers, subscriptionStatuses } from '#contract/account/accounts.ts'
import { adminErrors, byId, count, endpoints, okReply, pageOf, pageQuery } from '#contract/endpoint.ts'

const person = z.object({
  id: z.uuid(),
  name: z.string(),
  email: z.string(),
  role: z.number().int(),
  disabledAt: z.string().nullable(),
  createdAt: z.string(),
  lastSeenAt: z.string().nullable(),
  sessions: count,
  sellerId: z.uuid(),
  sellerName: z.string(),
  sellerTier: z.enum(sellerTiers),
  subscriptionStatus: z.enum(subscriptionStatuses),
  connectStatus: z.enum(connectStatuses),
  /** Pro without a subscription, granted by an admin. */
  proGranted: z.boolean(),
  /** Imports go live without review, even on a server that reviews imports, and the first one goes live completely. */
  trusted: z.boolean(),
  /** Imports wait for an administrator. */
  reviewImports: z.boolean(),
  /** May list air bags. */
  certified: z.boolean(),
  /** The yard's listings. Those of a disabled account are not for sale until it is enabled again. */
  activeListings: count,
  /** Whether nobody else at the yard can sign in, so that disabling this account takes its listings offline. */
  sellsAlone: z.boolean(),
  /**
   * Whether a subscription is active or awaits payment; it ends when the person is disabled or becomes an
   * administrator.
   */
  isCharged: z.boolean(),
  /**
   * Why the plan needs attention. OTHER_PRICE: they pay for a subscription that is not Pro. OTHER_HOME: their customer
   * belongs to another account or mode of Stripe.
   */
  planProblem: z.enum(['OTHER_PRICE', 'OTHER_HOME']).nullable(),
})
export type Person = z.infer<typeof person>

const nameReview = z.object({
  sellerId: z.uuid(),
  /** The name as the new seller typed it, and the name shown to buyers in the meantime. */
  name: z.string(),
  shownAs: z.string(),
  /** The yard in the same city that it looks like; its page's slug. */
  likeName: z.string(),
  likeSlug: z.string().nullable(),
  email: z.string().nullable(),
  /** Without a decision the name is shown from then on. */
  dueAt: z.string(),
})
export type NameReview = z.infer<typeof nameReview>

const auditKinds = [
  'listing',
  'user',
  'seller',
  'category',
  'manufacturer',
  'car-model',
  'job',
  'schedule',
  'import',
  'bulk-save',
  'api-token',
  'second-step',
  'mapping-template',
  'search-word',
] as const

const auditEntry = z.object({
  id: z.uuid(),
  at: z.string(),
  action: z.string(),
  by: z.object({ id: z.uuid(), name: z.string(), email: z.string() }).nullable(),
  /** Who or what did it; a script is named by `script`, and `by` is who started it. */
  source: z.enum(['person', 'visitor', 'script', 'system']),
  script: z.string().nullable(),
  target: z.string().nullable(),
  /** The object with the target's id, under its current name; null if it was deleted or the target is not an id. */
  named: z
    .object({
      kind: z.enum(auditKinds),
      name: z.string(),
      /** For a listing, its slug; for an import, its staged file, such as "ecomm:/yard/parts.json". */
      slug: z.string().nullable(),
    })
    .nullable(),
  ip: z.string().nullable(),
  requestId: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()),
  /** Names of what has an id in the details, by id. */
  names: z.record(z.string(), z.string()),
})

export const adminPeopleEndpoints = endpoints({
  listPeople: {
    summary: 'All accounts, newest first',
    query: z.object({
      q: z.string().max(200).optional(),
      role: z.enum(['admin', 'seller']).optional(),
      tier: z.enum(sellerTiers).optional(),
      state: z.enum(['active', 'disabled']).optional(),
      ...pageQuery(24),
    }),
    reply: z.object(pageOf(person)),
    errors: adminErrors,
  },
  readPerson: {
    summary: 'One account',
    params: byId,
    reply: person,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  changePerson: {
    summary:
      'Change role, Pro grant, trust, review of imports, or disable and enable; the last admin cannot be removed',
    params: byId,
    body: z.object({
      role: z.union([z.literal(0), z.literal(1)]).optional(),
      proGranted: z.boolean().optional(),
      trusted: z.boolean().optional(),
      reviewImports: z.boolean().optional(),
      certified: z.boolean().optional(),
      disabled: z.boolean().optional(),
      /** When a subscription ended by the change stops; default: at the end of the paid period. */
      subscription: z.enum(['now', 'period-end']).optional(),
    }),
    reply: person,
    errors: [...adminErrors, 'REAUTH_NEEDED', 'NOT_FOUND', 'VALIDATION_FAILED', 'CONFLICT'],
  },
  signOutPerson: {
    summary: 'Sign a user out everywhere',
    params: byId,
    reply: okReply,
    errors: [...adminErrors, 'REAUTH_NEEDED', 'NOT_FOUND'],
  },
  listNameReviews: {
    summary: 'Names of new sellers that look like another yard’s in the same city, the next due first',
    reply: z.object({ items: z.array(nameReview) }),
    errors: adminErrors,
  },
  decideYardName: {
    summary: 'Show a reviewed name to buyers, or refuse it',
    body: z.object({
      sellerId: z.uuid(),
      name: z.string().max(200),
      decision: z.enum(['published', 'refused'], 'Choose published or refused'),
    }),
    reply: okReply,
    errors: [...adminErrors, 'VALIDATION_FAILED', 'CONFLICT'],
  },
  listAudit: {
    summary: 'Who did what, when and from where, newest first',
    query: z.object({
      action: z.string().max(80).optional(),
      /** Name or email of the user who did it. */
      who: z.string().max(200).optional(),
      target: z.string().max(200).optional(),
      from: z.iso.date().optional(),
      to: z.iso.date().optional(),
      cursor: z.string().max(200).optional(),
    }),
    reply: z.object({
      items: z.array(auditEntry),
      nextCursor: z.string().nullable(),
      /** All actions, for the filter. */
      actions: z.array(z.string()),
    }),
    errors: adminErrors,
  },
})
