import { namesServerFolder } from './staging-path.ts'

// Dots that are drawn as one or two, and what decoders have taken for dots, slashes and backslashes.
const DOT = '[.\\u2024\\u2025\\u2026\\uff0e\\ufe52]'
const SEPARATOR = /[/\\+\u2044\u2215\u29f8\uff0f\uff3c]+/
const DOTS_ONLY = new RegExp(`^[\\s;]*${DOT}{2,}[\\s;]*$`)
const HIDDEN = new RegExp(`^\\s*${DOT}`)
const ENCODED = /%(?:[\da-f]{2}|u[\da-f]{4})/i
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u
const FOREIGN = /^[\s/+]*(?:[a-z][\w+.-]*:[/\\]|[a-z]:|~)/i

/**
 * Whether a path that was refused looks like a way out of its root and not like a slip of the keyboard: it goes up,
 * hides, is encoded or names another place. Only for the audit log; what is refused does not depend on it.
 */
export function isEscapeAttempt(typed: string): boolean {
  if (typed.includes('\\') || ENCODED.test(typed) || INVISIBLE.test(typed) || FOREIGN.test(typed)) return true
  return typed.split(SEPARATOR).some((segment) => DOTS_ONLY.test(segment) || HIDDEN.test(segment))
}

/** The same, and a folder of the server's own. */
export const looksLikeEscape = (typed: string): boolean =>
  isEscapeAttempt(typed) || namesServerFolder(`/${typed.trim().replace(/^[/+]+/, '')}`)
