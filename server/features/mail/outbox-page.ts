import { isLoopback } from '#server/platform/setting.ts'
import type { OutboxMail } from './mail.ts'

/**
 * Whether a request knows this program by a name of its own, as its Host header tells. A foreign page whose name was made
 * to lead here could otherwise read the outbox, with its links for new passwords, in the browser of whoever visits it.
 */
export function isOurName(host: string | undefined, publicUrl: string): boolean {
  const name = /^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isLoopback(name.replace(/^\[|\]$/g, '')) || name === new URL(publicUrl).hostname
}

/** The outbox for people: plain HTML without script and style, which every content policy allows. */
export function renderOutbox(mails: readonly OutboxMail[]): string {
  const list = mails.length === 0 ? '<p>No mail yet.</p>' : mails.map(renderMail).join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title></head>
<body>
<h1>Outbox</h1>
<p>What the program has mailed or would mail, newest first. Kept: there is no mail server (SMTP_URL) to send it.</p>
${list}
</body>
</html>
`
}

function renderMail(mail: OutboxMail): string {
  const facts = [
    ['To', mail.to],
    ['Reply to', mail.replyTo],
    ['State', mail.error === null ? mail.state : `${mail.state}: ${mail.error}`],
    ['Written', mail.createdAt.toISOString()],
    ['Sent', mail.sentAt?.toISOString()],
  ]
  const list = facts.flatMap(([name, value]) =>
    value ? [`<dt>${name}</dt><dd>${escapeHtml(value)}</dd>`] : [],
  )
  return `<article id="${mail.id}">
<h2>${escapeHtml(mail.subject)}</h2>
<dl>${list.join('')}</dl>
<pre>${escapeHtml(mail.body)}</pre>
</article>`
}

function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
