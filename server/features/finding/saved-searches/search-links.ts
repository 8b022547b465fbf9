import { sql } from 'kysely'
import { hasMailbox } from '#server/features/people/accounts/known-devices.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { type NewMail, queueMail, takeUnconfirmedMailSlot } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Conditions } from './conditions.ts'
import { listSearches, lockOwner, type Owner, requireCapacity, storeSearch } from './saved-searches.ts'

/*
 * Saving a search, and the link that confirms it. Anyone can type a stranger's address, so an unconfirmed address gets
 * only this link, at most once an hour, in an email without typed text. The same link confirms searches saved in the
 * meantime.
 */

export type Site = { publicUrl: string; productName: string; confirming: { readonly changes: boolean } }

const LINK_DAYS = 3
const LINK_MS = LINK_DAYS * 24 * 60 * 60_000
const BETWEEN_LINKS_MS = 60 * 60_000

// Limits what a stranger can put on the confirmation page.
const MOST_UNCONFIRMED = 5

type NewSearch = {
  conditions: Conditions
  /** Defaults to the account's address. */
  email?: string | undefined
  frequency: 'hourly' | 'daily'
  actor: Actor | undefined
  ip: string
  /** The browser's cookies, which may prove that it confirmed the address. */
  cookie?: string | undefined
  now: Date
}

/**
 * Saves a search: directly for the confirmed address of the signed-in account, otherwise pending confirmation by link.
 * The reply does not reveal whether we know the address.
 * @throws AppError VALIDATION_FAILED, TOO_MANY as `mailLink`
 */
export function saveSearch(db: Db, asked: NewSearch, site: Site) {
  const { conditions, frequency, actor, ip, cookie, now } = asked
  const email = asked.email || actor?.email
  if (email === undefined) throw invalid('email', 'Enter an email address such as name@example.com')
  if (conditions.problem) throw invalid('query', conditions.problem)
  const isOwn = actor !== undefined && actor.email.toLowerCase() === email.toLowerCase()
  const isAccount = isOwn && actor.emailConfirmed
  return inTransaction(db, async (trx) => {
    const isConfirmed =
      !site.confirming.changes || isAccount || (await hasMailbox(trx, { email, cookie, now }))
    const owner = await lockOwner(trx, isOwn && isConfirmed ? { userId: actor.userId } : { email })
    const confirmedAt = isConfirmed ? now : null
    await storeSearch(trx, { owner, conditions, frequency, confirmedAt, now })
    if (isConfirmed) return { state: 'saved' as const, email }
    await requireFewUnconfirmed(trx, owner)
    await mailLink(trx, { owner, email, ip, now }, site)
    return { state: 'confirm' as const, email }
  })
}

const invalid = (field: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence } })

async function requireFewUnconfirmed(trx: Db, { id }: Owner): Promise<void> {
  const waiting = await listSearches(trx, [id], { confirmed: false })
  if (waiting.length <= MOST_UNCONFIRMED) return
  throw invalid(
    'email',
    'Open the link that we emailed to this address before you save more searches for it.',
  )
}

type LinkMail = { owner: Owner; email: string; ip: string; now: Date }

/**
 * Mails the link, unless the address got one within the hour, which confirms this search, too.
 * @throws AppError TOO_MANY if it got several today
 */
async function mailLink(trx: Db, { owner, email, ip, now }: LinkMail, site: Site): Promise<void> {
  const { rows } = await sql`
    select from saved_search_owner
    where id = ${owner.id} and link_mailed_at > ${new Date(now.getTime() - BETWEEN_LINKS_MS)}
  `.execute(trx)
  if (rows.length > 0) return
  await takeUnconfirmedMailSlot(trx, email, { ip })
  const token = newToken()
  await sql`
    update saved_search_owner set link_hash = ${tokenHash(token)}, link_mailed_at = ${now} where id = ${owner.id}
  `.execute(trx)
  await queueMail(trx, confirmSearchMail({ to: email, token }, site))
}

function confirmSearchMail({ to, token }: { to: string; token: string }, site: Site): NewMail {
  const { publicUrl, productName } = site
  return {
    to,
    subject: 'Confirm your saved search',
    button: 'See the search and confirm',
    body: `Hello,

Someone asked ${productName} to email this address when a used auto part is listed. If it was you, confirm your search here:

${publicUrl}/confirm-search#${token}

Until then we won't email you any parts. The link works for ${LINK_DAYS} days.

If this wasn't you, ignore this email. The search will be deleted.

${productName}
`,
  }
}

/**
 * Finds the address a link was mailed to, and its unconfirmed searches.
 * @throws AppError LINK_EXPIRED
 */
export async function findLinkedSearches(db: Db, { token, now }: { token: string; now: Date }) {
  const { rows } = await sql<Owner & { email: string }>`
    select id, manage_key as "manageKey", email::text as email from saved_search_owner
    where link_hash = ${tokenHash(token)} and link_mailed_at > ${new Date(now.getTime() - LINK_MS)} and email is not null
  `.execute(db)
  const [owner] = rows
  if (!owner) {
    const sentence = 'This link is incomplete or has expired. Save the search again to get a new one.'
    throw new AppError('LINK_EXPIRED', sentence)
  }
  return { owner, email: owner.email, searches: await listSearches(db, [owner.id], { confirmed: false }) }
}

type Confirmed = { token: string; ids: readonly string[]; now: Date }

/**
 * Confirms the chosen searches of the link's address and deletes its other unconfirmed ones. Confirming twice is not an
 * error.
 * @throws AppError LINK_EXPIRED, VALIDATION_FAILED
 */
export async function confirmSearches(db: Db, { token, ids, now }: Confirmed) {
  const { email } = await findLinkedSearches(db, { token, now })
  return db.transaction().execute(async (trx) => {
    const owner = await lockOwner(trx, { email })
    await sql`
      update saved_search set confirmed_at = ${now}, changed_at = ${now}
      where owner_id = ${owner.id} and id = any(${[...ids]}::uuid[]) and confirmed_at is null
    `.execute(trx)
    await sql`delete from saved_search where owner_id = ${owner.id} and confirmed_at is null`.execute(trx)
    await requireCapacity(trx, owner)
    return { email, key: owner.manageKey }
  })
}
