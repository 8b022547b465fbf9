import { expect, test } from 'vitest'
import { openGatheredReads } from './gathered-reads.ts'

/** Reads that end when they are told to. */
function openReads(mostAtOnce = 16) {
  const asked: (readonly number[])[] = []
  const ends: (() => void)[] = []
  const failures: ((error: Error) => void)[] = []
  const gather = openGatheredReads<number, string>(mostAtOnce)
  const read = (all: readonly number[]) =>
    new Promise<string[]>((resolve, reject) => {
      asked.push(all)
      ends.push(() => resolve(all.map((one) => `page ${one}`)))
      failures.push(reject)
    })
  return { asked, ends, failures, ask: (key: string, one: number) => gather(key, one, read) }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while a read runs is read with all others who wait, after it', async () => {
  const { asked, ends, ask } = openReads()
  const answers = [ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 4)]
  expect(asked).toEqual([[1], [4]])
  ends[0]?.()
  await turn()
  expect(asked).toEqual([[1], [4], [2, 3]])
  // That read began before they asked.
  answers.push(ask('a', 5))
  ends[1]?.()
  ends[2]?.()
  await turn()
  ends[3]?.()
  expect(await Promise.all(answers)).toEqual(['page 1', 'page 2', 'page 3', 'page 4', 'page 5'])
  void ask('a', 6)
  expect(asked.slice(3)).toEqual([[5], [6]])
})

test('no more are read at once than may be', async () => {
  const { asked, ends, ask } = openReads(2)
  const answers = [1, 2, 3, 4].map((one) => ask('a', one))
  for (const at of [0, 1, 2]) {
    ends[at]?.()
    await turn()
  }
  expect(asked).toEqual([[1], [2, 3], [4]])
  expect(await Promise.all(answers)).toEqual(['page 1', 'page 2', 'page 3', 'page 4'])
})

test('a read that fails fails for those whom it was for, and not for those who wait', async () => {
  const { ends, failures, ask } = openReads()
  const first = ask('a', 1)
  const second = ask('a', 2)
  failures[0]?.(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  ends[1]?.()
  expect(await second).toBe('page 2')
})
