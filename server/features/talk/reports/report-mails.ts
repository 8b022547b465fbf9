import type { NewMail } from '#server/features/talk/mail/mail.ts'

/* Emails about a reported listing. Text typed by strangers never comes before our own. */

export type ReportLetterhead = { productName: string; publicUrl: string; supportEmail: string }

type Reported = { title: string; slug: string }

const part = ({ slug }: Reported, { publicUrl }: ReportLetterhead) =>
  `${publicUrl}/parts/${encodeURIComponent(slug)}`

/** Asks whoever has the address whether the report is theirs. Says nothing that a stranger typed. */
export function confirmReportMail(
  { to, token, days }: { to: string; token: string; days: number },
  { productName, publicUrl }: ReportLetterhead,
): NewMail {
  return {
    to,
    subject: `Confirm your report on ${productName}`,
    button: 'Confirm report',
    body: `Someone reported a listing on ${productName} with this email address. If that was you, confirm it: confirmed reports
can stop a seller’s import.
${publicUrl}/confirm-report#${token}

The link works for ${days} days. If it wasn’t you, ignore this email.

${productName}
`,
  }
}

/** Sent to a person who reported a listing and left an address. */
export function answerMail(
  reported: Reported,
  { to, answer, state }: { to: string; answer: string; state: 'hidden' | 'public' | 'again' },
  letterhead: ReportLetterhead,
): NewMail {
  const { productName, supportEmail } = letterhead
  const link = part(reported, letterhead)
  const outcome = {
    hidden: 'The listing is no longer public.',
    public: `The listing: ${link}`,
    again: `The listing is public again: ${link}`,
  }[state]
  return {
    to,
    replyTo: supportEmail,
    subject: `Your report: ${reported.title}`,
    body: `Thank you for reporting ${reported.title}. We reviewed it.

${[answer, outcome].filter(Boolean).join('\n\n')}

${productName}
`,
  }
}

/** Sent to the people of a seller whose listing an administrator hid. */
export function hiddenMail(
  reported: Reported,
  { to, reasons, note }: { to: string; reasons: readonly string[]; note: string },
  { productName, publicUrl, supportEmail }: ReportLetterhead,
): NewMail {
  const why = reasons.length > 0 ? `\n\nWhat was reported: ${reasons.join('; ')}.` : ''
  return {
    to,
    replyTo: supportEmail,
    subject: `Hidden after a report: ${reported.title}`,
    body: `Buyers no longer see your listing ${reported.title}. It was reported, and an administrator hid it.${why}${note && `\n\nThe administrator’s note:\n${note}`}

Correct the listing, then reply to this email. We will look at it again.
${publicUrl}/dashboard/seller/products/auto-parts/${encodeURIComponent(reported.slug)}/edit

${productName}
`,
  }
}

export function restoredMail(reported: Reported, to: string, letterhead: ReportLetterhead): NewMail {
  return {
    to,
    subject: `Public again: ${reported.title}`,
    body: `Buyers see your listing ${reported.title} again.
${part(reported, letterhead)}

${letterhead.productName}
`,
  }
}
