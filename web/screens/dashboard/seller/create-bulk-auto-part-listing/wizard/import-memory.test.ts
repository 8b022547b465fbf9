import { beforeEach, expect, test, vi } from 'vitest'
import {
  beginRun,
  chunkSizeOf,
  concurrencyOf,
  endRun,
  keepRun,
  noDraft,
  parseMemory,
  readMemory,
  remember,
  rememberDraft,
} from './import-memory.ts'

const fresh = { dryRun: true, mappingId: null, chunkSize: 1_000, concurrency: 2, draft: noDraft, runs: [] }

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

test.each([null, '', 'no json', '7', '[]', '{"runs":"x","dryRun":1}', '{"runs":[null,{"key":1}]}'])(
  '%j gives the defaults: a dry run without a template',
  (stored) => {
    expect(parseMemory(stored)).toEqual(fresh)
  },
)

test('choices are remembered', () => {
  remember({ dryRun: false })
  remember({ mappingId: 'template' })
  expect(readMemory()).toEqual({ ...fresh, dryRun: false, mappingId: 'template' })
})

test('values out of bounds or of the wrong type are ignored', () => {
  const draft = { file: 7, mapping: { partname: 'Part', nonsense: 'x' }, defaults: [], mode: 'burn' }
  expect(parseMemory(JSON.stringify({ chunkSize: 7, concurrency: 'many', draft }))).toEqual({
    ...fresh,
    chunkSize: 100,
    draft: { ...noDraft, mapping: { partname: 'Part' } },
  })
})

test('choices that were not sent survive a reload', () => {
  rememberDraft({ file: 'stock.csv', mapping: { partname: 'Part' } })
  rememberDraft({ mode: 'replace' })
  expect(readMemory().draft).toEqual({
    file: 'stock.csv',
    mapping: { partname: 'Part' },
    defaults: null,
    mode: 'replace',
  })
})

test('the same content resumes under its key until its run ends', () => {
  const run = beginRun('stock.csv')
  expect(run.key).toMatch(/^bulk_/)
  keepRun({ ...run, importId: 'import' })
  expect(beginRun('stock.csv')).toEqual({ ...run, importId: 'import' })
  expect(beginRun('other.csv').key).not.toBe(run.key)
  endRun(run)
  expect(beginRun('stock.csv').key).not.toBe(run.key)
})

test('ten runs are kept', () => {
  const first = beginRun('0')
  for (let number = 1; number <= 10; number++) beginRun(String(number))
  expect(readMemory().runs).toHaveLength(10)
  expect(beginRun('0').key).not.toBe(first.key)
})

test.each([
  [1, 100],
  [149, 100],
  [150, 200],
  [1_000, 1_000],
  [9_999, 2_000],
])('a chunk size of %i is %i', (asked, size) => {
  expect(chunkSizeOf(asked)).toBe(size)
})

test.each([
  [0, 1],
  [2.4, 2],
  [9, 5],
])('a concurrency of %d is %i', (asked, count) => {
  expect(concurrencyOf(asked)).toBe(count)
})
