import type { NewMail } from '#server/features/mail/mail.ts'

const MINUTE_MS = 60_000

/** Long enough to find the email, too short for someone who opens the mailbox tomorrow. */
export const LINK_MINUTES = 30
export const LINK_LIFETIME_MS = LINK_MINUTES * MINUTE_MS

/** A person asks again once or twice; more would be someone flooding another person's mailbox. */
export const LINKS_AN_HOUR = 3
export const HOUR_MS = 60 * MINUTE_MS

export type Letterhead = { productName: string; publicUrl: string; supportEmail: string }

// No email greets the person by name: anyone could register a stranger's address under a name that is an advertisement.

/** The token comes after the `#`, which browsers never send: it appears in no log and no referrer. */
export function resetLinkMail(
  { productName, publicUrl }: Letterhead,
  { to, token, device }: { to: string; token: string; device: string },
): NewMail {
  return {
    to,
    subject: `Choose a new password for ${productName}`,
    button: 'Choose a new password',
    body: `Hello,

Someone asked to reset the password of your ${productName} account (${device}). Choose a new password here:

${publicUrl}/reset-password#${token}

The link works once and expires in ${LINK_MINUTES} minutes.

If this wasn't you, ignore this email. Your password won't change.

${productName}
`,
  }
}

export function passwordChangedMail(letterhead: Letterhead, to: string): NewMail {
  const { productName, publicUrl, supportEmail } = letterhead
  return {
    to,
    subject: 'Your password was changed',
    body: `Hello,

The password of your ${productName} account was just changed, and all other devices were signed out.

If this was you, there is nothing to do.

If this wasn't you, choose a new password right away at
${publicUrl}/forgot-password
or write to ${supportEmail}.

${productName}
`,
  }
}
