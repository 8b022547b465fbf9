import { expect, test } from 'vitest'
import { openSearchMemory } from './search-memory.ts'

const at = (seconds: number) => new Date(seconds * 1_000)

test('a page is known until a newer version of the data was seen, and for ten minutes', () => {
  let now = at(0)
  const memory = openSearchMemory(() => now)
  memory.notePage('doors', 7, { total: 2, from: 0, ids: ['a', 'b'] })
  memory.sawVersion(6)
  expect(memory.page('doors')).toMatchObject({ ids: ['a', 'b'], writes: 7 })
  now = at(599)
  expect(memory.page('doors')).toMatchObject({ total: 2 })
  now = at(600)
  expect(memory.page('doors')).toBeUndefined()
  now = at(1)
  memory.sawVersion(8)
  memory.sawVersion(7)
  expect(memory.page('doors')).toBeUndefined()
})

const KEPT = 1_000

test('at least the 500 pages that were read last are kept', () => {
  const memory = openSearchMemory(() => at(0))
  for (let place = 0; place < KEPT; place += 1) {
    memory.notePage(`page ${place}`, 1, { total: place, from: 0, ids: [] })
  }
  expect(memory.page('page 999')).toBeDefined()
  expect(memory.page('page 500')).toBeDefined()
  memory.notePage('one more', 1, { total: 0, from: 0, ids: [] })
  expect(memory.page('page 0')).toBeUndefined()
})
