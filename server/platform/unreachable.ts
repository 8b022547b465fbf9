/** Node's codes for a server that cannot be reached, or that broke the connection off. */
const CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
])

/** Is this the `code` of a failure of the network? Such a call is worth trying again. */
export function isUnreachable(code: unknown): boolean {
  return typeof code === 'string' && CODES.has(code)
}
