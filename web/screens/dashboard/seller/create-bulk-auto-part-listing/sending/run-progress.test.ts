import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { countStates } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/run/chunk-map.tsx'
import type { Chunk } from './file-chunks.ts'
import { type RunProgress, runTracker } from './run-progress.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const chunk = (index: number): Chunk => ({
  index,
  records: 10,
  firstRow: 2,
  characters: 100,
  content: async () => new Blob(),
})

function startedTracker(chunkCount: number) {
  const shown: RunProgress[] = []
  const tracker = runTracker((progress) => shown.push(progress))
  tracker.begin(chunkCount)
  return { tracker, shown }
}

test('ten thousand chunks update the view ten times a second, and none is lost', () => {
  const { tracker, shown } = startedTracker(10_000)
  for (let index = 0; index < 10_000; index++) tracker.done(chunk(index))
  expect(shown).toHaveLength(1)
  vi.advanceTimersByTime(100)
  expect(shown).toHaveLength(2)
  expect(shown[1]).toMatchObject({ rows: 100_000, characters: 1_000_000 })
  expect(countStates(shown[1]?.chunks ?? new Uint8Array()).done).toBe(10_000)
})

test('it waits for the network as long as a chunk does, then for nothing', () => {
  const { tracker, shown } = startedTracker(3)
  tracker.waits(chunk(0), 'server')
  tracker.waits(chunk(1), 'network')
  vi.advanceTimersByTime(100)
  expect(shown.at(-1)?.waitsFor).toBe('network')
  tracker.done(chunk(1))
  vi.advanceTimersByTime(100)
  expect(shown.at(-1)?.waitsFor).toBe('server')
  tracker.waits(chunk(0), 'nobody')
  vi.advanceTimersByTime(100)
  expect(shown.at(-1)?.waitsFor).toBe('nobody')
})

test('progress after the end is not shown', () => {
  const { tracker, shown } = startedTracker(2)
  tracker.done(chunk(0))
  expect(tracker.end()).toMatchObject({ rows: 10 })
  tracker.failed(chunk(1))
  vi.advanceTimersByTime(1_000)
  expect(shown).toHaveLength(1)
})
