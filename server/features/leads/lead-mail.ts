import type { NewMail } from '#server/features/mail/mail.ts'

/** Where links lead, and who we are. */
export type Site = { publicUrl: string; productName: string }

type Message = {
  id: string
  name: string
  email: string | null
  phone: string | null
  message: string
  /** What the part is called. */
  title: string
  /** Null where the part is gone. */
  slug: string | null
}

/** `last`: whether it is the last mail about a message within the hour (see message-limit.ts). */
type Receiver = { to: string; last: boolean }

/** Tells a member of the seller what a buyer wrote; an answer to this mail goes to the buyer. */
export function newMessageMail(message: Message, { to, last }: Receiver, site: Site): NewMail {
  const { name, email, phone, title } = message
  const answer =
    email === null
      ? `${name} left no e-mail address. Call them at ${phone}.`
      : 'Reply to this e-mail, or answer in your inbox:'
  return {
    to,
    ...(email !== null && { replyTo: email }),
    subject: `Message from ${name}: ${title}`,
    body: paragraphs([
      `${name} wrote to you about ${title}:`,
      quote(message.message),
      [`Name: ${name}`, email && `E-mail: ${email}`, phone && `Phone: ${phone}`].filter(Boolean).join('\n'),
      `${answer}\n${site.publicUrl}/dashboard/seller/leads?lead=${message.id}`,
      partLink(message, site),
      last
        ? `So many messages came within an hour that further ones are waiting in your inbox only. We mail you new ones again from the next hour on.\n${site.publicUrl}/dashboard/seller/leads`
        : '',
      `${site.productName} sends these mails while "E-mail me about new messages" is on in your settings:\n${site.publicUrl}/dashboard/seller/account-settings`,
    ]),
  }
}

type Answer = { text: string; author: { name: string; email: string }; sellerName: string }

/**
 * What the seller answers, to the buyer; from here on the two of them write to each other directly. Whose words follow
 * stands before them: anybody may leave a stranger's address at a part of their own, and write to it in our name.
 */
export function answerMail(
  message: Message & { email: string },
  { text, author, sellerName }: Answer,
  site: Site,
): NewMail {
  return {
    to: message.email,
    replyTo: author.email,
    subject: `Re: ${message.title}`,
    body: paragraphs([
      `${sellerName} answers your message about ${message.title} on ${site.productName}:`,
      `Hello ${message.name},`,
      text.trim(),
      author.name === sellerName ? author.name : `${author.name}\n${sellerName}`,
      `You wrote:\n${quote(message.message)}`,
      partLink(message, site),
    ]),
  }
}

function partLink({ slug }: Message, { publicUrl }: Site): string {
  return slug === null ? '' : `The part: ${publicUrl}/parts/${encodeURIComponent(slug)}`
}

/** Every line of a stranger's text is marked as theirs, so that none can pass for one of ours. */
function quote(text: string): string {
  return text
    .trim()
    .split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
    .map((line) => `> ${line}`.trimEnd())
    .join('\n')
}

function paragraphs(list: readonly string[]): string {
  return `${list.filter(Boolean).join('\n\n')}\n`
}
