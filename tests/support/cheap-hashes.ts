import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { afterAll, beforeAll } from 'vitest'

const { argon2 } = crypto
let isCheap = false

export const isHashingCheap = (): boolean => isCheap

/**
 * Lets the tests of this file compute Argon2 with the least memory and one pass: those that sign in hundreds of times
 * prove who has to wait, not what a hash costs. What a hash costs and looks like is proven by accounts.test.ts.
 */
export function hashCheaply(): void {
  beforeAll(() => {
    isCheap = true
    replace((algorithm, parameters, callback) =>
      argon2(algorithm, { ...parameters, memory: 8, passes: 1 }, callback),
    )
  })
  afterAll(() => {
    isCheap = false
    replace(argon2)
  })
}

function replace(by: typeof argon2): void {
  crypto.argon2 = by
  syncBuiltinESMExports()
}
