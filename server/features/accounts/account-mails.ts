import type { NewMail } from '#server/features/mail/mail.ts'

const MINUTE_MS = 60_000

/** Long enough to find the mail, too short for whoever opens the mailbox tomorrow. */
export const LINK_MINUTES = 30
export const LINK_LIFETIME_MS = LINK_MINUTES * MINUTE_MS

/** A person asks again once or twice; more would be somebody filling another's mailbox. */
export const LINKS_AN_HOUR = 3
export const HOUR_MS = 60 * MINUTE_MS

/** What mails say of us. */
export type Letterhead = { productName: string; publicUrl: string; supportEmail: string }

// None of them names the person: anyone may register a stranger's address under a name that is an advertisement.

/** The token stands behind the `#`, which browsers send to nobody: no log and no referrer has it. */
export function resetLinkMail(
  { productName, publicUrl }: Letterhead,
  { to, token, device }: { to: string; token: string; device: string },
): NewMail {
  return {
    to,
    subject: `Choose a new password for ${productName}`,
    body: `Hello,

We were asked for a new password for your ${productName} account (${device}). Choose it here:

${publicUrl}/reset-password#${token}

The link works once, within ${LINK_MINUTES} minutes.

If it was not you, ignore this e-mail: your password stays as it is.

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

If it was you, there is nothing to do.

If it was not you, choose a new password right away at
${publicUrl}/forgot-password
or write to ${supportEmail}.

${productName}
`,
  }
}

/** Goes to the address that the account had until now: only there its owner reads it. */
export function emailChangedMail(
  letterhead: Letterhead,
  { former, email }: { former: string; email: string },
): NewMail {
  const { productName, supportEmail } = letterhead
  return {
    to: former,
    subject: `Your e-mail address was changed to ${email}`,
    body: `Hello,

Your ${productName} account now uses the e-mail address ${email}. Sign in with that one from now on; we no longer
write to this one.

If it was not you, write to ${supportEmail} right away, from this address, so that we can give your account back to you.

${productName}
`,
  }
}
