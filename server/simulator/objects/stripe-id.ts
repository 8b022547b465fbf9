import { randomBytes } from 'node:crypto'

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

// As long as Stripe's own, so that whatever stores one proves that there is room for it.
const LENGTHS = {
  cus: 14,
  cs_test: 58,
  sub: 24,
  si: 14,
  in: 24,
  il: 24,
  acct: 16,
  evt: 24,
  bps: 24,
  req: 14,
  li: 24,
}

/** An id as Stripe writes it: what it is, then letters that nobody guesses. */
export function newId(prefix: keyof typeof LENGTHS): string {
  return `${prefix}_${randomLetters(LENGTHS[prefix])}`
}

/** The secret part of a page's address. */
export function newToken(): string {
  return randomLetters(40)
}

function randomLetters(length: number): string {
  // 62 of 256 values: the first letters come a little more often, which costs 0.02 bits each.
  return Array.from(randomBytes(length), (byte) => LETTERS[byte % LETTERS.length]).join('')
}
