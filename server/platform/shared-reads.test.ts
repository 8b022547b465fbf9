import { expect, test } from 'vitest'
import { openSharedReads } from './shared-reads.ts'

/** Reads that end when they are told to. */
function openReads() {
  const ends: ((answer: string) => void)[] = []
  const failures: ((error: Error) => void)[] = []
  const read = () =>
    new Promise<string>((resolve, reject) => {
      ends.push(resolve)
      failures.push(reject)
    })
  return { ends, failures, read }
}
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('who asks while a read runs shares the next one, which begins after they asked', async () => {
  const share = openSharedReads()
  const { ends, read } = openReads()
  const first = share('a', read)
  const second = share('a', read)
  const third = share('a', read)
  const other = share('b', read)
  expect(ends).toHaveLength(2)
  ends[0]?.('old')
  await turn()
  expect(ends).toHaveLength(3)
  ends[2]?.('new')
  ends[1]?.('other')
  expect(await Promise.all([first, second, third, other])).toEqual(['old', 'new', 'new', 'other'])
  const later = share('a', read)
  expect(ends).toHaveLength(4)
  ends[3]?.('later')
  expect(await later).toBe('later')
})

test('a read that fails fails for those who shared it, and not for those who wait', async () => {
  const share = openSharedReads()
  const { ends, failures, read } = openReads()
  const first = share('a', read)
  const second = share('a', read)
  failures[0]?.(new Error('lost'))
  await expect(first).rejects.toThrow('lost')
  await turn()
  ends[1]?.('well')
  expect(await second).toBe('well')
})
