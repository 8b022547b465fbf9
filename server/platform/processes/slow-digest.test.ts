import { afterEach, expect, test } from 'vitest'
import { COST, type DigestClass, digestThreads, slowDigest } from './slow-digest.ts'

const { compute } = digestThreads
afterEach(() => {
  digestThreads.compute = compute
})

const digest = (as: DigestClass, message = 'a secret') =>
  slowDigest(message, { cost: COST, salt: Buffer.alloc(16, 's'), tagBytes: 32, as })

/** Holds every digest until the test ends it, and lists the messages of those that were begun. */
function holdDigests() {
  const begun: string[] = []
  const ends: (() => void)[] = []
  digestThreads.compute = ({ message }) =>
    new Promise((resolve) => {
      begun.push(String(message))
      ends.push(() => resolve(Buffer.alloc(32)))
    })
  const endOldest = async () => {
    ends.shift()?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, endOldest }
}

test('a crowd of registrations leaves a thread free, and whoever signs in goes before it', async () => {
  const { begun, endOldest } = holdDigests()
  const all = [1, 2, 3].map((number) => digest('registration', `new ${number}`))
  all.push(...[1, 2, 3].map((number) => digest('sign-in', `known ${number}`)))
  await Promise.resolve()
  expect(begun).toEqual(['new 1', 'known 1'])
  for (let ended = 0; ended < 6; ended += 1) await endOldest()
  expect(begun).toEqual(['new 1', 'known 1', 'known 2', 'known 3', 'new 2', 'new 3'])
  await Promise.all(all)
})

test('a full line of registrations refuses the next with a time to retry, and nobody who signs in', async () => {
  const { begun, endOldest } = holdDigests()
  const crowd = Array.from({ length: 81 }, () => digest('registration'))
  await expect(digest('registration')).rejects.toMatchObject({ code: 'BUSY', retryAfterSeconds: 5 })
  const known = digest('sign-in', 'known')
  await expect.poll(() => begun).toContain('known')
  for (let ended = 0; ended < 82; ended += 1) await endOldest()
  await Promise.all([...crowd, known])
})

test('digests are computed in threads, and a digest that fails does not take its thread with it', async () => {
  const [one, other] = await Promise.all([digest('sign-in'), digest('sign-in', 'another secret')])
  expect(one).toHaveLength(32)
  expect(other.equals(one)).toBe(false)
  const wrong = { ...COST, message: 'x', nonce: Buffer.alloc(1), tagLength: 32 }
  await expect(compute(wrong)).rejects.toThrow('nonce')
  expect((await digest('registration')).equals(one)).toBe(true)
})
