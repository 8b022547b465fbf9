import { sql } from 'kysely'
import { z } from 'zod'
import { endingDate } from '#contract/account/ending-date.ts'
import type { NameReview } from '#contract/admin/people.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { type AuditActor, writeAudit } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { isSameCity, looksAlike } from './alike-names.ts'

/*
 * A new seller could call itself like a known yard nearby and take its buyers. Such a name is reviewed: its parts are for sale
 * at once, but under a neutral name, until an administrator decides or two working days are over. Established yards are never
 * renamed, and what the seller typed stays stored as typed. Reads do not look at the clock: a review that is due is decided by a
 * job, so that kept pages learn of it as of any decision.
 */

/** Where a listing says who sells it; the dealer's name may be empty, then the seller's is shown. */
export type NamedPlace = {
  seller_id: string
  dealer_name?: string | null | undefined
  city?: string | null | undefined
  state?: string | null | undefined
  zip?: string | null | undefined
}

/** Apart from the writes that begin reviews: an import's page knows nothing of mails. */
export const nameReviewsQueue: JobQueue<Record<string, never>> = {
  name: 'name-reviews',
  title: 'Names in review',
  payload: z.object({}).strict(),
  maxAttempts: 3,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 1,
}

/** Begins a review of each name of a new seller that looks like an established one's in the same city. */
export async function reviewNames(trx: Db, written: readonly NamedPlace[]): Promise<void> {
  const ids = [...new Set(written.map((one) => one.seller_id))]
  if (ids.length === 0) return
  const { rows } = await sql<{ id: string; name: string; city: string | null; state: string | null }>`
    select s.id, s.name, yard.city, yard.state from seller s ${yardOf}
    where s.id = any(${ids}::uuid[]) and s.established_at is null
  `.execute(trx)
  const fresh = new Map(rows.map((row) => [row.id, row]))
  const theirs = written.filter(({ seller_id }) => fresh.has(seller_id))
  const towns = await findTowns(trx, theirs)
  const asked = new Map<string, Asked>()
  for (const one of theirs) {
    const seller = fresh.get(one.seller_id)
    // The seller's own name signs messages, whatever its parts say.
    for (const name of [seller?.name, one.dealer_name]) {
      if (!name) continue
      for (const place of placesOf(one, { towns, seller })) {
        asked.set([one.seller_id, name, place?.city, place?.state].join('\n'), {
          sellerId: one.seller_id,
          name,
          place,
        })
      }
    }
  }
  let begun = 0
  for (const each of asked.values()) begun += await reviewName(trx, each)
  if (begun > 0) await enqueueJob(trx, { queue: nameReviewsQueue, payload: {} })
}

const yardOf = sql`
  left join lateral (
    select city, state from seller_location where seller_id = s.id order by id limit 1
  ) yard on true`

type Place = { city: string; state: string }

const placeOf = ({ city, state }: Partial<Record<keyof Place, string | null | undefined>>) =>
  city && state ? { city, state } : undefined

/** Where a listing says it is, by its town and by its ZIP code, or else where its yard is; undefined for nowhere. */
function placesOf(
  { city, state, zip }: NamedPlace,
  { towns, seller }: { towns: ReadonlyMap<string, Place>; seller: Parameters<typeof placeOf>[0] | undefined },
): readonly (Place | undefined)[] {
  const said = [placeOf({ city, state }), towns.get(zip ?? '')].filter((place) => place !== undefined)
  return said.length > 0 ? said : [seller && placeOf(seller)]
}

/** The towns of ZIP codes: a listing may say where it is by that alone. */
async function findTowns(trx: Db, places: readonly NamedPlace[]): Promise<Map<string, Place>> {
  const zips = [...new Set(places.flatMap(({ zip }) => zip || []))]
  if (zips.length === 0) return new Map()
  const { rows } = await sql<{ zip: string; city: string; state: string }>`
    select zip, city, state from zip where zip = any(${zips})
  `.execute(trx)
  return new Map(rows.map(({ zip, ...town }) => [zip, town]))
}

