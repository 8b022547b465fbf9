import { useSyncExternalStore } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { isRecord, parseRecord, readText, removeText, writeText } from './browser-storage.ts'

/** The record stored under the key 'auth'; empty while signed out. */
type Session = { token: string; user: User } | { token?: never; user?: never }

export const signedOut: Session = {}

/** The spec's values for fields that the server leaves out. */
const userDefaults = {
  role: 0,
  emailConfirmed: true,
  pendingEmail: null,
  sellerTier: 'FREE',
  subscriptionStatus: 'INACTIVE',
  subscriptionId: null,
  subscriptionPriceId: null,
  connectStatus: 'NOT_STARTED',
  royaltyPercent: 0,
  certified: false,
  stripeCustomerId: null,
  stripe_seller: { charges_enabled: false },
  payoutNeeds: null,
  listingDefaults: {},
  notificationPrefs: { orderEmails: true, messageEmails: true, weeklySummary: false },
  communicationPrefs: { showPhonePublicly: false, preferredContact: 'email', takesOffers: true },
} as const satisfies Partial<User>

/**
 * Merges a sign-in response into the current session, but only for the same user: nothing of one user may survive in the
 * session of the next.
 */
export function mergeSession(current: Session, payload: { token: string; user: User }): Session {
  const known = current.user?.id === payload.user.id ? current.user : undefined
  return { token: payload.token, user: { ...userDefaults, ...known, ...payload.user } }
}

/** Parses a stored record; anything else means signed out. */
export function readSession(stored: string | null): Session {
  const record = parseRecord(stored)
  if (typeof record?.token !== 'string' || record.token === '') return signedOut
  if (!isRecord(record.user) || typeof record.user.id !== 'string') return signedOut
  const user = { ...userDefaults, name: '', email: '', ...record.user } as User
  return { token: record.token, user }
}

/** The spec's key; the record is `{user, token}`. */
const STORAGE_KEY = 'auth'

let session: Session = readSession(readText(STORAGE_KEY))
/** Whether the session is in storage too, where other tabs see it and can end it. */
let isStored = session.token !== undefined
const listeners = new Set<() => void>()
const endListeners = new Set<() => void>()

/** When another tab signs in or out, this one follows. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY || event.key === null) followStored()
  })
}

/** The signed-in user and their token, or neither; rerenders the component on changes. */
export function useSession(): Session {
  // The server renders the signed-out page; the user's own content follows after hydration.
  return useSyncExternalStore(subscribe, currentSession, () => signedOut)
}

export function currentSession(): Session {
  return session
}

export function startSession(payload: { token: string; user: User }): void {
  keep(mergeSession(session, payload))
}

/** Stores newer data about the signed-in user, such as a saved profile or a changed plan. */
export function refreshUser(user: User): void {
  if (session.token === undefined) return
  // Another tab may have signed out without this one knowing yet: do not bring the session back.
  if (isStored && readSession(readText(STORAGE_KEY)).token !== session.token) followStored()
  else keep({ token: session.token, user })
}

export function clearSession(): void {
  removeText(STORAGE_KEY)
  change(signedOut)
}

/** For a `token` the server no longer accepts. Does nothing if a newer session has started. */
export function endSession(token: string): void {
  if (session.token !== token) return
  clearSession()
  for (const notify of endListeners) notify()
}

/** Calls `listener` when the server ends the session, not when the user signs out. */
export function onSessionEnded(listener: () => void): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

function keep(next: Session): void {
  // If the browser cannot store it, the session lasts as long as this tab.
  isStored = writeText(STORAGE_KEY, JSON.stringify(next))
  change(next)
}

function followStored(): void {
  change(readSession(readText(STORAGE_KEY)))
  isStored = session.token !== undefined
}

function change(next: Session): void {
  session = next
  for (const notify of listeners) notify()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
