import type { User } from '#contract/accounts.ts'

/** What is kept under the key 'auth'; empty while nobody is signed in. */
export type Session = { token: string; user: User } | { token?: never; user?: never }

export const signedOut: Session = {}

/** What the spec says of a user whose answer leaves it out. */
const userDefaults = {
  role: 0,
  sellerTier: 'FREE',
  subscriptionStatus: 'INACTIVE',
  subscriptionId: null,
  subscriptionPriceId: null,
  connectStatus: 'NOT_STARTED',
  royaltyPercent: 0,
  stripeCustomerId: null,
  stripe_seller: { charges_enabled: false },
  listingDefaults: {},
  notificationPrefs: { orderEmails: true, messageEmails: true, weeklySummary: false },
  communicationPrefs: { showPhonePublicly: false, preferredContact: 'email' },
} as const satisfies Partial<User>

/**
 * Joins what sign-in answered to what is known already. Only the same person's record is joined: nothing of one person
 * may survive in the session of the next.
 */
export function mergeSession(current: Session, payload: { token: string; user: User }): Session {
  const known = current.user?.id === payload.user.id ? current.user : undefined
  return { token: payload.token, user: { ...userDefaults, ...known, ...payload.user } }
}

/** Reads a kept record; anything that is not one (an older app, another program, a hand) means signed out. */
export function readSession(stored: string | null): Session {
  if (stored === null) return signedOut
  try {
    const record: unknown = JSON.parse(stored)
    if (!isRecord(record) || typeof record.token !== 'string' || record.token === '') return signedOut
    if (!isRecord(record.user) || typeof record.user.id !== 'string') return signedOut
    const user = { ...userDefaults, name: '', email: '', ...record.user } as User
    return { token: record.token, user }
  } catch {
    return signedOut
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
