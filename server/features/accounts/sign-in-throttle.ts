import { createHash } from 'node:crypto'
import { networkOf } from '#server/platform/net/addresses.ts'

/**
 * How often a wrong password may be tried: the `allowed`-th failure brings the first wait, each further one doubles
 * it. The longest wait bounds what a stranger can do to an account's owner: nobody is ever locked out for good.
 */
export type ThrottleRule = { key: string; allowed: number }

/** A person who mistypes needs three tries or four. */
const ALLOWED_FOR_ACCOUNT = 5
/** Behind one address there may be an office; and one address may be trying one password on many accounts. */
const ALLOWED_FOR_ADDRESS = 20
export const FIRST_WAIT_SECONDS = 10
export const LONGEST_WAIT_SECONDS = 15 * 60
/** After a day without a failure the counting starts afresh. */
export const FORGET_MS = 24 * 60 * 60_000

/**
 * What one attempt counts against: the account as tried from this address, and the address. In this order, so that
 * two attempts which share an address cannot wait for each other. E-mails are kept as hashes: people type their
 * password into the wrong field.
 */
export function throttleRules(email: string, ip: string): [account: ThrottleRule, address: ThrottleRule] {
  const network = networkOf(ip)
  return [
    { key: `${throttlePrefix(email)}${network}`, allowed: ALLOWED_FOR_ACCOUNT },
    { key: `address:${network}`, allowed: ALLOWED_FOR_ADDRESS },
  ]
}

/** How the keys of an account begin, from whatever address it was tried. */
export function throttlePrefix(email: string): string {
  return `account:${createHash('sha256').update(email.toLowerCase()).digest('base64url')}:`
}
