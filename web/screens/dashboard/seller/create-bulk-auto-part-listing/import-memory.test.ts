import { beforeEach, expect, test, vi } from 'vitest'
import { beginRun, endRun, keepRun, parseMemory, readMemory, remember } from './import-memory.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  })
})

test.each([null, '', 'no json', '7', '[]', '{"runs":"x","dryRun":1}', '{"runs":[null,{"key":1}]}'])(
  'of %j nothing is remembered: a dry run, without a template',
  (stored) => {
    expect(parseMemory(stored)).toEqual({ dryRun: true, mappingId: null, runs: [] })
  },
)

test('what was chosen is remembered', () => {
  remember({ dryRun: false })
  remember({ mappingId: 'template' })
  expect(readMemory()).toEqual({ dryRun: false, mappingId: 'template', runs: [] })
})

test('A2 the same content goes on under its key, also after a reload, until it ended', () => {
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
