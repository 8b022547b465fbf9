/** Who is calling, read from the database on every request: a role or tier taken away is gone at once. */
export type Actor = {
  userId: string
  sellerId: string
  sellerSlug: string
  /** 1 is an admin. */
  role: number
  tier: 'FREE' | 'PAID'
  connectStatus: 'NOT_STARTED' | 'IN_PROGRESS' | 'PENDING' | 'VERIFIED' | 'REJECTED'
  /** The seller's imports go live without waiting for an admin. */
  trusted: boolean
  name: string
  email: string
  /** The session's key, so that a sign-out ends this session and not the person's others. */
  sessionHash: Buffer
}

export const isAdmin = (actor: Actor | undefined): boolean => actor?.role === 1

/** Finds the person behind a bearer token; undefined for a token that is unknown, ended or of a disabled account. */
export type Authenticate = (token: string) => Promise<Actor | undefined>
