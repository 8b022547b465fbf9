import { expect, test } from 'vitest'
import { takeTurn } from './turns.ts'

function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until);
}

test('much work at once leaves turns to others in between', async () => {
  let others = 0
  let isDone = false
  const other = () => {
    others += 1
    if (!isDone) setImmediate(other)
  }
  setImmediate(other)
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      await takeTurn()
      work(12)
    }),
  )
  isDone = true
  expect(others).toBeGreaterThanOrEqual(7)
})

test('short work shares a turn', async () => {
  await new Promise<void>((resolve) => setImmediate(resolve))
  let turns = 0
  setImmediate(() => {
    turns += 1
  })
  await Promise.all(Array.from({ length: 8 }, takeTurn))
  expect(turns).toBe(0)
})
