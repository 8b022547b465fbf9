import { argon2 } from 'node:crypto'
import { waitingLine } from './waiting-line.ts'

/** Work of one digest; memory in KiB. */
export type Cost = { memory: number; passes: number; parallelism: number }

// The least that OWASP's password storage sheet asks of Argon2id. About 30 ms and 19 MiB on our smallest machine.
export const COST: Cost = { memory: 19_456, passes: 2, parallelism: 1 }

// Hashing runs on the four threads that also read files and look up names: two of them stay free for that, and a
// burst of sign-ins takes 38 MiB in all instead of 19 MiB each. 200 in line are about 3 s of work.
const inLine = waitingLine({ atOnce: 2, waiting: 200 })

/**
 * Argon2id of something that a person thought up and that could be guessed from a fast hash.
 * @throws AppError BUSY when a crowd is signing in
 */
export function slowDigest(
  message: string | Buffer,
  { cost, salt, tagBytes }: { cost: Cost; salt: Buffer; tagBytes: number },
): Promise<Buffer> {
  const parameters = { ...cost, message, nonce: salt, tagLength: tagBytes }
  return inLine(
    () =>
      new Promise<Buffer>((resolve, reject) => {
        argon2('argon2id', parameters, (error, tag) => (error ? reject(error) : resolve(tag)))
      }),
  )
}
