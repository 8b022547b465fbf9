import { useSyncExternalStore } from 'react'
import type { User } from '#contract/accounts.ts'

/** What is kept under the key 'auth'; empty while nobody is signed in. */
type Session = { token: string; user: User } | { token?: never; user?: never }

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

/** The spec's key; the record is `{user, token}`. */
const STORAGE_KEY = 'auth'

type EndListener = () => void

let session: Session = readSession(readStored())
/** Whether the session stands in storage too, where other tabs see it and end it. */
let isStored = session.token !== undefined
const listeners = new Set<() => void>()
const endListeners = new Set<EndListener>()

/** When another tab signs in or out, this one follows. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key === STORAGE_KEY || event.key === null) followStored()
  })
}

/** The signed-in person and their token, or neither; the component renders again when that changes. */
export function useSession(): Session {
  return useSyncExternalStore(subscribe, currentSession)
}

export function currentSession(): Session {
  return session
}

export function startSession(payload: { token: string; user: User }): void {
  keep(mergeSession(session, payload))
}

/** What the server said about the signed-in person since: profile saved, tier changed. */
export function refreshUser(user: User): void {
  if (session.token === undefined) return
  // Another tab may have signed out, and this one is not told yet: what was taken away must not come back.
  if (isStored && readSession(readStored()).token !== session.token) followStored()
  else keep({ token: session.token, user })
}

export function clearSession(): void {
  try {
    localStorage.removeItem(STORAGE_KEY)
  } catch {
    // Storage is closed to this page; nothing was kept there.
  }
  change(signedOut)
}

/** The server no longer knows `token`. Tells the listeners, unless a newer session has begun meanwhile. */
export function endSession(token: string): void {
  if (session.token !== token) return
  clearSession()
  for (const tell of endListeners) tell()
}

/** Called when the server ended the session, not when the person signed out. */
export function onSessionEnded(listener: EndListener): () => void {
  endListeners.add(listener)
  return () => endListeners.delete(listener)
}

function keep(next: Session): void {
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify(next))
    isStored = true
  } catch {
    // Storage is full or closed: the session lives as long as this tab.
    isStored = false
  }
  change(next)
}

function followStored(): void {
  change(readSession(readStored()))
  isStored = session.token !== undefined
}

function change(next: Session): void {
  session = next
  for (const tell of listeners) tell()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function readStored(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY)
  } catch {
    return null
  }
}
