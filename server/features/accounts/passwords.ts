import { randomBytes, timingSafeEqual } from 'node:crypto'
import { dictionary } from '@zxcvbn-ts/language-common'
import { COST, type Cost, slowDigest } from '#server/platform/processes/concurrency.ts'

// The cost is written into every hash, so raising it upgrades people as they sign in.
const SALT_BYTES = 16
const TAG_BYTES = 32

/**
 * Hash of a password as a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. The password counts exactly as it
 * was sent: nothing is trimmed, cut or normalised.
 * @throws AppError BUSY when a crowd is signing in, as does `verifyPassword`
 */
export async function hashPassword(plain: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phcString(COST, salt, await slowDigest(plain, { cost: COST, salt, tagBytes: TAG_BYTES }))
}

/** Is this the password behind the hash? A hash that cannot be read is nobody's. Takes as long as `hashPassword`. */
export async function verifyPassword(plain: string, phc: string): Promise<boolean> {
  const stored = readPhc(phc)
  if (!stored) return false
  const { cost, salt, tag } = stored
  return timingSafeEqual(await slowDigest(plain, { cost, salt, tagBytes: tag.length }), tag)
}

/** Was the hash made with less (or other) work than a new one would be? */
export function needsRehash(phc: string): boolean {
  const cost = readPhc(phc)?.cost
  return cost?.memory !== COST.memory || cost.passes !== COST.passes || cost.parallelism !== COST.parallelism
}

/**
 * A hash that no password fits and that costs as much to check as a real one: an unknown e-mail is checked against
 * it, so that the time of an answer does not tell who has an account.
 */
export const nobodysHash = phcString(COST, randomBytes(SALT_BYTES), randomBytes(TAG_BYTES))

function phcString({ memory, passes, parallelism }: Cost, salt: Buffer, tag: Buffer): string {
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
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

/** Base64 as the PHC string format has it: without `=` at the end. */
function unpadded(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '')
}

/** What a password must not be made of. */
export type PasswordOwner = { name: string; email: string; productName: string }

const LEAST_CHARACTERS = 8
/** "aaaaaaaa", "abababab", "12121212". */
const LEAST_DIFFERENT = 4
/** Shorter words ("al", "jo") are in half of all sentences. */
const LEAST_WORD = 3

// About 49,000, lower case, most used first. They are what is tried first, and they are here: nothing is looked up
// elsewhere.
const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common'])

/**
 * Why a password would be guessed, as a sentence that says what to do instead; undefined for one that will do. There
 * is no rule of composition: any 8 characters that nobody would try first are good.
 */
export function passwordProblem(plain: string, owner: PasswordOwner): string | undefined {
  const lower = plain.toLowerCase()
  const remaining = ownWords(owner).reduce((rest, word) => rest.replaceAll(word, ''), lower)
  if (commonPasswords.has(lower) || commonPasswords.has(remaining)) {
    return 'This password is one of the first that would be guessed. A few unrelated words make a better one.'
  }
  if (new Set(lower).size < LEAST_DIFFERENT) {
    return 'This password repeats too few characters. A few unrelated words make a better one.'
  }
  if (remaining !== lower && [...remaining].length < LEAST_CHARACTERS) {
    return `This password is too close to your name, your e-mail address or ${owner.productName}. Add a few unrelated words.`
  }
  return undefined
}

/** The words that anyone who knows the person would try; long ones first, so that none hides inside another. */
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
