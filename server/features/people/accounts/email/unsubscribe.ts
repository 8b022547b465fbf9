import { sql } from 'kysely'
import { type UnsubscribeKind, unsubscribeKinds } from '#contract/account/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * Every optional email has a URL that turns off that kind of email without a sign-in. Mail programs post to it (RFC
 * 8058). Its token is a kind and a key that allows nothing else. The key belongs to the account; conversations and
 * saved searches have their own, since they need no account.
 */

export function unsubscribeUrl(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/api/verify/unsubscribe/${key}.${kind}`
}

/** The page with the unsubscribe button, for people. */
export function unsubscribePage(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/unsubscribe#${key}.${kind}`
}

const TOKEN = /^(?<key>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?<kind>\w+)$/

export type UnsubscribeDeps = {
  db: Db
  /** Stops the saved-search emails of this key; returns false if the key is unknown. */
  stopSearches(key: string): Promise<boolean>
}

/**
 * Turns off the kind of email that the token names. Repeating it is not an error.
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
