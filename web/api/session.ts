import { useSyncExternalStore } from 'react'
import type { User } from '#contract/accounts.ts'
import { mergeSession, readSession, type Session, signedOut } from './session-record.ts'

/** The spec's key; the record is `{user, token}`. */
const STORAGE_KEY = 'auth'

type EndListener = () => void

let session: Session = readSession(readStored())
/** Whether the session stands in storage too, where other tabs see it and end it. */
let isStored = session.token !== undefined
const listeners = new Set<() => void>()
const endListeners = new Set<EndListener>()

// Another tab signed in or out: this one follows.
window.addEventListener('storage', (event) => {
  if (event.key === STORAGE_KEY || event.key === null) followStored()
})

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
