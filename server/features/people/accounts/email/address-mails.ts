import type { Letterhead } from '#server/features/people/accounts/account-mails.ts'
import type { NewMail } from '#server/features/talk/mail/mail.ts'

/* Emails with links for an account's addresses. None greets by name: see account-mails.ts. */

/** Long enough for someone who registers at work and reads mail at home on the weekend. */
export const CONFIRM_DAYS = 7
/** A person who changes the address is at the screen; an old link must not change an account much later. */
export const CHANGE_HOURS = 24
export const RESTORE_DAYS = 7

type Link = { to: string; token: string }

export function confirmMail({ productName, publicUrl }: Letterhead, { to, token }: Link): NewMail {
  return {
    to,
    subject: `Confirm your email address for ${productName}`,
    button: 'Confirm email address',
    body: `Hello,

Someone opened a ${productName} account with this email address. If it was you, confirm the address here:

${publicUrl}/confirm-email#${token}

Until then you can list parts, but not import files or email buyers. The link works for ${CONFIRM_DAYS} days.

If this wasn't you, ignore this email.

${productName}
`,
  }
}

/** Sent to the new address. */
export function changeMail({ productName, publicUrl }: Letterhead, { to, token }: Link): NewMail {
  return {
    to,
    subject: `Confirm your new email address for ${productName}`,
    button: 'Confirm new email address',
    body: `Hello,

Someone asked to use this email address for their ${productName} account. If it was you, confirm it here:

${publicUrl}/confirm-email#${token}

Your account uses its current address until then. The link works once and expires in ${CHANGE_HOURS} hours.

If this wasn't you, ignore this email. Nothing will change.

${productName}
`,
  }
}

type Change = Link & { email: string }

/** Sent to the current address when a change is requested. */
export function changeAskedMail({ productName, publicUrl }: Letterhead, change: Change): NewMail {
  return {
    to: change.to,
    subject: `Someone asked to change your email address to ${change.email}`,
    button: 'Keep this address',
    body: `Hello,

Someone who knows the password of your ${productName} account asked to change its email address to ${change.email}.
The change takes effect when that address is confirmed.

If this was you, there is nothing to do here.

If this wasn't you, keep your address, sign out everyone and choose a new password here:

${publicUrl}/restore-email#${change.token}

${productName}
`,
  }
}

/** Sent to the former address: if someone else made the change, only that address still reaches the owner. */
export function emailChangedMail(letterhead: Letterhead, change: Change): NewMail {
  const { productName, publicUrl, supportEmail } = letterhead
  return {
    to: change.to,
    subject: `Your email address was changed to ${change.email}`,
    button: 'Restore this address',
    body: `Hello,

Your ${productName} account now uses the email address ${change.email}. Sign in with it from now on.

If this wasn't you, restore this address, sign out everyone and choose a new password here:

${publicUrl}/restore-email#${change.token}

The link works for ${RESTORE_DAYS} days. If it has expired, write to ${supportEmail} from this address.

${productName}
`,
  }
}
