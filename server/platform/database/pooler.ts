/*
 * PgBouncer in transaction mode gives each transaction another connection of the server. Statements prepared by name,
 * session settings and LISTEN do not survive that. Debian's version (1.18) also rejects settings sent at the start.
 */

const MARK = 'pooler'

/** The same address, for `openDatabase` to see that there is a pooler. */
export function behindPooler(url: string): string {
  const marked = new URL(url)
  marked.searchParams.set(MARK, 'transaction')
  return marked.href
}

export const isBehindPooler = (url: string): boolean => URL.parse(url)?.searchParams.has(MARK) ?? false
