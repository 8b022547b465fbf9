import { randomBytes, timingSafeEqual } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { COST, type Cost, type DigestClass, slowDigest } from '#server/platform/processes/slow-digest.ts'

// The cost is written into every hash, so raising it upgrades people as they sign in.
const SALT_BYTES = 16
const TAG_BYTES = 32

/**
 * Hashes a password to a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. The password is hashed exactly as sent:
 * not trimmed, cut or normalized. Registrations wait behind sign-ins.
 * @throws AppError BUSY when too many people sign in at once, as does `verifyPassword`
 */
export async function hashPassword(plain: string, as: DigestClass = 'sign-in'): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phcString(COST, salt, await slowDigest(plain, { cost: COST, salt, tagBytes: TAG_BYTES, as }))
}

/** False for an unreadable hash. Takes as long as `hashPassword`. */
export async function verifyPassword(plain: string, phc: string): Promise<boolean> {
  const stored = readPhc(phc)
  if (!stored) return false
  const { cost, salt, tag } = stored
  return timingSafeEqual(await slowDigest(plain, { cost, salt, tagBytes: tag.length, as: 'sign-in' }), tag)
}

/** Whether the hash was made at another cost than today's. */
export function needsRehash(phc: string): boolean {
  const cost = readPhc(phc)?.cost
  return cost?.memory !== COST.memory || cost.passes !== COST.passes || cost.parallelism !== COST.parallelism
}

/**
 * A hash that matches no password and takes as long to check as a real one: an unknown email is checked against it,
 * so that response times don't reveal who has an account.
 */
export const unmatchableHash = phcString(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))

function phcString({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toUnpaddedBase64(salt)}$${toUnpaddedBase64(tag)}`
}

const PHC =
  /^\$argon2id\$v=19\$m=(?<memory>\d+),t=(?<passes>\d+),p=(?<parallelism>\d+)\$(?<salt>[A-Za-z0-9+/]{11,})\$(?<tag>[A-Za-z0-9+/]{22,})$/

function readPhc(phc: string): { cost: Cost; salt: Buffer; tag: Buffer } | undefined {
  const parts = PHC.exec(phc)?.groups
  if (!parts) return undefined
  return {
    cost: {
      memory: Number(parts.memory),
      passes: Number(parts.passes),
      parallelism: Number(parts.parallelism),
    },
    salt: Buffer.from(parts.salt ?? '', 'base64'),
    tag: Buffer.from(parts.tag ?? '', 'base64'),
  }
}

/** Base64 without the trailing `=`, as the PHC string format wants it. */
function toUnpaddedBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** Words that a password must not consist of. */
export type PasswordOwner = { name: string; email: string; productName: string }

const LEAST_CHARACTERS = 8
/** "aaaaaaaa", "abababab", "12121212". */
const LEAST_DIFFERENT = 4
/** Shorter words ("al", "jo") occur in half of all sentences. */
const LEAST_WORD = 3

// About 49,000 common passwords in lower case, bundled so that no password is sent to another service.
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/**
 * Returns why a password is easy to guess and what to do instead, or undefined if it is good enough. There are no
 * composition rules: any 8 characters that nobody would try first are fine.
 */
export function passwordProblem(plain: string, owner: PasswordOwner): string | undefined {
  const lower = plain.toLowerCase()
  const remaining = ownWords(owner).reduce((rest, word) => rest.replaceAll(word, ''), lower)
  if (commonPasswords.has(lower) || commonPasswords.has(remaining)) {
    return 'This password is easy to guess. A few unrelated words make a better one.'
  }
  if (new Set(lower).size < LEAST_DIFFERENT) {
    return 'This password repeats too few characters. A few unrelated words make a better one.'
  }
  if (remaining !== lower && [...remaining].length < LEAST_CHARACTERS) {
    return `This password is too close to your name, your email address or ${owner.productName}. Add a few unrelated words.`
  }
  return undefined
}

/** Words that someone who knows the person would try, longest first, so that none is missed inside another. */
function ownWords({ name, email, productName }: PasswordOwner): string[] {
  const [mailbox = '', domain = ''] = email.split('@')
  const provider = domain.split('.').slice(0, -1).join(' ')
  const apart = productName.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
  const words = [name, email, mailbox, provider, productName, apart].flatMap((text) => [
    text,
    text.replace(/[^\p{L}\p{N}]+/gu, ''),
    ...text.split(/[^\p{L}\p{N}]+/u),
  ])
  return [...new Set(words.map((word) => word.toLowerCase()))]
    .filter((word) => word.length >= LEAST_WORD)
    .sort((a, b) => b.length - a.length)
}
