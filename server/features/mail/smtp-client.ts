import nodemailer from 'nodemailer'
import type { Mail } from './queries.ts'

export type Sender = { readonly name: string; readonly address: string }

export type SmtpClient = {
  /** Resolves once the server has taken the mail. */
  send(mail: Mail): Promise<void>
}

// Servers of the big providers answer within a second or two; beyond this a later attempt is the better one.
const CONNECT_MS = 10_000
const SILENCE_MS = 20_000

/** Sends through the server of an `smtp:` or `smtps:` address, with its user and password if it has them. */
export function openSmtpClient(url: string, from: Sender): SmtpClient {
  const transport = nodemailer.createTransport({
    url,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    socketTimeout: SILENCE_MS,
    // A text never makes us read a file or fetch an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const domain = from.address.slice(from.address.indexOf('@') + 1)
  return {
    send: async (mail) => {
      await transport.sendMail({
        from,
        // As objects they are taken as they are, not parsed for names and further addresses.
        to: { name: '', address: mail.to },
        ...(mail.replyTo === undefined ? {} : { replyTo: { name: '', address: mail.replyTo } }),
        subject: mail.subject,
        text: mail.body,
        messageId: `<${mail.id}@${domain}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}

/** The server does not want this mail, now or later; anything else (its absence, a wrong password) may pass. */
export function isRefusedForGood(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error) || !('responseCode' in error)) return false
  const aboutThisMail = error.code === 'EENVELOPE' || error.code === 'EMESSAGE'
  return aboutThisMail && typeof error.responseCode === 'number' && error.responseCode >= 500
}
