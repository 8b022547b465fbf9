import { sql } from 'kysely'
import { type UnsubscribeKind, unsubscribeKinds } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * Every email that someone may not want any more has an address that switches that kind off without a sign-in. Mail
 * programs post to it (RFC 8058). Its token is a key, which is good for nothing else, and the kind. The key is the
 * account's; conversations and saved searches have keys of their own, since they need no account.
 */

export function unsubscribeUrl(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/api/verify/unsubscribe/${key}.${kind}`
}

/** The page with the button, which a person may open. */
export function unsubscribePage(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/unsubscribe#${key}.${kind}`
}

const TOKEN = /^(?<key>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?<kind>\w+)$/

export type UnsubscribeDeps = {
  db: Db
  /** Stops the emails about saved searches of this key; false if there is none. */
  stopSearches(key: string): Promise<boolean>
}

/**
 * Switches off the kind of email that the token names. Doing it twice is no error.
 * @throws AppError LINK_EXPIRED if we never sent the token
 */
export async function unsubscribe(
  { db, stopSearches }: UnsubscribeDeps,
  token: string,
): Promise<UnsubscribeKind> {
  const { key, kind: word } = TOKEN.exec(token)?.groups ?? {}
  const kind = unsubscribeKinds.find((kind) => kind === word)
  if (key === undefined || kind === undefined) throw unknownToken()
  if (!(await switchOff(db, key, kind, stopSearches))) throw unknownToken()
  return kind
}

async function switchOff(
  db: Db,
  key: string,
  kind: UnsubscribeKind,
  stopSearches: (key: string) => Promise<boolean>,
): Promise<boolean> {
  if (kind === 'savedSearches') return stopSearches(key)
  const { numAffectedRows } = await (kind === 'conversation'
    ? sql`update lead set stopped_at = coalesce(stopped_at, now()) where unsubscribe_key = ${key}`
    : sql`
        update app_user set notification_prefs = notification_prefs || jsonb_build_object(${kind}::text, false)
        where unsubscribe_key = ${key}
      `
  ).execute(db)
  return numAffectedRows !== 0n
}

function unknownToken(): AppError {
  return new AppError(
    'LINK_EXPIRED',
    'This link is incomplete. Open it again from the email, or change your emails in your account settings.',
  )
}
