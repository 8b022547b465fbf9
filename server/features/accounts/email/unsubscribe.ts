import { sql } from 'kysely'
import { type UnsubscribeKind, unsubscribeKinds } from '#contract/accounts.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

/*
 * Every summary and every email about a message has an address that switches that kind off without a sign-in. Mail
 * programs post to it (RFC 8058). Its token is a key, which is good for nothing else, and the kind: the key of a person, or
 * that of a buyer's conversation, since a buyer needs no account.
 */

export function unsubscribeUrl(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/api/verify/unsubscribe/${key}.${kind}`
}

/** The page with the button, which a person may open. */
export function unsubscribePage(publicUrl: string, { key, kind }: { key: string; kind: UnsubscribeKind }) {
  return `${publicUrl}/unsubscribe#${key}.${kind}`
}

const TOKEN = /^(?<key>[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})\.(?<kind>\w+)$/

/**
 * Switches off the kind of email that the token names. Doing it twice is no error.
 * @throws AppError LINK_EXPIRED if we never sent the token
 */
export async function unsubscribe(db: Db, token: string): Promise<UnsubscribeKind> {
  const { key, kind: word } = TOKEN.exec(token)?.groups ?? {}
  const kind = unsubscribeKinds.find((kind) => kind === word)
  if (key === undefined || kind === undefined) throw unknownToken()
  const { numAffectedRows } = await (kind === 'conversation'
    ? sql`update lead set stopped_at = coalesce(stopped_at, now()) where unsubscribe_key = ${key}`
    : sql`
        update app_user set notification_prefs = notification_prefs || jsonb_build_object(${kind}::text, false)
        where unsubscribe_key = ${key}
      `
  ).execute(db)
  if (numAffectedRows === 0n) throw unknownToken()
  return kind
}

function unknownToken(): AppError {
  return new AppError(
    'LINK_EXPIRED',
    'This link is incomplete. Open it again from the email, or change your emails in your account settings.',
  )
}
