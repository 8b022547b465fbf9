import { hashPassword } from '#server/features/accounts/passwords.ts'
import { type DigestClass, digestThreads } from '#server/platform/processes/slow-digest.ts'

/** What is computed and stands in line when the line is full. */
const CROWDS: Record<DigestClass, number> = { 'sign-in': 202, registration: 81 }

/** While the work runs the line before the password hashes is full; no hash comes to its end, so it stays so. */
export async function withCrowdOfHashes(
  work: () => Promise<unknown>,
  as: DigestClass = 'sign-in',
): Promise<void> {
  const { compute } = digestThreads
  const over = Promise.withResolvers<Buffer>()
  digestThreads.compute = () => over.promise
  const crowd = Array.from({ length: CROWDS[as] }, () => hashPassword('somebody else', as))
  try {
    await work()
  } finally {
    over.resolve(Buffer.alloc(32))
    await Promise.all(crowd)
    digestThreads.compute = compute
  }
}
