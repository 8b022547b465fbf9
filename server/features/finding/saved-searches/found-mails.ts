import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { isForSale } from '#server/features/market/for-sale/for-sale.ts'
import { listingTitle, type TitleFields } from '#server/features/market/listings/titles.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { unsubscribePage, unsubscribeUrl } from '#server/features/people/accounts/email/unsubscribe.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/*
 * Emails with new parts for an owner's saved searches: one for all searches that are due, at most one an hour. Daily
 * searches are due in the morning alone: what is found later waits for the next one.
 */

export const mailFoundQueue: JobQueue<Record<string, never>> = {
  name: 'mail-found-parts',
  title: 'Email found parts',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 3_600,
  concurrency: 1,
  keyOf: () => 'mail-found-parts',
}

export type MailDeps = { db: Db; now: () => Date; site: { publicUrl: string; productName: string } }

/**
 * Maximum parts a search stores until its next email, which lists a few and links to the rest. Without it, a search for
 * alternators would store a tenth of an import.
 */
export const MAX_WAITING = 20

const HOUR_MS = 60 * 60_000
// Daily emails go out at 12:00 UTC: 7 or 8 a.m. on the East Coast, 4 or 5 a.m. on the West Coast.
const MORNING_HOUR = 12

/** The most recent time daily emails were due. */
function lastMorning(now: Date): Date {
  const morning = new Date(now)
  morning.setUTCHours(MORNING_HOUR, 0, 0, 0)
  return morning <= now ? morning : new Date(morning.getTime() - 24 * HOUR_MS)
}

/**
 * Searches `s` of owners `o` that are due. An owner's first email after a morning has all daily searches that had parts by
 * then, so none of them is due in a later one.
 */
const isDue = (now: Date): RawBuilder<unknown> => sql`
  s.waiting_since is not null and s.confirmed_at is not null and s.frequency <> 'off'
  and (o.mailed_at is null or o.mailed_at <= ${new Date(now.getTime() - HOUR_MS)})
  and (s.frequency = 'hourly' or greatest(s.waiting_since, s.confirmed_at, o.mailed_at) < ${lastMorning(now)})
  and (o.user_id is null or exists (
    select from app_user u
    where u.id = o.user_id and u.email_verified_at is not null and ${canSignIn}
  ))`

