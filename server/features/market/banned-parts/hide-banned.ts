import { sql } from 'kysely'
import { z } from 'zod'
import { bannedWhereItIs } from '#contract/listing/restricted-parts.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import { findOrdered } from '#server/features/market/listings/ordered-parts.ts'
import { changeListing, diffColumns, lockListing } from '#server/features/market/listings/write-queries.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import { type MailSite, paragraphs } from '#server/features/talk/mail/mail-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobQueue, JobRun } from '#server/platform/jobs/job-definition.ts'

/*
 * When a rule bans parts where they are, those listed before it are hidden and their sellers told. A migration marks them
 * (`banned_listing`): the rule that counts is in the contract.
 */

export const hideBannedQueue: JobQueue<Record<string, never>> = {
  name: 'hide-banned',
  title: 'Hide banned parts',
  payload: z.object({}).strict(),
  maxAttempts: 5,
  retryDelaySeconds: 60,
  resumable: true,
  timeoutSeconds: 600,
  concurrency: 1,
}

/** A part in an order stays until the order ends: its buyer would lose it otherwise. */
const unheld = sql`not exists (select from part_hold h where h.listing_id = b.listing_id and h.ended_at is null)`

export async function hasBanned(trx: Db): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select from banned_listing b where ${unheld}) as found`.execute(trx)
  return rows[0]?.found === true
}

type Run = Pick<JobRun<unknown>, 'jobId' | 'signal' | 'withFence'>

/** Hides the marked parts, a seller at a time, with one email to each of the seller's people. */
export async function hideBanned(site: MailSite, { jobId, signal, withFence }: Run): Promise<void> {
  for (let isDone = false; !isDone; ) {
    signal.throwIfAborted()
    isDone = await withFence((trx) => hideOfNextSeller(trx, jobId, site))
  }
}

type Marked = { id: string; name: string; category: string | null; state: string; sellerId: string }
type Hidden = { name: string; sentence: string }

/** Returns whether there is nothing left to do. */
async function hideOfNextSeller(trx: Db, jobId: string, site: MailSite): Promise<boolean> {
  const { rows } = await sql<Marked>`
    select l.id, l.name, c.name as category, l.state, l.seller_id as "sellerId"
    from banned_listing b join listing l on l.id = b.listing_id left join category c on c.id = l.category_id
    where l.seller_id = (
      select n.seller_id from banned_listing b join listing n on n.id = b.listing_id where ${unheld} limit 1)
      and ${unheld}
    order by l.id limit 500 for update of b`.execute(trx)
  const [first] = rows
  if (!first) return true
  const hidden: Hidden[] = []
  const settled: string[] = []
  await withChangeSet(
    trx,
    { actorKind: 'job', jobId, onBehalfOf: first.sellerId, reason: 'hide banned parts' },
    async (same, changeSetId) => {
      for (const marked of rows) {
        const sentence = bannedWhereItIs({
          partname: marked.name,
          category: marked.category ?? undefined,
          partstate: marked.state,
        })
        const outcome = sentence === undefined ? 'public' : await hide(same, marked.id, changeSetId)
        if (outcome !== 'ordered') settled.push(marked.id)
        if (sentence !== undefined && outcome === 'hidden') hidden.push({ name: marked.name, sentence })
      }
    },
  )
  await sql`delete from banned_listing where listing_id = any(${settled}::uuid[])`.execute(trx)
  if (hidden.length > 0) await tellSeller(trx, first.sellerId, hidden, site)
  return settled.length === 0
}

type Outcome = 'hidden' | 'gone' | 'ordered'

async function hide(trx: Db, id: string, changeSetId: string): Promise<Outcome> {
  const before = await lockListing(trx, id)
  if (!before || before.deleted_at !== null || before.ended_at !== null || before.status !== 'ACTIVE')
    return 'gone'
  const columns = { status: 'HIDDEN' } as const
  const change = { before, columns: diffColumns(before, columns) }
  // Ordered between the look and the lock: the next run comes back to it.
  if ((await findOrdered(trx, [change])).size > 0) return 'ordered'
  await changeListing(trx, before, { changeSetId, columns })
  return 'hidden'
}

const MOST_NAMED = 20

async function tellSeller(
  trx: Db,
  sellerId: string,
  hidden: readonly Hidden[],
  site: MailSite,
): Promise<void> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and ${canSignIn} order by u.id`.execute(trx)
  const count = hidden.length === 1 ? 'a part' : `${hidden.length} parts`
  const named = hidden.slice(0, MOST_NAMED).map(({ name }) => `- ${name}`)
  if (hidden.length > MOST_NAMED) named.push(`- and ${hidden.length - MOST_NAMED} more`)
  for (const { email } of rows) {
    await queueMail(trx, {
      to: email,
      subject: `We hid ${count} that may not be sold in your state`,
      button: 'See your listings',
      body: paragraphs([
        `We had to hide ${count} of yours, because the law of the state where the part is does not allow the sale:`,
        [...new Set(hidden.map(({ sentence }) => sentence))].join('\n'),
        named.join('\n'),
        'Buyers no longer see these listings. Nothing else changed, and you need to do nothing. If a part is in another state, correct its state and write to us.',
        `${site.publicUrl}/dashboard/seller/my-quick-listings`,
        site.productName,
      ]),
    })
  }
}
