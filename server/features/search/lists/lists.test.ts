import { expect, test } from 'vitest'
import type { Search } from './list-queries.ts'
import { type KnownSearch, openSearchMemory } from './lists.ts'

const KEPT = 5_000

const searchFor = (place: number): Search => ({
  facts: {},
  limits: {},
  words: `door${place}`,
  categoryId: undefined,
  manufacturerId: undefined,
  carModelId: undefined,
  seller: undefined,
  sort: 'newest',
})
const found = (matches: number): KnownSearch => ({
  matches,
  length: 1,
  writes: 1,
  countedAt: 0,
  counts: 1,
  countMs: 1,
  newest: undefined,
  walkFailsAt: 0,
})

test('above 5,000 searches, the least recently remembered one is forgotten', () => {
  const memory = openSearchMemory()
  for (let place = 0; place < KEPT; place += 1) memory.remember(searchFor(place), found(place))
  expect(memory.recall(searchFor(0))?.matches).toBe(0)
  memory.remember(searchFor(0), found(7))
  memory.remember(searchFor(KEPT), found(KEPT))
  expect(memory.recall(searchFor(1))).toBeUndefined()
  expect([0, 2, KEPT].map((place) => memory.recall(searchFor(place))?.matches)).toEqual([7, 2, KEPT])
})

test('a request for a search that is being counted waits for that count, even if it fails', async () => {
  const memory = openSearchMemory()
  const steps: string[] = []
  let fail = (_reason: Error) => {}
  const counting = memory.count(searchFor(1), () => new Promise<never>((_, reject) => (fail = reject)))
  const waiting = memory.untilCounted(searchFor(1)).then(() => steps.push('waited'))
  await memory.untilCounted(searchFor(2)).then(() => steps.push('another search'))
  fail(new Error('no connection'))
  await expect(counting).rejects.toThrow('no connection')
  await waiting
  expect(steps).toEqual(['another search', 'waited'])
})
