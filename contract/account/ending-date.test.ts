import { expect, test } from 'vitest'
import { endingDate } from './ending-date.ts'

test('an ending is the same day wherever it is read, and names its zone', () => {
  expect(endingDate('2026-03-20T23:30:00.000Z')).toBe('March 20, 2026 (UTC)')
  expect(endingDate(new Date('2026-03-21T00:30:00.000+02:00'))).toBe('March 20, 2026 (UTC)')
})
