import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'

type SupportQuestion = {
  question: { name: string; email: string; subject: string; message: string }
  actor: Actor | undefined
  requestId: string
}

/** Emails a question to the operator. */
export async function mailSupport(
  db: Db,
  { question: { name, email, subject, message }, actor, requestId }: SupportQuestion,
  { supportEmail }: { supportEmail: string },
): Promise<void> {
  const from = actor ? `${name} <${email}>, signed in as ${actor.email}` : `${name} <${email}>`
  await queueMail(db, {
    to: supportEmail,
    replyTo: email,
    subject: `[Support] ${subject}`,
    body: `${message}\n\n-- \nFrom ${from}\nRequest ${requestId}`,
  })
}
