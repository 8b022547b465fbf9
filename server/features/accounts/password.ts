import { randomBytes, timingSafeEqual } from 'node:crypto'
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
