import type { MessageKind } from '#contract/pages/conversations.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { unsubscribePage, unsubscribeUrl } from '#server/features/people/accounts/email/unsubscribe.ts'
import type { NewMail } from '#server/features/talk/mail/mail.ts'
import { type MailSite, paragraphs, quote } from '#server/features/talk/mail/mail-text.ts'
import { type ReadLead, type ReadMessage, titleOf } from './leads.ts'

/* Emails about messages, to the seller's people and to the buyer. */

/** The parts of a message that an email shows. */
export type MailedMessage = {
  kind: MessageKind
  text: string
  /** For an offer, or one that is accepted or declined, such as "$90.00". */
  price: string
  /** When an offer, or the hold after an acceptance, ends. */
  until: string
}

/** The parts of a conversation that an email shows. */
export type MailedLead = {
  id: string
  name: string
  email: string | null
  phone: string | null
  /** The part's title. */
  title: string
  /** Null if the part was deleted. */
  slug: string | null
  /** The part's own price; '' if it was deleted. */
  asking: string
  /** The accepted price can be paid here. */
  canPay: boolean
}

export const mailedLead = (lead: ReadLead): MailedLead => ({
  id: lead.id,
  name: lead.name,
  email: lead.email,
  phone: lead.phone,
  title: titleOf(lead),
  slug: lead.part?.slug ?? null,
  asking: lead.part ? moneyInWords(lead.part.priceCents, lead.part.currency) : '',
  canPay: lead.payUntil !== null,
})

export const mailedMessage = (
  { kind, body, priceCents, currency, expiresAt }: ReadMessage,
  { timeZone }: ReadLead,
): MailedMessage => ({
  kind,
  text: body,
  price: priceCents === null || currency === null ? '' : moneyInWords(priceCents, currency),
  until: expiresAt === null ? '' : endInWords(expiresAt, timeZone),
})

/** "Friday, March 6, 3:00 PM CST", in the seller's time zone. */
const endInWords = (end: Date, timeZone: string): string =>
  end.toLocaleString('en-US', {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  })

/**
 * Limits message emails to one seller, from all senders together. Messages beyond it go to the inbox only, so that they
 * neither flood the seller's mailbox nor get our email marked as spam.
 */
export const MAILED_TO_ONE_SELLER = { most: 60, seconds: 3_600 }

/** Whether the `count`th message to a seller within the hour is emailed, and whether it is the last one that is. */
export function mailingOf(count: number): { mailed: boolean; last: boolean } {
  const { most } = MAILED_TO_ONE_SELLER
  return { mailed: count <= most, last: count === most }
}

/** `last`: whether this is the last email about a message within the hour (see `mailingOf`). */
type Receiver = { to: string; unsubscribeKey: string; last: boolean }

type Headline = { subject: string; opening: string }

function headlineOfBuyer(
  { name, title, asking }: MailedLead,
  { kind, price, until }: MailedMessage,
  isFirst: boolean,
): Headline {
  switch (kind) {
    case 'offer':
      return {
        subject: `Offer from ${name}: ${price} for ${title}`,
        opening: `${name} offers ${price} for ${title}${asking && `, listed at ${asking}`}. The offer is good until ${until}.`,
      }
    case 'accept':
      return {
        subject: `${name} accepts ${price} for ${title}`,
        opening: `${name} accepted your offer of ${price} for ${title}. Please hold the part until ${until}. The listing stays up: mark it as sold once they have paid.`,
      }
    case 'decline':
      return {
        subject: `${name} declined ${price} for ${title}`,
        opening: `${name} declined your offer of ${price} for ${title}. They can still make another offer.`,
      }
    default:
      return isFirst
        ? { subject: `Message from ${name}: ${title}`, opening: `${name} wrote to you about ${title}:` }
        : { subject: `Reply from ${name}: ${title}`, opening: `${name} wrote again about ${title}:` }
  }
}

