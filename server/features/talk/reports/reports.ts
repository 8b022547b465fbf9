import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'
import { type ReportReason, reportReasons } from '#contract/pages/report-reasons.ts'
import type { ListingReport, ReportedListing } from '#contract/reports.ts'
import { MAX_OF_ONE_NUMBER } from '#server/features/market/interchange/graph.ts'
import { counts, isRemoved } from '#server/features/market/interchange/number-claims.ts'
import { findListingBySlug, type ReadListing } from '#server/features/market/listings/listing-queries.ts'
import { isPublicListing, listingNotFound, ownsListing } from '#server/features/market/listings/policy.ts'
import { listingTitle, type TitleFields } from '#server/features/market/listings/titles.ts'
import { newToken, tokenHash } from '#server/features/people/accounts/sessions.ts'
import { holdRests, lockRests } from '#server/features/stock-files/apply/first-import.ts'
import { mailboxOf, mayMailUnconfirmed, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import { writeAudit } from '#server/platform/database/audit.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { confirmReportMail, type ReportLetterhead } from './report-mails.ts'

/* Reports of listings: filing one, and the administrators' queue. */

type FiledReport = {
  listing: ReadListing
  report: ListingReport
  actor: Actor | undefined
  ip: string
  requestId: string
  now: Date
}

/**
 * Gets the listing that a visitor reports.
 * @throws AppError NOT_FOUND, CONFLICT if it is the visitor's own
 */
export async function getReportableListing(
  db: Db,
  slug: string,
  visitor: Actor | undefined,
): Promise<ReadListing> {
  const listing = await findListingBySlug(db, slug)
  if (!listing || !isPublicListing(listing)) throw listingNotFound()
  if (visitor && ownsListing(visitor, listing)) {
    throw new AppError('CONFLICT', 'This is your own listing. Edit or end it instead.')
  }
  return listing
}

/** After this time, the same visitor can report the same listing again. */
const COUNTS_ONCE_DAYS = 30

/** A hash of visitor and listing. It includes the listing, so that it does not link a visitor's reports. */
function visitorOf({ listing, actor, ip }: FiledReport): Buffer {
  return hashOf(listing.id, actor ? `user:${actor.userId}` : `ip:${networkOf(ip)}`)
}

const hashOf = (of: string, whom: string): Buffer => createHash('sha256').update(`${of}\n${whom}`).digest()

/** The address that a report counts for: the one that was typed, or else that of the account. */
function reporterOf(
  { report, actor }: FiledReport,
  { confirming }: ReportSite,
): { email: string | null; isConfirmed: boolean } {
  const own = actor?.emailConfirmed ? actor.email.toLowerCase() : null
  const email = report.email.toLowerCase() || own
  return { email, isConfirmed: email !== null && (email === own || !confirming.changes) }
}

/** Mails the link that confirms the address, unless it got several mails today: the report is filed either way. */
async function mailReportLink(
  trx: Db,
  { id, email, ip }: { id: string; email: string; ip: string },
  site: ReportSite,
): Promise<void> {
  if (!(await mayMailUnconfirmed(trx, email, { ip }))) return
  const token = newToken()
  await sql`update listing_report set token_hash = ${tokenHash(token)} where id = ${id}`.execute(trx)
  await queueMail(trx, confirmReportMail({ to: email, token, days: LINK_DAYS }, site))
}

const LINK_DAYS = 14

/**
 * Confirms the address of a report by the token of its link, and returns it; twice is not an error. Holds the rest of the
 * seller's import if that makes enough reports.
 * @throws AppError LINK_EXPIRED
 */
export function confirmReport(
  db: Db,
  { token, now }: { token: string; now: Date },
  letterhead: ReportLetterhead,
): Promise<string | null> {
  return inTransaction(db, async (trx) => {
    const { rows } = await sql<{ sellerId: string; email: string | null }>`
      update listing_report set confirmed_at = coalesce(confirmed_at, ${now})
      where token_hash = ${tokenHash(token)} and created_at > ${now}::timestamptz - make_interval(days => ${LINK_DAYS})
      returning seller_id as "sellerId", email
    `.execute(trx)
    const [confirmed] = rows
    if (!confirmed) {
      throw new AppError(
        'LINK_EXPIRED',
        'This link is incomplete or has expired. We have your report either way.',
      )
    }
    const { sellerId, email } = confirmed
    await holdRests(trx, await lockRests(trx, sellerId), letterhead)
    return email
  })
}

const isReason = (reason: string): reason is ReportReason => Object.hasOwn(reportReasons, reason)

export type ReportSite = ReportLetterhead & { confirming: { readonly changes: boolean } }

/**
 * Files a report. A visitor's repeated report of a listing is ignored. Only reports with a confirmed address can put the rest
 * of a new seller's import on hold: the address gets a link, unless it is that of the signed-in account.
 */
export function fileReport(db: Db, filed: FiledReport, site: ReportSite): Promise<void> {
  const { listing, report, actor, ip, requestId, now } = filed
  const { sellerId } = listing
  const { email, isConfirmed } = reporterOf(filed, site)
  const reason = isReason(report.reason) ? report.reason : 'other'
  const note =
    reason === report.reason ? report.text : [report.reason, report.text].filter(Boolean).join('\n')
  return inTransaction(db, async (trx) => {
    // Must come first, since applying locks the promotion before its listings.
    const rests = await lockRests(trx, sellerId)
    const { rows } = await sql<{ id: string }>`
      insert into listing_report (listing_id, seller_id, import_id, reason, note, email, visitor, reporter, confirmed_at)
      select ${listing.id}, ${sellerId},
             (select p.import_id from listing_source s join promotion p on p.id = s.created_by_promotion
              where s.listing_id = ${listing.id}),
             ${reason}, ${note}, ${report.email || null}, ${visitorOf(filed)},
             ${email === null ? null : hashOf(sellerId, mailboxOf(email))}, ${isConfirmed ? now : null}::timestamptz
      where not exists (
        select from listing_report
        where listing_id = ${listing.id} and visitor = ${visitorOf(filed)}
          and created_at > now() - make_interval(days => ${COUNTS_ONCE_DAYS}))
      on conflict do nothing
      returning id
    `.execute(trx)
    const [stored] = rows
    if (!stored) return
    if (isConfirmed) await holdRests(trx, rests, site)
    else if (email !== null) await mailReportLink(trx, { id: stored.id, email, ip }, site)
    await writeAudit(trx, {
      action: 'listing-reported',
      target: listing.id,
      ip,
      requestId,
      detail: { reason },
      ...(actor && { actorUserId: actor.userId }),
    })
  })
}

export type ReportState = 'open' | 'closed'

const inState = (state: ReportState) =>
  state === 'open' ? sql`closed_at is null` : sql`closed_at is not null`

/** Counts listings with a report in this state, and listings with an open report. */
export async function countReported(db: Db, state: ReportState): Promise<{ total: number; open: number }> {
  const { rows } = await sql<{ total: number; open: number }>`
    select count(distinct listing_id) filter (where ${inState(state)}) as total,
           count(distinct listing_id) filter (where closed_at is null) as open
    from listing_report
  `.execute(db)
  return rows[0] ?? { total: 0, open: 0 }
}

/** Enough to judge a listing. */
const REPORTS_SHOWN = 20
/** More numbers of one part would be a flood, of which a seller's 20 count; the surest are shown, which do most harm if wrong. */
const CLAIMS_SHOWN = 60

type Row = Omit<ReportedListing, 'title' | 'import'> & {
  listing: TitleFields
  import: Omit<NonNullable<ReportedListing['import']>, 'isUnusual'> | null
}

const time = (moment: RawBuilder<unknown>) =>
  sql`to_char(${moment} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Lists reported listings, most recently reported first. */
export async function listReported(
  db: Db,
  { state, page, perPage }: { state: ReportState; page: number; perPage: number },
): Promise<ReportedListing[]> {
  const { rows } = await sql<Row>`
    select l.id, l.slug as partslug, l.status, l.deleted_at is not null or l.ended_at is not null as "isGone",
           jsonb_build_object('yearFrom', l.year_from, 'yearTo', l.year_to, 'manufacturerName', l.manufacturer_name,
                              'modelName', l.model_name, 'name', l.name) as listing,
           jsonb_build_object('id', s.id, 'name', s.name) as seller,
           received.reports, by_import.import, coalesce(stated.claims, '[]') as claims
    from (
      select listing_id, max(created_at) as newest, (array_agg(import_id order by id desc))[1] as import_id
      from listing_report
      where ${inState(state)} group by listing_id
      order by newest desc, listing_id limit ${perPage} offset ${(page - 1) * perPage}
    ) reported
    join listing l on l.id = reported.listing_id
    join seller s on s.id = l.seller_id
    cross join lateral (
      select jsonb_agg(jsonb_build_object(
        'id', r.id, 'reason', r.reason, 'text', r.note, 'email', r.email, 'confirmed', r.confirmed_at is not null, 'createdAt', ${time(sql.ref('r.created_at'))},
        'closedAt', ${time(sql.ref('r.closed_at'))}, 'closedBy', u.name, 'outcome', r.outcome, 'answer', r.answer,
        'restoredAt', ${time(sql.ref('r.restored_at'))}, 'restoredBy', b.name, 'restoreAnswer', r.restore_answer
      ) order by r.id desc) as reports
      from (select * from listing_report where listing_id = l.id and ${inState(state)}
            order by id desc limit ${REPORTS_SHOWN}) r
      left join app_user u on u.id = r.closed_by
      left join app_user b on b.id = r.restored_by
    ) received
    left join lateral (
      select jsonb_build_object(
        'id', i.id, 'fileName', i.file_name, 'parts', coalesce(sum(p.created), 0),
        'reported', (select count(distinct o.listing_id) from listing_report o
                     where o.import_id = i.id and o.outcome is distinct from 'answered'),
        'waiting', coalesce(sum(p.to_create + p.to_update + p.to_end - p.applied)
                     filter (where p.state = 'applying' and p.rest_at is not null), 0),
        'heldAt', ${time(sql`max(p.rest_held_at) filter (where p.state = 'applying')`)}
      ) as import
      from import i join promotion p on p.import_id = i.id
      where i.id = reported.import_id group by i.id
    ) by_import on true
    left join lateral (
      select jsonb_agg(jsonb_build_object('id', c.id, 'kind', c.kind, 'number', c.number, 'other', c.other, 'seller', y.name)
                       order by c.place) as claims
      from (
        select c.*, row_number() over (order by c.seller_id = l.seller_id desc, c.counts desc, c.sellers desc, c.source desc, c.id) as place
        from (
          select c.*, count(*) filter (where c.counts) over (partition by c.kind, c.number_key, c.other_key) as sellers,
                 row_number() over (partition by c.seller_id order by c.source desc, c.stated_at, c.id) as nth
          from (
            select distinct on (c.seller_id, c.kind, c.number_key, c.other_key) c.*, ${counts} as counts
            from interchange_claim c join seller s on s.id = c.seller_id
            where l.part_number_key in (c.number_key, c.other_key) and not ${isRemoved}
            order by c.seller_id, c.kind, c.number_key, c.other_key, c.source desc, c.id
          ) c
        ) c
        where c.nth <= ${MAX_OF_ONE_NUMBER} order by place limit ${CLAIMS_SHOWN}
      ) c join seller y on y.id = c.seller_id
      where exists (select from listing_report n where n.listing_id = l.id and n.reason = 'wrong-number' and ${inState(state)})
    ) stated on true
    order by reported.newest desc, l.id
  `.execute(db)
  return rows.map(({ listing, import: of, ...row }) => ({
    ...row,
    title: listingTitle(listing),
    import: of && { ...of, isUnusual: isUnusual(of) },
  }))
}

/** A few parts of a yard's stock are always reported; more than this suggests a problem with the file. */
const USUAL = { listings: 3, share: 0.01 }

const isUnusual = ({ reported, parts }: { reported: number; parts: number }): boolean =>
  reported >= USUAL.listings && reported > parts * USUAL.share