async function listDueOwners(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.id from saved_search s join saved_search_owner o on o.id = s.owner_id
    where ${isDue(now)} group by o.id limit ${limit}
  `.execute(db)
  return rows.map(({ id }) => id)
}

export async function isMailDue(db: Db, now: Date): Promise<boolean> {
  return (await listDueOwners(db, now, 1)).length > 0
}

const OWNERS_AT_ONCE = 200

/**
 * Emails every owner who is due, each in a transaction that also marks the parts, so that no part is mailed twice or
 * left out.
 */
export async function mailFoundParts(deps: MailDeps, signal: AbortSignal): Promise<{ mails: number }> {
  let mails = 0
  for (;;) {
    const owners = await listDueOwners(deps.db, deps.now(), OWNERS_AT_ONCE)
    if (owners.length === 0) return { mails }
    for (const ownerId of owners) {
      signal.throwIfAborted()
      const mailed = await deps.db.transaction().execute((trx) => mailOwner(trx, deps, ownerId))
      if (mailed) mails += 1
    }
  }
}

type DueOwner = { email: string; userId: string | null; manageKey: string; stopKey: string }
type DueSearch = { id: string; title: string; query: string; waiting: number; frequency: string }

/** Returns false if another run was faster, or no found part is still for sale. */
async function mailOwner(trx: Db, { now, site }: MailDeps, ownerId: string): Promise<boolean> {
  const at = now()
  const { rows: searches } = await sql<DueOwner & DueSearch>`
    select coalesce(o.email, u.email)::text as email, o.user_id as "userId", o.manage_key as "manageKey",
           o.stop_key as "stopKey", s.id, s.title, s.query, s.waiting, s.frequency
    from saved_search s
    join saved_search_owner o on o.id = s.owner_id
    left join app_user u on u.id = o.user_id
    where o.id = ${ownerId} and ${isDue(at)}
    order by s.id for update of o, s
  `.execute(trx)
  const [owner] = searches
  if (!owner) return false
  const ids = searches.map(({ id }) => id)
  const parts = await listFound(trx, ids, owner.userId)
  const isMailed = parts.length > 0
  await sql`
    with hit as (
      update saved_search_hit set mailed_at = ${at} where search_id = any(${ids}::uuid[]) and mailed_at is null
    ), search as (
      update saved_search
      set waiting = 0, waiting_since = null, mailed_at = case when ${isMailed} then ${at}::timestamptz else mailed_at end
      where id = any(${ids}::uuid[])
    )
    update saved_search_owner set mailed_at = ${at} where id = ${ownerId} and ${isMailed}
  `.execute(trx)
  if (isMailed) await queueMail(trx, foundMail(owner, foundIn(searches, parts), site))
  return isMailed
}

type FoundPart = TitleFields & {
  searchId: string
  slug: string
  priceCents: number
  currency: string
  grade: string | null
  city: string
  state: string
  /** Distance from the search's ZIP code. */
  miles: number | null
}

/** Lists found parts that are still for sale at a matching price, newest first, without the owner's own. */
async function listFound(trx: Db, searchIds: readonly string[], userId: string | null): Promise<FoundPart[]> {
  const { rows } = await sql<FoundPart>`
    select h.search_id as "searchId", l.slug, l.name, l.year_from as "yearFrom", l.year_to as "yearTo",
           l.manufacturer_name as "manufacturerName", l.model_name as "modelName", l.price_cents as "priceCents",
           l.currency, l.grade, l.city, l.state, round(miles_between(t.place, s.place)) as miles
    from saved_search_hit h
    join saved_search s on s.id = h.search_id
    join listing l on l.id = h.listing_id
    join listing_search t on t.listing_id = l.id
    where h.search_id = any(${[...searchIds]}::uuid[]) and h.mailed_at is null and ${isForSale}
      and (s.max_cents is null or l.price_cents <= s.max_cents)
      and not exists (select from seller_member m where m.seller_id = l.seller_id and m.user_id = ${userId})
    order by l.id desc
  `.execute(trx)
  return rows
}

type FoundSearch = Pick<DueSearch, 'title' | 'query' | 'frequency'> & {
  parts: readonly FoundPart[]
  /** The stored maximum was reached, so there may be more parts. */
  isFull: boolean
}

/** Assigns each part to one search. */
function foundIn(searches: readonly DueSearch[], parts: readonly FoundPart[]): FoundSearch[] {
  const listed = new Set<string>()
  return searches.flatMap((search) => {
    const own = parts.filter(({ searchId, slug }) => searchId === search.id && !listed.has(slug))
    for (const { slug } of own) listed.add(slug)
    return own.length > 0 ? { ...search, parts: own, isFull: search.waiting >= MAX_WAITING } : []
  })
}

// The rest are a click away; nobody reads an email with 200 parts.
const PARTS_SHOWN = 8

function foundMail(
  to: Omit<DueOwner, 'userId'>,
  searches: readonly FoundSearch[],
  { publicUrl, productName }: MailDeps['site'],
): NewMail {
  const stopping = { key: to.stopKey, kind: 'savedSearches' } as const
  const often = searches.every(({ frequency }) => frequency === 'daily') ? 'once a day' : 'once an hour'
  return {
    to: to.email,
    subject: subjectOf(searches),
    unsubscribeUrl: unsubscribeUrl(publicUrl, stopping),
    body: `${[
      'Hello,',
      ...searches.map((search) => sectionOf(search, publicUrl)),
      `${productName} emails you new parts for your saved searches, at most ${often}. See, change or delete your searches:\n${publicUrl}/saved-searches#${to.manageKey}\nStop these emails: ${unsubscribePage(publicUrl, stopping)}`,
    ].join('\n\n')}\n`,
  }
}

function subjectOf(searches: readonly FoundSearch[]): string {
  const parts = searches.flatMap((search) => search.parts)
  const [first, second] = parts
  if (first && !second) return `New: ${listingTitle(first)}, ${priceOf(first)}`
  const count = `${parts.length}${searches.some(({ isFull }) => isFull) ? '+' : ''} new parts`
  const [only, ...others] = searches
  return only && others.length === 0 ? `${count}: ${only.title}` : `${count} for your saved searches`
}

function sectionOf({ title, query, parts, isFull }: FoundSearch, publicUrl: string): string {
  const shown = parts.slice(0, PARTS_SHOWN)
  const more = parts.length - shown.length
  const list = `${publicUrl}/parts?${query}&sort=newest`
  return [
    `New for “${title}”:`,
    ...shown.map((part) => `\n${lineOf(part)}\n${publicUrl}/parts/${encodeURIComponent(part.slug)}`),
    ...(more > 0 ? [`\n${more}${isFull ? ' or more' : ''} others: ${list}`] : []),
  ].join('\n')
}

function lineOf(part: FoundPart): string {
  const { grade, city, state, miles } = part
  const place = [city, state].filter(Boolean).join(', ')
  return [
    listingTitle(part),
    priceOf(part),
    grade && `grade ${grade}`,
    place && (miles === null ? place : `${place} (${miles.toLocaleString('en-US')} mi)`),
  ]
    .filter(Boolean)
    .join(', ')
}

const priceOf = ({ priceCents, currency }: FoundPart) => moneyInWords(priceCents, currency)
