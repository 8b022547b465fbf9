import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * How many Argon2 hashes the process computes while the work runs: what a password check costs cannot be measured in
 * milliseconds on a machine that is busy with other tests.
 */
export async function countHashes(work: () => Promise<unknown>): Promise<number> {
  const { argon2 } = crypto
  let count = 0
  crypto.argon2 = (...given) => {
    count += 1
    argon2(...given)
  }
  syncBuiltinESMExports()
  try {
    await work()
    return count
  } finally {
    crypto.argon2 = argon2
    syncBuiltinESMExports()
  }
}
