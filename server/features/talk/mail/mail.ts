import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { type Db, inTransaction, onlyRow } from '#server/platform/database/database.ts'
import { AppError, explainLimit } from '#server/platform/errors.ts'
import { takeFromWindow } from '#server/platform/http/limits/rate-limits.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

/** An email to one recipient, written as plain text; `html-part.ts` builds its HTML part. */
export type NewMail = {
  readonly to: string
  /** Where replies go instead of to us. */
  readonly replyTo?: string
  readonly subject: string
  readonly body: string
  /** The label of the button that leads to the first of our addresses in the text. */
  readonly button?: string
  /** Where mail programs post to end this kind of email (RFC 8058). */
  readonly unsubscribeUrl?: string
}

// One plain address: a comma would add a second recipient, a line break an injected header.
const ADDRESS = /^[^\s<>(),;:"[\]\\@]+@[^\s<>(),;:"[\]\\@]+$/
const ADDRESS_LENGTH = 254
// Mail clients truncate longer ones anyway; the standard limits a line to 998 characters.
const SUBJECT_LENGTH = 200

/** Validates a mail. Subjects often contain text from strangers, so line breaks and control characters become spaces. */
export function checkMail(mail: NewMail): NewMail {
  for (const address of [mail.to, mail.replyTo ?? mail.to]) {
    if (address.length > ADDRESS_LENGTH || !ADDRESS.test(address)) throw new Error('not an email address')
  }
  const subject = mail.subject.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim()
  return { ...mail, subject: subject.slice(0, SUBJECT_LENGTH).toWellFormed() }
}

export const sendMailQueue: JobQueue<{ mailId: string }> = {
  name: 'send-mail',
  title: 'Send mail',
  payload: z.object({ mailId: z.uuid() }),
  // About five hours with the pauses, which outlasts greylisting and server restarts.
  maxAttempts: 12,
  retryDelaySeconds: 30,
  // A mail sent just before its worker was lost is sent again with the same Message-ID, so that receivers can drop the
  // duplicate. Not resending could lose the mail.
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 4,
}

/** `kept`: the mail stays in the outbox because no mail server is configured. */
export type MailState = 'queued' | 'sent' | 'failed' | 'kept'
export type Mail = Pick<NewMail, 'to' | 'subject' | 'body'> & {
  readonly id: string
  readonly state: MailState
  readonly replyTo: string | null
  readonly button: string | null
  readonly unsubscribeUrl: string | null
}

async function insertMail(trx: Db, mail: NewMail): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into mail (recipient, reply_to, subject, body, button, unsubscribe_url)
    values (${mail.to}, ${mail.replyTo ?? null}, ${mail.subject}, ${mail.body}, ${mail.button ?? null},
            ${mail.unsubscribeUrl ?? null})
    returning id`.execute(trx)
  return onlyRow(rows).id
}

export async function findMail(db: Db, id: string): Promise<Mail | undefined> {
  const { rows } = await sql<Mail>`
    select id, recipient as "to", reply_to as "replyTo", subject, body, state, button,
           unsubscribe_url as "unsubscribeUrl"
    from mail where id = ${id}`.execute(db)
  return rows[0]
}

export async function setMailState(trx: Db, id: string, state: MailState, error?: string): Promise<void> {
  await sql`
    update mail
    set state = ${state}, error = ${error ?? null}, sent_at = case when ${state} = 'sent' then now() end
    where id = ${id}`.execute(trx)
}

export type OutboxMail = {
  id: string
  to: string
  replyTo: string | null
  subject: string
  body: string
  state: MailState
  error: string | null
  createdAt: Date
  sentAt: Date | null
}

/** The newest mails first. */
export async function listOutbox(db: Db, limit: number): Promise<OutboxMail[]> {
  const { rows } = await sql<OutboxMail>`
    select id, recipient as "to", reply_to as "replyTo", subject, body, state, error,
           created_at as "createdAt", sent_at as "sentAt"
    from mail order by id desc limit ${limit}`.execute(db)
  return rows
}

/** Writes a mail and the job that sends it, in the caller's transaction if there is one. Returns the mail's id. */
export function queueMail(db: Db, mail: NewMail): Promise<string> {
  const checked = checkMail(mail)
  return inTransaction(db, async (trx) => {
    const mailId = await insertMail(trx, checked)
    await enqueueJob(trx, { queue: sendMailQueue, payload: { mailId } })
    return mailId
  })
}

/**
 * The mailbox of an address, which may be spelled in many ways: mail servers commonly drop a tag ("ann+parts@…"), and Gmail
 * the dots. Not to be mailed to, only to be compared.
 */
export function mailboxOf(email: string): string {
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const [plain = ''] = local.split('+')
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${plain.replaceAll('.', '')}@gmail.com` : `${plain || local}@${domain}`
}

/** Of these mails, what one stranger can cause for one address: who asks is limited before who is named. */
const TO_UNCONFIRMED_FROM_ONE = [
  { most: 3, seconds: 3_600 },
  { most: 5, seconds: 86_400 },
]

/** Limits mail to an unconfirmed address: enough to request a lost email again, too few to bother a stranger. */
const TO_UNCONFIRMED = [
  { most: 5, seconds: 3_600 },
  { most: 10, seconds: 86_400 },
]

/** Counts it like `takeUnconfirmedMail`; false if there were too many, for mail that may be left out. */
export function mayMailUnconfirmed(trx: Db, to: string, by: { ip: string }): Promise<boolean> {
  return takeUnconfirmedMailSlot(trx, to, by).then(
    () => true,
    (error: unknown) => {
      if (error instanceof AppError && error.code === 'TOO_MANY') return false
      throw error
    },
  )
}

/**
 * Counts a mail to an address that may be a stranger's, by who asks for it. The mailbox is stored as a hash.
 * @throws AppError TOO_MANY with the time to wait in words
 */
export async function takeUnconfirmedMailSlot(trx: Db, to: string, { ip }: { ip: string }): Promise<void> {
  const address = createHash('sha256').update(mailboxOf(to)).digest('base64url')
  const windows = [
    ...TO_UNCONFIRMED_FROM_ONE.map((limit) => ({
      key: `mail-to-${limit.seconds}:${address}:${networkOf(ip)}`,
      limit,
    })),
    ...TO_UNCONFIRMED.map((limit) => ({ key: `mail-to-${limit.seconds}:${address}`, limit })),
  ]
  for (const { key, limit } of windows) {
    await takeFromWindow(trx, key, limit).catch(
      explainLimit((wait) => `We couldn't send the email; try again after ${wait}.`),
    )
  }
}
