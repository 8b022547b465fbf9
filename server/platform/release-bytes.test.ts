import { expect, test } from 'vitest'
import { releaseBytes } from './release-bytes.ts'

test('memory is given back at once, and once only', () => {
  const bytes = Buffer.alloc(1_000_000, 'x')
  const before = process.memoryUsage().arrayBuffers
  const piece = bytes.subarray(10, 20)
  releaseBytes(bytes)
  releaseBytes(piece)
  expect(before - process.memoryUsage().arrayBuffers).toBeGreaterThan(900_000)
  expect([bytes.length, piece.length]).toEqual([0, 0])
})

test('small bytes share their memory with others, which stay', () => {
  const [one, other] = [Buffer.from('one'), Buffer.from('other')]
  releaseBytes(one)
  expect([one.toString(), other.toString()]).toEqual(['one', 'other'])
})
