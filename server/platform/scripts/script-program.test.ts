import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inOrder, type RangeFlags, recordRange } from './script-program.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const result of results) all.push(result)
  return all
}

/** Work that counts how much of it runs at the same time. */
function counted(ms: (item: number) => number) {
  const seen = { now: 0, most: 0, started: 0 }
  const work = async (item: number) => {
    seen.started += 1
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    await sleep(ms(item))
    seen.now -= 1
    return item
  }
  return { seen, work }
}

test.each([1, 2, 5, 100])('%i at a time, with results in order', async (concurrent) => {
  const { seen, work } = counted((item) => (item * 7) % 11)
  expect(await collect(inOrder(upTo(40), concurrent, work))).toEqual(upTo(40))
  expect(seen.most).toBe(Math.min(concurrent, 40))
})

test('a slow first item lets those behind it start, up to a limit', async () => {
  const first = Promise.withResolvers<void>()
  let started = 0
  const results = inOrder(upTo(1_000), 2, async (item) => {
    started += 1
    if (item === 0) await first.promise
    return item
  })
  const next = results.next()
  // All others finish in this turn of the event loop.
  await setImmediate()
  expect(started).toBe(8)
  first.resolve()
  expect(await next).toEqual({ done: false, value: 0 })
  await results.return(undefined)
})

test('an endless source is read only as far as results are taken', async () => {
  let read = 0
  function* endless() {
    for (;;) yield read++
  }
  const results = inOrder(endless(), 3, async (item) => item)
  for (const expected of upTo(10)) expect((await results.next()).value).toBe(expected)
  await results.return(undefined)
  expect(read).toBeLessThan(30)
})

test('a failure is thrown in its turn, nothing starts after it, and running work is awaited', async () => {
  const ended: number[] = []
  const started: number[] = []
  const results = inOrder(upTo(100), 3, async (item) => {
    started.push(item)
    await sleep(item === 3 ? 5 : 20)
    ended.push(item)
    if (item === 3) throw new Error('item 3')
    return item
  })
  const got: number[] = []
  const all = async () => {
    for await (const result of results) got.push(result)
  }
  await expect(all()).rejects.toThrow('item 3')
  expect(got).toEqual([0, 1, 2])
  expect(ended.toSorted()).toEqual(started.toSorted())
  expect(started.length).toBeLessThan(20)
})

test('no items', async () => {
  expect(await collect(inOrder([], 3, async (item) => item))).toEqual([])
})

test.each<[what: string, RangeFlags, total: number, range: [from: number, to: number]]>([
  ['no flags: all', {}, 10, [0, 10]],
  ['flags that are off', { test: false, start: undefined, end: undefined, limit: undefined }, 10, [0, 10]],
  ['no records', { start: 4, test: true }, 0, [0, 0]],
  ['start counts from 0', { start: 0 }, 10, [0, 10]],
  ['start', { start: 4 }, 10, [4, 10]],
  ['start at the last', { start: 9 }, 10, [9, 10]],
  ['start after the last', { start: 10 }, 10, [10, 10]],
  ['start far beyond the last', { start: 1_000 }, 10, [10, 10]],
  ['end is exclusive', { end: 4 }, 10, [0, 4]],
  ['end 0', { end: 0 }, 10, [0, 0]],
  ['end beyond the last', { end: 1_000 }, 10, [0, 10]],
  ['start and end', { start: 2, end: 5 }, 10, [2, 5]],
  ['end before start', { start: 5, end: 2 }, 10, [5, 5]],
  ['limit', { limit: 4 }, 10, [0, 4]],
  ['limit counts from start', { start: 3, limit: 4 }, 10, [3, 7]],
  ['limit within end', { start: 3, end: 9, limit: 2 }, 10, [3, 5]],
  ['limit beyond end', { start: 3, end: 5, limit: 4 }, 10, [3, 5]],
  ['test: the first 3', { test: true }, 10, [0, 3]],
  ['test: the first 3 of the range', { test: true, start: 5 }, 10, [5, 8]],
  ['test within limit', { test: true, limit: 2 }, 10, [0, 2]],
  ['test with a large limit', { test: true, limit: 100 }, 10, [0, 3]],
  ['test of fewer records', { test: true }, 2, [0, 2]],
])('%s', (_what, flags, total, [from, to]) => {
  expect(recordRange(flags, total)).toEqual({ from, to, count: to - from })
})
