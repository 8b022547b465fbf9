import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { inOrder } from './in-order.ts'

const upTo = (count: number) => Array.from({ length: count }, (_, n) => n)

async function collect<T>(results: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const result of results) all.push(result)
  return all
}

/** Work that counts how much of it runs at one time. */
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

test.each([1, 2, 5, 100])('%i at one time, results in order', async (concurrent) => {
  const { seen, work } = counted((item) => (item * 7) % 11)
  expect(await collect(inOrder(upTo(40), concurrent, work))).toEqual(upTo(40))
  expect(seen.most).toBe(Math.min(concurrent, 40))
})

test('a slow first item does not hold up those behind it, but not without end', async () => {
  const first = Promise.withResolvers<void>()
  let started = 0
  const results = inOrder(upTo(1_000), 2, async (item) => {
    started += 1
    if (item === 0) await first.promise
    return item
  })
  const next = results.next()
  // All others end in this turn of the event loop.
  await setImmediate()
  expect(started).toBe(8)
  first.resolve()
  expect(await next).toEqual({ done: false, value: 0 })
  await results.return(undefined)
})

test('an endless source is read as far as results are taken', async () => {
  let read = 0
  function* endless() {
    for (;;) yield read++
  }
  const results = inOrder(endless(), 3, async (item) => item)
  for (const expected of upTo(10)) expect((await results.next()).value).toBe(expected)
  await results.return(undefined)
  expect(read).toBeLessThan(30)
})

test('a failure comes in its turn, nothing is started after it, and what runs is waited for', async () => {
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
