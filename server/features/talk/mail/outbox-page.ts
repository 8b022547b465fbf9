import { isLoopback } from '#server/platform/setting.ts'
import { escapeHtml, withLink } from './html-part.ts'
import type { OutboxMail } from './mail.ts'

/**
 * Whether the Host header is one of our own names. Otherwise a page whose domain resolves to this machine (DNS rebinding)
 * could read the outbox, with its password-reset links, in a visitor's browser.
 */
export function isOurName(host: string | undefined, publicUrl: string): boolean {
  const name = /^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isLoopback(name.replace(/^\[|\]$/g, '')) || name === new URL(publicUrl).hostname
}

/** The outbox as plain HTML without scripts or styles, which every content security policy allows. */
export function renderOutbox(mails: readonly OutboxMail[], publicUrl: string): string {
  const list =
    mails.length === 0 ? '<p>No mail yet.</p>' : mails.map((mail) => renderMail(mail, publicUrl)).join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Outbox</title></head>
<body>
<p><a href="/">Back to the site</a></p>
<h1>Outbox</h1>
<p>All outgoing mail, newest first. “kept” means that no mail server (SMTP_URL) is configured to send it.</p>
${list}
</body>
</html>
`
}

function renderMail(mail: OutboxMail, publicUrl: string): string {
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
  const body = mail.body.split('\n').map((line) => withLink(line, publicUrl))
  return `<article id="${mail.id}">
<h2>${escapeHtml(mail.subject)}</h2>
<dl>${list.join('')}</dl>
<pre>${body.join('\n')}</pre>
</article>`
}
