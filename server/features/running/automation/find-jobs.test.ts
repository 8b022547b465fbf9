import { describe, expect, test } from 'vitest'
import { idsBeginningWith, readJobFilter } from './find-jobs.ts'

describe('a typed filter', () => {
  test('lists are separated by commas; gaps, spaces, and repetitions are ignored', () => {
    const filter = readJobFilter({ queue: ' a, b,,a', status: 'failed ,queued', search: ' x ' })
    expect(filter).toEqual({ queues: ['a', 'b'], statuses: ['failed', 'queued'], words: 'x' })
    expect(readJobFilter({})).toEqual({ queues: [], statuses: [], words: '' })
  })

  test('an unknown status is reported with the known ones', () => {
    expect(readJobFilter({ status: 'failed,done' })).toMatch(/no status done\..*queued, running, completed/)
  })
})

describe('the beginning of an id', () => {
  const id = '019f3c2a-1b2c-7d3e-8f40-0123456789ab'
  test.each([id, id.slice(0, 8), id.slice(0, 9), id.slice(0, 20), id.toUpperCase().slice(0, 13)])(
    '%s',
    (text) => {
      const range = idsBeginningWith(text)
      expect(range && range.first <= id && id <= range.last).toBe(true)
      expect(range?.first).toHaveLength(36)
    },
  )

  test.each(['', '019f3c2', '019f3c2g', '019f3c2a1', `${id}0`, 'ingest-autoparts'])(
    '“%s” is not the beginning of an id',
    (text) => {
      expect(idsBeginningWith(text)).toBeUndefined()
    },
  )
})
