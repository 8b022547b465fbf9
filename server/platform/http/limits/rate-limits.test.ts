import { expect, test } from 'vitest'
import { openBatchedCalls } from './rate-limits.ts'

/** Reads that finish on command. */
function batchedCalls(mostAtOnce = 16) {
  const asked: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const failures: ((error: Error) => void)[] = []
  const gather = openBatchedCalls<number, string>(mostAtOnce)
  const read = (all: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      asked.push(all)
      ends.push(() => resolve(all.map((one) => `page ${one}`)))
      failures.push(reject)
    })
  return { asked, ends, failures, ask: (key: string, one: number) => gather(key, one, read) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('requests made during a read are read together after it', async () => {
  const { asked, ends, ask } = batchedCalls()
  const answers = [ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 4)]
  expect(asked).toEqual([[1], [4]])
  ends[0]?.()
  await turn()
  expect(asked).toEqual([[1], [4], [2, 3]])
  // That read started before this request.
  answers.push(ask('a', 5))
  ends[1]?.()
  ends[2]?.()
  await turn()
  ends[3]?.()
  expect(await Promise.all(answers)).toEqual(['page 1', 'page 2', 'page 3', 'page 4', 'page 5'])
  void ask('a', 6)
  expect(asked.slice(3)).toEqual([[5], [6]])
})

test('a read takes no more than the maximum', async () => {
  const { asked, ends, ask } = batchedCalls(2)
  const answers = [1, 2, 3, 4].map((one) => ask('a', one))
  for (const at of [0, 1, 2]) {
    ends[at]?.()
    await turn()
  }
  expect(asked).toEqual([[1], [2, 3], [4]])
  expect(await Promise.all(answers)).toEqual(['page 1', 'page 2', 'page 3', 'page 4'])
})

test('a failed read rejects its own requests, not those waiting for the next', async () => {
  const { ends, failures, ask } = batchedCalls()
  const first = ask('a', 1)
  const second = ask('a', 2)
  failures[0]?.(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  ends[1]?.()
  expect(await second).toBe('page 2')
})