/** Forwards a buyer's message to a member of the seller; a reply goes to the buyer. */
export function newMessageMail(
  lead: MailedLead,
  message: MailedMessage & { isFirst: boolean },
  { to, unsubscribeKey, last }: Receiver,
  site: MailSite,
): NewMail {
  const { name, email, phone } = lead
  const unsubscribing = { key: unsubscribeKey, kind: 'messageEmails' } as const
  const { subject, opening } = headlineOfBuyer(lead, message, message.isFirst)
  const answer =
    email === null
      ? `${name} left no email address. Call them at ${phone}.`
      : 'Reply to this email or in your inbox:'
  return {
    to,
    ...(email !== null && { replyTo: email }),
    subject,
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      opening,
      message.text && quote(message.text),
      [`Name: ${name}`, email && `Email: ${email}`, phone && `Phone: ${phone}`].filter(Boolean).join('\n'),
      `${answer}\n${site.publicUrl}/dashboard/seller/leads?lead=${lead.id}`,
      partLink(lead, site),
      last
        ? `You got ${MAILED_TO_ONE_SELLER.most} messages within an hour, so more will wait in your inbox without an email. Emails resume next hour.\n${site.publicUrl}/dashboard/seller/leads`
        : '',
      `${site.productName} sends these emails while "Email me about new messages" is on in your settings:\n${site.publicUrl}/dashboard/seller/account-settings\nStop these emails: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

type Answer = MailedMessage & {
  author: { name: string; email: string }
  sellerName: string
  /** Null if the seller does not show it. */
  sellerPhone: string | null
  /** The buyer's last message; with a price if it was an offer. */
  answering: { text: string; price: string }
  /** Token of a link that opens the conversation. */
  token: string
  unsubscribeKey: string
}

function headlineOfSeller(
  { title, canPay }: MailedLead,
  { kind, price, until, sellerName, sellerPhone }: Answer,
  { productName }: MailSite,
): Headline {
  switch (kind) {
    case 'offer':
      return {
        subject: `Counteroffer: ${price} for ${title}`,
        opening: `${sellerName} offers you ${title} for ${price} on ${productName}. The offer is good until ${until}.`,
      }
    case 'accept':
      return {
        subject: `Offer accepted: ${price} for ${title}`,
        opening: `${sellerName} accepted your offer of ${price} for ${title} on ${productName} and is holding the part for you until ${until}. ${arrange(sellerPhone, { canPay })}`,
      }
    case 'decline':
      return {
        subject: `Offer declined: ${price} for ${title}`,
        opening: `${sellerName} declined your offer of ${price} for ${title} on ${productName}. You can make another offer, or ask a question.`,
      }
    default:
      return {
        subject: `Re: ${title}`,
        opening: `${sellerName} replied to your message about ${title} on ${productName}:`,
      }
  }
}

const arrange = (phone: string | null, { canPay }: Pick<MailedLead, 'canPay'>): string =>
  canPay
    ? 'Pay on the page of the conversation, before then; nobody else can buy the part meanwhile.'
    : `${phone === null ? 'Write' : `Call ${phone} or write`} back to arrange pickup or shipping. You pay the seller directly.`

/**
 * Forwards a seller's message to the buyer, who answers through the link or by replying to the author. The first line
 * names the seller: anyone could enter a stranger's address at their own listing and write to it through us.
 */
export function answerMail(lead: MailedLead & { email: string }, answer: Answer, site: MailSite): NewMail {
  const { kind, text, author, sellerName, answering, token } = answer
  const unsubscribing = { key: answer.unsubscribeKey, kind: 'conversation' } as const
  const { subject, opening } = headlineOfSeller(lead, answer, site)
  return {
    to: lead.email,
    replyTo: author.email,
    subject,
    button: 'Open the conversation',
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      opening,
      // Without a note, the first line says it all.
      ...(text.trim() === ''
        ? []
        : [
            `Hello ${lead.name},`,
            text.trim(),
            author.name === sellerName ? author.name : `${author.name}\n${sellerName}`,
          ]),
      kind === 'offer'
        ? 'Accept, decline or make a counteroffer, no account needed:'
        : 'See the conversation and reply, no account needed:',
      `${site.publicUrl}/messages#${token}`,
      answered(answering),
      partLink(lead, site),
      `Stop emails about this conversation: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

function answered({ text, price }: Answer['answering']): string {
  const opening = price ? `You offered ${price}` : 'You wrote'
  if (text.trim() === '') return price && `${opening}.`
  return `${opening}:\n${quote(text)}`
}

type Agreed = Pick<Answer, 'price' | 'until' | 'sellerName' | 'sellerPhone' | 'token' | 'unsubscribeKey'>

/** For the buyer who accepted a counteroffer: what was agreed, until when, and what to do next. */
export function agreedMail(lead: MailedLead & { email: string }, agreed: Agreed, site: MailSite): NewMail {
  const { price, until, sellerName, sellerPhone, token } = agreed
  const unsubscribing = { key: agreed.unsubscribeKey, kind: 'conversation' } as const
  return {
    to: lead.email,
    subject: `You agreed on ${price} for ${lead.title}`,
    button: 'Open the conversation',
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      `You accepted the offer of ${sellerName} on ${site.productName}: ${price} for ${lead.title}. They are holding the part for you until ${until}. ${arrange(sellerPhone, lead)}`,
      'See the conversation and reply, no account needed:',
      `${site.publicUrl}/messages#${token}`,
      partLink(lead, site),
      `Stop emails about this conversation: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

/** For the buyer of an open conversation whose seller is gone. The part's page is gone, too. */
export function goneMail(
  lead: MailedLead & { email: string },
  { sellerName, token, unsubscribeKey }: Pick<Answer, 'sellerName' | 'token' | 'unsubscribeKey'>,
  site: MailSite,
): NewMail {
  const unsubscribing = { key: unsubscribeKey, kind: 'conversation' } as const
  return {
    to: lead.email,
    subject: `${sellerName} no longer sells on ${site.productName}`,
    button: 'See the conversation',
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      `${sellerName} no longer sells on ${site.productName}. You asked about ${lead.title}; please don't send money or drive there because of an answer you got here.`,
      'What was written stays here to read. Nobody would read another message:',
      `${site.publicUrl}/messages#${token}`,
      `Other sellers' parts:\n${site.publicUrl}/parts`,
      `Stop emails about this conversation: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

/** For the buyer of an accepted offer whose part is no longer for sale. */
export function offerEndedMail(
  lead: MailedLead & { email: string },
  { sellerName, token, unsubscribeKey }: Pick<Answer, 'sellerName' | 'token' | 'unsubscribeKey'>,
  site: MailSite,
): NewMail {
  const unsubscribing = { key: unsubscribeKey, kind: 'conversation' } as const
  return {
    to: lead.email,
    subject: `No longer for sale, you pay ${sellerName} nothing: ${lead.title}`,
    button: 'Open the conversation',
    unsubscribeUrl: unsubscribeUrl(site.publicUrl, unsubscribing),
    body: paragraphs([
      `${lead.title} is no longer for sale, so it is not held for you anymore. You pay nothing.`,
      'Ask the seller what happened, no account needed:',
      `${site.publicUrl}/messages#${token}`,
      `Other sellers' parts:\n${site.publicUrl}/parts`,
      `Stop emails about this conversation: ${unsubscribePage(site.publicUrl, unsubscribing)}`,
    ]),
  }
}

/**
 * Contains no text typed by the sender or the seller, who could be using us to advertise: `about` is in words of our
 * lookups.
 */
export function confirmMessageMail(
  { to, token, days, about }: { to: string; token: string; days: number; about: string | undefined },
  { publicUrl, productName }: MailSite,
): NewMail {
  return {
    to,
    subject: 'Confirm your email to get the seller’s reply',
    button: 'See the message and confirm',
    body: `Hello,

You messaged a seller on ${productName}${about ? ` about a ${about}` : ''}. Confirm your email and we'll forward the reply:

${publicUrl}/confirm-message#${token}

The seller has your message already. The link works for ${days} days.

If this wasn't you, ignore this email. We won't forward anything to you.

${productName}
`,
  }
}

function partLink({ slug }: MailedLead, { publicUrl }: MailSite): string {
  return slug === null ? '' : `The part: ${publicUrl}/parts/${encodeURIComponent(slug)}`
}
