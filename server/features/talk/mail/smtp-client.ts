import nodemailer from 'nodemailer'
import type { Db } from '#server/platform/database/database.ts'
import { GiveUp, type JobRun } from '#server/platform/jobs/job-definition.ts'
import { traced } from '#server/platform/tracing/tracing.ts'
import { htmlPart } from './html-part.ts'
import { findMail, type Mail, type MailState, setMailState } from './mail.ts'

export type Sender = {
  readonly name: string
  readonly address: string
  /** Only links below it are links in the HTML part. */
  readonly publicUrl: string
}

type SmtpClient = {
  /** Resolves once the server has accepted the mail. */
  send(mail: Mail): Promise<void>
}

// Large providers reply within a second or two; after this it is better to try again later.
const CONNECT_MS = 10_000
const IDLE_MS = 20_000

/** For mail programs with their own unsubscribe button (RFC 8058). */
function unsubscribeHeaders(url: string | null): Record<string, string> {
  if (url === null) return {}
  return { 'List-Unsubscribe': `<${url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
}

/** @throws if the server cannot be reached, or refuses our user and password */
export async function checkSmtp(url: string): Promise<void> {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
  })
  await transport.verify()
  transport.close()
}

/** Sends through the server of an `smtp:` or `smtps:` URL, with the URL's user and password, if any. */
export function openSmtpClient(url: string, from: Sender): SmtpClient {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: IDLE_MS,
    // Mail content must never make us read a file or fetch a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  return {
    send: async (mail) => {
      const facts = { 'server.address': new URL(url).hostname }
      const message = {
        from: { name: from.name, address: from.address },
        // Objects are used unchanged; strings would be parsed for names and further addresses.
        to: { name: '', address: mail.to },
        ...(mail.replyTo === null ? {} : { replyTo: { name: '', address: mail.replyTo } }),
        subject: mail.subject,
        text: mail.body,
        html: htmlPart(mail, { productName: from.name, publicUrl: from.publicUrl }),
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...unsubscribeHeaders(mail.unsubscribeUrl) },
      }
      await traced({ name: 'send mail', kind: 'client', facts }, () => transport.sendMail(message))
    },
  }
}

/** Whether the server rejected this mail permanently; other failures (unreachable, wrong password) may be temporary. */
function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  const aboutThisMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return aboutThisMail && typeof error.responseCode === 'number' && error.responseCode >= 500
}

type Deps = {
  readonly db: Db
  /** Undefined if no mail server is configured: mail stays in the outbox. */
  readonly smtp: SmtpClient | undefined
}

/** Sends a queued mail, or keeps it, and records its state. */
export async function deliverMail({ db, smtp }: Deps, job: JobRun<{ mailId: string }>): Promise<void> {
  const { mailId } = job.payload
  const setState = (state: MailState, error?: string) =>
    job.withFence((trx) => setMailState(trx, mailId, state, error))
  const mail = await findMail(db, mailId)
  if (mail?.state !== 'queued') return
  if (!smtp) return setState('kept')
  try {
    await smtp.send(mail)
  } catch (error) {
    const refused = isRefusedForGood(error)
    const reason = error instanceof Error ? error.message : String(error)
    if (refused || job.lastAttempt) await setState('failed', reason.slice(0, 1_000))
    throw refused ? new GiveUp(reason, { cause: error }) : error
  }
  await setState('sent')
}
