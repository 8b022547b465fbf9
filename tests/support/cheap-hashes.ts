import { afterAll, beforeAll } from 'vitest'
import { scryptCost } from '#server/platform/backup/sealed.ts'
import { digestThreads } from '#server/platform/processes/slow-digest.ts'

const { compute } = digestThreads
let isCheap = false

export const isHashingCheap = (): boolean => isCheap

/**
 * Lets the tests of this file compute Argon2 with the least memory and one pass: those that sign in hundreds of times
 * prove who has to wait, not what a hash costs. What a hash costs and looks like is proven by accounts.test.ts.
 */
export function hashCheaply(): void {
  beforeAll(() => {
    isCheap = true
    digestThreads.compute = (order) => compute({ ...order, memory: 8, passes: 1 })
  })
  afterAll(() => {
    isCheap = false
    digestThreads.compute = compute
  })
}

/** The same for the passphrases of backups, whose cost sealed.test.ts proves. */
export function sealCheaply(): void {
  const { log2N } = scryptCost
  beforeAll(() => {
    scryptCost.log2N = 4
  })
  afterAll(() => {
    scryptCost.log2N = log2N
  })
}
