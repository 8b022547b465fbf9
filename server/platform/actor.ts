import type { ApiScope } from '#contract/routes.ts'

/** The signed-in user, read from the database on every request so that revoked roles and tiers take effect at once. */
export type Actor = {
  userId: string
  sellerId: string
  sellerSlug: string
  /** 1 is an admin. */
  role: number
  tier: 'FREE' | 'PAID'
  connectStatus: 'NOT_STARTED' | 'IN_PROGRESS' | 'PENDING' | 'VERIFIED' | 'REJECTED'
  /** The seller's imports are published without review. */
  trusted: boolean
  name: string
  email: string
  /** Until confirmed, the user cannot email strangers in the seller's name or import files. */
  emailConfirmed: boolean
  registeredAt: Date
  /** Identifies the session, so that signing out ends only this one. */
  sessionHash: Buffer
  /** Set if the request used an API token: what the token may do. Such an actor is never an administrator. */
  scopes?: readonly ApiScope[]
  /** Whether the user signed in or confirmed the password within the last minutes. */
  isFresh: boolean
  /** An administrator who has to pass a second step first; until then `role` is 0. */
  lacksFactor: boolean
}

export const isAdmin = (actor: Actor | undefined): boolean => actor?.role === 1

/** Finds the user of a bearer token; undefined if the token is unknown or expired, or the account disabled. */
export type Authenticate = (token: string) => Promise<Actor | undefined>
