import { newToken } from '#server/simulator/objects/stripe-id.ts'
import type { Db } from './object-queries.ts'

export type PageKind = 'checkout' | 'portal' | 'account-link' | 'onboarding' | 'express'

export type HostedPage = {
  readonly kind: PageKind
  /** The id of the object that the page is about. */
  readonly subject: string
  readonly returnUrl: string | null
  /** Where a link leads to that is used up or too old. */
  readonly refreshUrl: string | null
  readonly expiresAt: Date
}

/** Keeps the page and gives the secret part of its address. */
export async function insertPage(db: Db, page: HostedPage): Promise<string> {
  const token = newToken()
  await db.query(
    `insert into stripe_simulator.page (token, kind, subject, return_url, refresh_url, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [token, page.kind, page.subject, page.returnUrl, page.refreshUrl, page.expiresAt],
  )
  return token
}

export async function findPage(db: Db, kind: PageKind, token: string): Promise<HostedPage | undefined> {
  const { rows } = await db.query<HostedPage>(
    `select kind, subject, return_url as "returnUrl", refresh_url as "refreshUrl", expires_at as "expiresAt"
     from stripe_simulator.page where token = $1 and kind = $2`,
    [token, kind],
  )
  return rows[0]
}

/** True for the first who asks, and for nobody after. */
export async function claimPage(db: Db, token: string): Promise<boolean> {
  const { rowCount } = await db.query(
    'update stripe_simulator.page set used = true where token = $1 and not used',
    [token],
  )
  return rowCount === 1
}
