import type { NewMail } from '#server/features/talk/mail/mail.ts'

const MINUTE_MS = 60_000

/** Long enough to find the email, too short for someone who gets into the mailbox tomorrow. */
export const LINK_MINUTES = 30
export const LINK_LIFETIME_MS = LINK_MINUTES * MINUTE_MS

/** The link alone signs in, so it is valid only as long as opening the mailbox takes. */
export const SIGN_IN_LINK_MINUTES = 10

/**
 * Of the links in a mailbox, the newest that work. A new one is always mailed, since the last ones may be those that strangers
 * asked for.
 */
export const LINKS_OPEN = 3

export const HOUR_MS = 60 * MINUTE_MS

export type Letterhead = { productName: string; publicUrl: string; supportEmail: string }

// No email greets the person by name: anyone could register a stranger's address under a name that is an advertisement.

/** The token comes after the `#`, which browsers never send, so it appears in no log or referrer. */
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

/**
 * The token comes after the `#`, and only the page's button uses it, so that programs that scan links in emails do not
 * use it up.
 */
export function signInLinkMail(
  { productName, publicUrl }: Letterhead,
  { to, token, device }: { to: string; token: string; device: string },
): NewMail {
  return {
    to,
    subject: `Sign in to ${productName}`,
    button: 'Sign in',
    body: `Hello,

Someone asked for a link to sign in to your ${productName} account (${device}). Open it on the device where you want to
sign in:

${publicUrl}/sign-in-link#${token}

The link works once and expires in ${SIGN_IN_LINK_MINUTES} minutes. Don't forward this email: the link signs in anyone.

If this wasn't you, ignore this email.

${productName}
`,
  }
}

export function guessingWarningMail(
  { productName, publicUrl, supportEmail }: Letterhead,
  to: string,
): NewMail {
  return {
    to,
    subject: 'Someone is guessing your password',
    body: `Hello,

Someone tried many wrong passwords for your ${productName} account. None of them was right, and we stopped checking them.

Devices you used before still sign in as always. On any other device, use a passkey or a recovery code beside your
password, or ask for a sign-in link:
${publicUrl}/sign-in-link

This ends once nobody has tried for a day. If your password is short or you use it elsewhere, change it in Account settings. Questions? Write to ${supportEmail}.

${productName}
`,
  }
}

/** An API token that ended with the sessions of its account. Without its name, which an intruder may have chosen. */
export type EndedToken = { ending: string; createdAt: Date; lastUsedAt: Date | null }

const inWords = (day: Date) => day.toLocaleDateString('en-US', { dateStyle: 'medium', timeZone: 'UTC' })

const endedInWords = ({ ending, createdAt, lastUsedAt }: EndedToken) =>
  `- ending in ${ending}, ${lastUsedAt ? `last used ${inWords(lastUsedAt)}` : 'never used'}, created ${inWords(createdAt)}`

/** Names what stops; empty without tokens. */
export const endedParagraph = (ended: readonly EndedToken[]): string =>
  ended.length === 0
    ? ''
    : `
These API tokens no longer work. Whatever used them has stopped until you create new ones in Account settings:
${ended.map(endedInWords).join('\n')}
`

export function passwordChangedMail(
  letterhead: Letterhead,
  { to, ended }: { to: string; ended: readonly EndedToken[] },
): NewMail {
  const { productName, publicUrl, supportEmail } = letterhead
  return {
    to,
    subject: 'Your password was changed',
    body: `Hello,

The password of your ${productName} account was just changed, and all other devices were signed out.
${endedParagraph(ended)}
If this was you, there is nothing to do.

If this wasn't you, choose a new password right away at
${publicUrl}/forgot-password
or write to ${supportEmail}.

${productName}
`,
  }
}
