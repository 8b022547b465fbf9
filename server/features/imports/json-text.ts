import { refuseUnreadableText } from '#server/platform/http/readable-text.ts'

/**
 * An object that came as JSON text or as itself; undefined where it is neither.
 * @throws AppError MALFORMED for what cannot be stored: the text of a form was looked at before its escapes were read
 */
export function objectOf(sent: unknown): Record<string, unknown> | undefined {
  const value = typeof sent === 'string' ? parsed(sent) : sent
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
  refuseUnreadableText(value)
  return value as Record<string, unknown>
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