/** Reviews the names that a new seller uses, after its yard moved to another city. */
export async function reviewNamesAt(
  trx: Db,
  sellerId: string,
  place: Place & { zip: string },
): Promise<void> {
  // They were compared with yards anywhere; now it says which are near.
  if (placeOf(place)) {
    await sql`
      delete from name_review where seller_id = ${sellerId} and shown_as = ${NOWHERE} and ${openReviews}
    `.execute(trx)
  }
  const { rows } = await sql<{ name: string }>`
    select distinct dealer_name as name from listing
    where seller_id = ${sellerId} and deleted_at is null and ended_at is null and status = 'ACTIVE'
  `.execute(trx)
  await reviewNames(
    trx,
    [{ name: '' }, ...rows].map(({ name }) => ({ seller_id: sellerId, dealer_name: name, ...place })),
  )
}

type Asked = { sellerId: string; name: string; place: Place | undefined }

/** The neutral name of a yard that does not say where it is. */
const NOWHERE = 'New yard'

/** Returns how many reviews began: none if the name looks like nobody's, or was reviewed before. */
async function reviewName(trx: Db, { sellerId, name, place }: Asked): Promise<number> {
  const known = await sql`select from name_review where seller_id = ${sellerId} and name = ${name}`.execute(
    trx,
  )
  if (known.rows.length > 0) return 0
  const other = (await listYards(trx, { sellerId, state: place?.state })).find((yard) => {
    const places = [yard.city, yard.state, place?.city, place?.state].flatMap((each) => each || [])
    return isNear(yard, place) && looksAlike(yard.name, name, places)
  })
  if (!other) return 0
  const shownAs = place ? `Yard in ${place.city}, ${place.state}` : NOWHERE
  await sql`
    insert into name_review (seller_id, name, shown_as, like_name, like_seller_id, due_at)
    values (${sellerId}, ${name}, ${shownAs}, ${other.name}, ${other.id}, ${dueAfter(new Date())})
    on conflict do nothing
  `.execute(trx)
  // The address says the name, too. It stays neutral afterwards: addresses don't come and go.
  await sql`
    update seller set slug = 'yard-' || right(id::text, 12) where id = ${sellerId} and name = ${name}
  `.execute(trx)
  return 1
}

/** A yard that says no place may be anywhere: leaving the town out is no way around a review. */
const isNear = (yard: KnownYard, place: Place | undefined): boolean =>
  !place ||
  (isSameCity(yard.city ?? '', place.city) && stateCode(yard.state ?? '') === stateCode(place.state))

/** It may say no place: then only a new yard that says none, either, is compared with it. */
type KnownYard = { id: string; name: string; city: string | null; state: string | null }

/**
 * Established sellers with something for sale in states of one letter (as a code or a name), else anywhere: by their own name,
 * and by the newest listing's.
 */
async function listYards(
  trx: Db,
  { sellerId, state }: { sellerId: string; state: string | undefined },
): Promise<KnownYard[]> {
  const there = state
    ? sql`left(upper(place.state), 1) = left(upper(${state}), 1) and place.city <> ''`
    : sql`true`
  const { rows } = await sql<KnownYard>`
    select s.id, named.name, place.city, place.state
    from seller s
    cross join lateral (
      select l.dealer_name, l.city, l.state from listing l
      where l.seller_id = s.id and l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null
      order by l.id desc limit 1
    ) newest
    ${yardOf}
    cross join lateral (
      select newest.city, newest.state union select yard.city, yard.state
    ) place
    cross join lateral (select s.name union select newest.dealer_name) named
    where s.established_at is not null and s.id <> ${sellerId} and named.name <> ''
      and ${there}
      and not exists (select from gone_seller g where g.seller_id = s.id)
    order by s.id
  `.execute(trx)
  return rows
}

const WORKING_DAYS = 2
const DAY_MS = 86_400_000

/** The same time two working days later. */
function dueAfter(asked: Date): Date {
  let due = asked.getTime()
  for (let days = 0; days < WORKING_DAYS; ) {
    due += DAY_MS
    const weekday = new Date(due).getUTCDay()
    if (weekday !== 0 && weekday !== 6) days += 1
  }
  return new Date(due)
}

/* The administrators' list */

const openReviews = sql`decision is null`

