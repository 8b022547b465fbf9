import { digestThreads } from '#server/platform/processes/slow-digest.ts'

/**
 * How many Argon2 hashes the process computes while the work runs: what a password check costs cannot be measured in
 * milliseconds on a machine that is busy with other tests.
 */
export async function countHashes(work: () => Promise<unknown>): Promise<number> {
  const { compute } = digestThreads
  let count = 0
  digestThreads.compute = (order) => {
    count += 1
    return compute(order)
  }
  try {
    await work()
    return count
  } finally {
    digestThreads.compute = compute
  }
}
