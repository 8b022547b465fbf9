import { queueMail } from '#server/features/mail/queue-mail.ts'
import type { JobRun } from '#server/platform/jobs/job-definition.ts'
import { type Letterhead, resetLinkMail } from './account-mails.ts'
import { HOUR_MS, LINK_LIFETIME_MS, LINKS_AN_HOUR } from './one-time-link.ts'
import { countResetsSince, insertReset, lockPerson, voidResets } from './reset-queries.ts'
import { newToken, tokenHash } from './session.ts'

type Deps = { now: () => Date; letterhead: Letterhead }

/**
 * Mails a one-time link to whoever forgot a password; earlier links open nothing any more. Nothing happens for an
 * account that is not there or disabled, or that had its mails of this hour: then the link of the last one stays good.
 */
export async function sendResetLink(
  { now, letterhead }: Deps,
  job: JobRun<{ userId: string | null; device: string }>,
): Promise<void> {
  const { userId, device } = job.payload
  if (userId === null) return
  await job.withFence(async (trx) => {
    const person = await lockPerson(trx, userId)
    const at = now()
    const lastHour = new Date(at.getTime() - HOUR_MS)
    if (!person || (await countResetsSince(trx, userId, lastHour)) >= LINKS_AN_HOUR) return
    await voidResets(trx, userId, at)
    const token = newToken()
    const expiresAt = new Date(at.getTime() + LINK_LIFETIME_MS)
    await insertReset(trx, { tokenHash: tokenHash(token), userId, createdAt: at, expiresAt })
    await queueMail(trx, resetLinkMail(letterhead, { to: person.email, token, device }))
  })
}
