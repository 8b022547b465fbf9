import { expect, test } from 'vitest'
import type { RowPair } from '#server/features/promotion/expected-pair.ts'
import { RowPairs } from './row-pairs.ts'

const hex = (value: number) => value.toString(16).padStart(32, '0')

function unpacked(batch: Buffer): RowPair[] {
  return Array.from({ length: batch.length / 32 }, (_, at) => ({
    key: batch.toString('hex', at * 32, at * 32 + 16),
    hash: batch.toString('hex', at * 32 + 16, at * 32 + 32),
  }))
}

const keyOf = (first: number) => first.toString(16).padStart(2, '0').padEnd(32, '0')
const text = ({ key, hash }: RowPair) => `${key} ${hash}`

test('what was added comes out, all rows of a key in one batch', () => {
  const added = Array.from({ length: 20_000 }, (_, at) => ({ key: keyOf(at % 256), hash: hex(at) }))
  const pairs = new RowPairs()
  for (const pair of added) pairs.add(pair)
  const batches = [...pairs.batches()].map(unpacked)
  expect(batches.length).toBeGreaterThan(1)
  expect(batches.flat().map(text).toSorted()).toEqual(added.map(text).toSorted())
  const keys = batches.flatMap((batch) => [...new Set(batch.map(({ key }) => key))])
  expect(keys).toHaveLength(256)
})

test('nothing was added', () => {
  expect([...new RowPairs().batches()]).toEqual([])
})

test('what was packed can be taken in by others', () => {
  const one = new RowPairs()
  for (const first of [3, 250, 3]) one.add({ key: keyOf(first), hash: hex(first) })
  const both = new RowPairs()
  both.addPacked(one.packed())
  both.addPacked(one.packed())
  expect(both.packed().length).toBe(6 * 32)
  expect(unpacked(both.packed()).map(text)).toEqual(
    [3, 3, 3, 3, 250, 250].map((first) => text({ key: keyOf(first), hash: hex(first) })),
  )
})
