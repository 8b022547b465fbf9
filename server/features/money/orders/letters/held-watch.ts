import { sql } from 'kysely'
import { isPublic } from '#server/features/market/for-sale/for-sale.ts'
import { endHold, type HoldOwner } from '#server/features/market/for-sale/holds.ts'
import { listingNotFound } from '#server/features/market/listings/policy.ts'
import { LISTING_TITLE } from '#server/features/market/listings/titles.ts'
import { mayMailUnconfirmed, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { OrderSite } from './telling.ts'

/* "Tell me if it comes back": one email to buyers who came while somebody else held the part. */

// More would be no help: one of them gets it.
const WATCHERS_OF_PART = 100

/** @throws AppError NOT_FOUND */
export async function getWatchedPart(db: Db, slug: string): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    select l.id from listing l where l.slug = ${slug} and ${isPublic}`.execute(db)
  if (!rows[0]) throw listingNotFound()
  return rows[0].id
}

/** Remembers an address for a held part. The reply never says whether it did: the address may be a stranger's. */
export async function watchPart(
  trx: Db,
  { id, email, ip }: { id: string; email: string; ip: string },
): Promise<void> {
  const { rows } = await sql<{ watchers: number; isHeld: boolean; watches: boolean }>`
    select (select count(*)::int from hold_watch w where w.listing_id = l.id) as watchers,
           l.ended_at is null and exists (
             select from part_hold h where h.listing_id = l.id and h.ended_at is null) as "isHeld",
           exists (select from hold_watch w where w.listing_id = l.id and lower(w.email) = lower(${email})) as watches
    from listing l where l.id = ${id}`.execute(trx)
  const [part] = rows
  if (!part?.isHeld || part.watches || part.watchers >= WATCHERS_OF_PART) return
  if (!(await mayMailUnconfirmed(trx, email, { ip }))) return
  await sql`insert into hold_watch (listing_id, email) values (${id}, ${email}) on conflict do nothing`.execute(
    trx,
  )
}

/**
 * A hold ended without a sale: tells those who wait for the part, once, if a piece is for sale again. For the transaction
 * that ended the hold.
 */
export async function tellWatchers(trx: Db, listingId: string, site: OrderSite): Promise<void> {
  const { rows } = await sql<{ email: string; slug: string; title: string }>`
    with free as (
      select l.id, l.slug, ${LISTING_TITLE} as title from listing l
      where l.id = ${listingId} and ${isPublic} and l.ended_at is null and l.quantity > (
        select coalesce(sum(h.quantity), 0) from part_hold h where h.listing_id = l.id and h.ended_at is null)
    )
    delete from hold_watch w using free where w.listing_id = free.id
    returning w.email, free.slug, free.title`.execute(trx)
  // In one order, so that two parts at once do not wait for each other's mailboxes.
  for (const { email, slug, title } of rows.toSorted((a, b) => (a.email < b.email ? -1 : 1))) {
    await queueMail(trx, {
      to: email,
      subject: `For sale again: ${title}`,
      body: `Hello,

You asked us to tell you if this part comes back. It is for sale again:
${site.publicUrl}/parts/${slug}

${title}

This is the only email about it. If you did not ask for it, you can ignore it.

${site.productName}
`,
      button: 'See the part',
    })
  }
}

/** Ends the hold of an order without a sale, and tells those who wait for the part. */
export async function freePart(
  trx: Db,
  order: HoldOwner,
  ending: 'released' | 'lapsed',
  { now, site }: { now: () => Date; site: OrderSite },
): Promise<void> {
  for (const listingId of await endHold(trx, order, ending, now())) await tellWatchers(trx, listingId, site)
}
