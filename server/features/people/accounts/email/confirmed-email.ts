import type { Actor } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/errors.ts'

/**
 * Requires a confirmed address; until then, the owner may be anyone. `before` completes the error message.
 * @throws AppError EMAIL_UNCONFIRMED
 */
export function requireConfirmedEmail(actor: Actor, before: `before ${string}.`): void {
  if (actor.emailConfirmed) return
  throw new AppError(
    'EMAIL_UNCONFIRMED',
    `Open the link we emailed to ${actor.email} to confirm your address ${before} You can have it sent again in your account settings.`,
  )
}

const DAY_MS = 24 * 60 * 60_000
const LINKS_AFTER_DAYS = 7

/**
 * Returns why this person may not send links yet, or undefined if they may. Spam accounts are used in their first days.
 */
export function whyNoLinks(actor: Actor | undefined, now: Date): string | undefined {
  if (!actor) return 'Links are not allowed here. Remove the link and describe what you mean.'
  if (!actor.emailConfirmed) {
    return 'You can send links once your email address is confirmed and your account is 7 days old. Remove the link for now.'
  }
  const from = new Date(actor.registeredAt.getTime() + LINKS_AFTER_DAYS * DAY_MS)
  if (from <= now) return undefined
  const day = from.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })
  return `New accounts can send links after 7 days, from ${day} on. Remove the link for now.`
}
