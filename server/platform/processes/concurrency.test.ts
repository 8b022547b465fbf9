import { expect, test } from 'vitest'
import { releaseBytes, taskQueue } from './concurrency.ts'

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

test('no more tasks run at once than allowed, and they run in order', async () => {
  const inLine = taskQueue({ atOnce: 2, waiting: 18 })
  const begun: number[] = []
  let running = 0
  let most = 0
  const all = Array.from({ length: 20 }, (_, number) =>
    inLine(async () => {
      begun.push(number)
      running += 1
      most = Math.max(most, running)
      await soon()
      running -= 1
      return number
    }),
  )
  expect(await Promise.all(all)).toEqual(Array.from({ length: 20 }, (_, number) => number))
  expect(begun).toEqual(Array.from({ length: 20 }, (_, number) => number))
  expect(most).toBe(2)
})

test('a failed task gives its place to the next', async () => {
  const inLine = taskQueue({ atOnce: 1, waiting: 1 })
  const failing = inLine(() => Promise.reject(new Error('no')))
  const next = inLine(() => Promise.resolve('done'))
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('done')
})

test('a full line rejects with a time to retry', async () => {
  const inLine = taskQueue({ atOnce: 1, waiting: 1 })
  const served = [inLine(soon), inLine(soon)]
  await expect(inLine(soon)).rejects.toMatchObject({ code: 'BUSY', retryAfterSeconds: expect.any(Number) })
  await Promise.all(served)
  await expect(inLine(soon)).resolves.toBeUndefined()
})

test('memory is freed immediately, and only once', () => {
  const bytes = Buffer.alloc(1_000_000, 'x')
  const before = process.memoryUsage().arrayBuffers
  const piece = bytes.subarray(10, 20)
  releaseBytes(bytes)
  releaseBytes(piece)
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(900_000)
  expect([bytes.length, piece.length]).toEqual([0, 0])
})

test('small buffers share their memory with others, which survive', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  releaseBytes(one)
  expect([one.toString(), other.toString()]).toEqual(['one', 'other'])
})
