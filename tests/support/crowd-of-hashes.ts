import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { hashPassword } from '#server/features/accounts/passwords.ts'

// Two are computed, 200 stand in line.
const CROWD = 202

/** While the work runs the line before the password hashes is full; no hash comes to its end, so it stays so. */
export async function withCrowdOfHashes(work: () => Promise<unknown>): Promise<void> {
  const { argon2 } = crypto
  const held: (() => void)[] = []
  let over = false
  crypto.argon2 = (_algorithm, _parameters, callback) => {
    const end = () => callback(null, Buffer.alloc(32))
    if (over) end()
    else held.push(end)
  }
  syncBuiltinESMExports()
  const crowd = Array.from({ length: CROWD }, () => hashPassword('somebody else'))
  try {
    await work()
  } finally {
    over = true
    for (const end of held) end()
    await Promise.all(crowd)
    crypto.argon2 = argon2
    syncBuiltinESMExports()
  }
}