export async function listNameReviews(db: Db): Promise<NameReview[]> {
  const { rows } = await sql<Omit<NameReview, 'dueAt'> & { dueAt: Date }>`
    select r.seller_id as "sellerId", r.name, r.shown_as as "shownAs", r.like_name as "likeName", y.slug as "likeSlug",
           r.due_at as "dueAt", (
             select u.email::text from seller_member m join app_user u on u.id = m.user_id
             where m.seller_id = r.seller_id order by m.role = 'owner' desc, u.id limit 1) as email
    from name_review r left join seller y on y.id = r.like_seller_id
    where ${openReviews} order by r.due_at, r.name limit 100
  `.execute(db)
  return rows.map(({ dueAt, ...row }) => ({ ...row, dueAt: dueAt.toISOString() }))
}

type NameDecision = { sellerId: string; name: string; decision: 'published' | 'refused'; by: AuditActor }

/** @throws AppError CONFLICT if someone decided already, or the name is shown because its time is over */
export async function decideYardName(
  trx: Db,
  { sellerId, name, decision, by }: NameDecision,
  letterhead: NameLetterhead,
): Promise<void> {
  const { numAffectedRows } = await sql`
    update name_review set decision = ${decision}, decided_at = now(), decided_by = ${by.actorUserId}
    where seller_id = ${sellerId} and name = ${name} and ${openReviews}
  `.execute(trx)
  if (!numAffectedRows) throw new AppError('CONFLICT', 'This name was already reviewed.')
  await writeAudit(trx, { action: 'yard-name-decided', target: sellerId, detail: { name, decision }, ...by })
  const { productName, publicUrl } = letterhead
  const words =
    decision === 'published'
      ? `Buyers now see your yard as ${name}.`
      : `Buyers can't tell the name ${name} from another yard's in your city, so your parts stay for sale without it. Enter another name on your listings:
${publicUrl}/dashboard/seller/products`
  for (const to of await listEmails(trx, sellerId)) {
    await queueMail(trx, { to, subject: `Your yard's name: ${name}`, body: `${words}\n\n${productName}\n` })
  }
}

const isDue = sql`decision is null and due_at <= now()`

export async function hasDueNames(db: Db): Promise<boolean> {
  const { rows } = await sql`select from name_review where ${isDue} limit 1`.execute(db)
  return rows.length > 0
}

/** Publishes the names that nobody decided on in time. Kept pages learn of it by a trigger of the table. */
export async function publishDueNames(db: Db): Promise<void> {
  await sql`update name_review set decision = 'published', decided_at = now() where ${isDue}`.execute(db)
}

/* Mails */

export type NameLetterhead = { productName: string; publicUrl: string }

type Untold = { sellerId: string; name: string; shownAs: string; likeName: string; dueAt: Date }

/** Mails the sellers and the administrators about reviews that began. */
export const mailNameReviews = (db: Db, letterhead: NameLetterhead): Promise<void> =>
  db.transaction().execute((trx) => mailUntold(trx, letterhead))

async function mailUntold(trx: Db, { productName, publicUrl }: NameLetterhead): Promise<void> {
  const { rows } = await sql<Untold>`
    update name_review set told_at = now() where told_at is null
    returning seller_id as "sellerId", name, shown_as as "shownAs", like_name as "likeName", due_at as "dueAt"
  `.execute(trx)
  for (const { sellerId, name, shownAs, likeName, dueAt } of rows) {
    const day = endingDate(dueAt)
    const toSeller = `Your parts are for sale. Your name ${name} is very similar to another yard's${shownAs === NOWHERE ? '' : ' in your city'}, so we review it first. Until then buyers see "${shownAs}". There is nothing for you to do: if nobody objects, your name appears on ${day}.`
    for (const to of await listEmails(trx, sellerId)) {
      await queueMail(trx, {
        to,
        subject: `We are reviewing the name ${name}`,
        body: `${toSeller}\n\n${productName}\n`,
      })
    }
    const toDesk = `The name of a new seller, ${name}, is very similar to ${likeName}${shownAs === NOWHERE ? '; it says no city' : ' in the same city'}. Buyers see "${shownAs}". Publish or refuse the name; without a decision it appears on ${day}.
${publicUrl}/dashboard/admin/users`
    for (const to of await listAdministrators(trx)) {
      await queueMail(trx, {
        to,
        subject: `A name to review: ${name}`,
        body: `${toDesk}\n\n${productName}\n`,
      })
    }
  }
}

async function listEmails(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and ${canSignIn} order by u.id
  `.execute(db)
  return rows.map(({ email }) => email)
}
