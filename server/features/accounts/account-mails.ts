import type { NewMail } from '#server/features/mail/mail.ts'
import { LINK_MINUTES } from './one-time-link.ts'

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

you asked for a new password for ${productName} (${device}). Choose it here:

${publicUrl}/reset-password#${token}

The link works once, within ${LINK_MINUTES} minutes.

If it was not you, do nothing: your password stays as it is.

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

the password of your ${productName} account was changed just now, and all other devices were signed out.

If it was you, there is nothing to do.

If it was not you, choose a new password at once on
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

your ${productName} account now belongs to the e-mail address ${email}. Sign in with that one from now on; no more
mail comes to this one.

If it was not you, write to ${supportEmail} at once, from this address. We give you the account back.

${productName}
`,
  }
}
