import { sql } from 'kysely'
import { whyGone } from '#server/features/market/for-sale/for-sale.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { MailSite } from '#server/features/talk/mail/mail-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { getLead } from './leads.ts'
import { LINK_KEPT_MS, openLink } from './message-links.ts'
import { goneMail, mailedLead, offerEndedMail } from './message-mails.ts'

/*
 * The buyers of open conversations hear that a seller is gone, or that the part they agreed on is: they may be on their way
 * to the yard.
 */

type Deps = { now: () => Date; site: MailSite }

const A_PAGE = 50

/** Mails each buyer with a confirmed address once, unless the seller is back by then. */
export async function mailGone(
  { now, site }: Deps,
  {
    payload: { sellerId },
    signal,
    withFence,
  }: Pick<JobRun<{ sellerId: string }>, 'payload' | 'signal' | 'withFence'>,
): Promise<void> {
  for (let mailed = A_PAGE; mailed === A_PAGE; ) {
    signal.throwIfAborted()
    mailed = await withFence((trx) => mailPage(trx, { sellerId, now: now() }, site))
  }
}

async function mailPage(
  trx: Db,
  { sellerId, now }: { sellerId: string; now: Date },
  site: MailSite,
): Promise<number> {
  const { rows } = await sql<{ id: string; email: string }>`
    with untold as (
      select id from lead
      where seller_id = ${sellerId} and state <> 'closed' and email is not null and confirmed_at is not null
        and stopped_at is null and wrote_at > ${new Date(now.getTime() - LINK_KEPT_MS)}
        and (told_gone_at is null or told_gone_at < wrote_at) and ${whyGone(sql`lead.seller_id`)} is not null
      order by id limit ${A_PAGE} for update
    )
    update lead set told_gone_at = ${now} from untold where lead.id = untold.id returning lead.id, lead.email
  `.execute(trx)
  for (const { id, email } of rows) {
    const lead = await getLead(trx, id, now)
    const { sellerName, unsubscribeKey } = lead
    const token = await openLink(trx, id, now)
    await queueMail(
      trx,
      goneMail({ ...mailedLead(lead), email }, { sellerName, token, unsubscribeKey }, site),
    )
  }
  return rows.length
}

/** The part of an accepted offer was taken off sale before its buyer paid. Without a confirmed address nobody is mailed. */
export async function mailOfferEnded(trx: Db, leadId: string, { now, site }: Deps): Promise<void> {
  const lead = await getLead(trx, leadId, now())
  const { email, emailConfirmed, emailsStopped, sellerName, unsubscribeKey } = lead
  if (email === null || !emailConfirmed || emailsStopped) return
  const token = await openLink(trx, leadId, now())
  await queueMail(
    trx,
    offerEndedMail({ ...mailedLead(lead), email }, { sellerName, token, unsubscribeKey }, site),
  )
}
