import { isLoopback } from '#server/platform/setting.ts'

/**
 * Whether a request knows this program by a name of its own, as its Host header tells. A foreign page whose name was made
 * to lead here could otherwise read the outbox, with its links for new passwords, in the browser of whoever visits it.
 */
export function isOurName(host: string | undefined, publicUrl: string): boolean {
  const name = /^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?$/i.exec(host ?? '')?.[1]?.toLowerCase()
  if (name === undefined) return false
  return isLoopback(name.replace(/^\[|\]$/g, '')) || name === new URL(publicUrl).hostname
}
