import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { waitingLine } from '#server/platform/waiting-line.ts'

/** Work of one hash; memory in KiB. Written into every hash, so raising it here upgrades people as they sign in. */
type Cost = { memory: number; passes: number; parallelism: number }

// The least that OWASP's password storage sheet asks of Argon2id. About 30 ms and 19 MiB on our smallest machine.
const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

// Hashing runs on the four threads that also read files and look up names: two of them stay free for that, and a
// burst of sign-ins takes 38 MiB in all instead of 19 MiB each. 200 in line are about 3 s of work.
const inLine = waitingLine({ atOnce: 2, waiting: 200 })

/**
 * Hash of a password as a PHC string, `$argon2id$v=19$m=19456,t=2,p=1$salt$tag`. The password counts exactly as it
 * was sent: nothing is trimmed, cut or normalised.
 * @throws AppError BUSY when a crowd is signing in, as does `verifyPassword`
 */
export async function hashPassword(plain: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  return phcString(COST, salt, await digest(plain, { cost: COST, salt, tagBytes: TAG_BYTES }))
}

/** Is this the password behind the hash? A hash that cannot be read is nobody's. Takes as long as `hashPassword`. */
export async function verifyPassword(plain: string, phc: string): Promise<boolean> {
  const stored = readPhc(phc)
  if (!stored) return false
  const { cost, salt, tag } = stored
  return timingSafeEqual(await digest(plain, { cost, salt, tagBytes: tag.length }), tag)
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

function digest(plain: string, { cost, salt, tagBytes }: { cost: Cost; salt: Buffer; tagBytes: number }) {
  const parameters = { ...cost, message: plain, nonce: salt, tagLength: tagBytes }
  return inLine(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
}

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
