import { isInsideHost } from '#server/platform/inside-address.ts'
import type { ReadValue } from './field-text.ts'
import { remembered } from './remembered.ts'
import type { ValueProblem } from './row-issue.ts'

const LONGEST = 2_000

const tooLong: ValueProblem = {
  code: 'TOO_LONG',
  message: `Picture address is too long (max ${LONGEST.toLocaleString('en-US')} characters)`,
}
const notAnAddress: ValueProblem = {
  code: 'INVALID_ADDRESS',
  message: 'Picture address begins with http:// or https:// and names a public web address',
}
const insideAddress: ValueProblem = {
  code: 'INSIDE_ADDRESS',
  message: 'Picture address leads into a private network. Use an address that everybody can open',
}

/** An address as files have them; anything odd goes the long way. */
const PLAIN_ADDRESS = /^(https?:\/\/[a-z0-9.-]+)(?:\/[!#-;=?-[\]_a-z~]*)?$/i

/**
 * A web address of a picture, of several the first, since a listing takes one from its file; whether its name leads inside all
 * the same is seen when it is fetched.
 */
export function pictureReader(): ReadValue {
  // The pictures of a yard lie on one or two hosts.
  const problemOf = remembered((origin: string) => hostProblem(origin) ?? '')
  return (cell) => {
    const text = cell.includes('http', 4) ? firstAddress(cell) : cell
    if (text.length > LONGEST) return tooLong
    const origin = PLAIN_ADDRESS.exec(text)?.[1]
    const problem = origin === undefined ? hostProblem(text) : problemOf(origin)
    return problem || text
  }
}

const isBetween = (mark: string | undefined): boolean => mark !== undefined && /[\s|;,]/.test(mark)

/** Of several addresses in a cell, with blanks or marks such as | between them, the first. */
function firstAddress(cell: string): string {
  const text = cell.slice(0, 2 * LONGEST)
  for (const { index } of text.matchAll(/https?:\/\//gi)) {
    let end = index
    while (end > 0 && isBetween(text[end - 1])) end -= 1
    if (end > 0 && end < index) return text.slice(0, end)
  }
  return cell
}

function hostProblem(address: string): ValueProblem | undefined {
  // What URL repairs silently (no slashes, a blank in the middle) is a slip of the one who typed it.
  const url = /^https?:\/\/[^\s/]\S*$/i.test(address) ? URL.parse(address) : undefined
  if (url?.username !== '') return notAnAddress
  return isInsideHost(url.hostname) ? insideAddress : undefined
}
