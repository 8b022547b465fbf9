import { expect, test } from 'vitest'
import { chunkCells, chunkPage, countStates } from './chunk-map.tsx'

const [queued, uploading, done, failed] = [0, 1, 2, 3]

test('counts chunks by state', () => {
  expect(countStates(Uint8Array.of(done, done, uploading, queued, failed))).toEqual({
    queued: 1,
    uploading: 1,
    done: 2,
    failed: 1,
  })
})

test.each([
  ['one each if there is room', [done, queued], 200, ['done', 'queued']],
  ['a failed one shows among others', [done, failed, done, done], 2, ['failed', 'done']],
  ['one being sent shows among queued ones', [uploading, queued, queued], 2, ['uploading', 'queued']],
  ['done only if all are done', [done, queued, done, done], 2, ['queued', 'done']],
  ['none', [], 10, []],
])('cells: %s', (_, states, most, cells) => {
  expect(chunkCells(Uint8Array.from(states), most)).toEqual(cells)
})

test('ten thousand chunks become a few hundred cells', () => {
  expect(chunkCells(new Uint8Array(10_000), 240)).toHaveLength(239)
})

test('the last page of the table ends with the last chunk', () => {
  expect(chunkPage(Uint8Array.of(done, failed, queued), 1, 50)).toEqual([
    { chunk: 2, state: 'failed' },
    { chunk: 3, state: 'queued' },
  ])
  expect(chunkPage(Uint8Array.of(done), 50, 50)).toEqual([])
})
