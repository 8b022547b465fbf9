import { expect, test } from 'vitest'
import { readCursor, toCursor } from './cursors.ts'

const place = { at: new Date('2026-03-01T12:30:00.123Z'), id: '019f0000-0000-7000-8000-0123456789ab' }

test('a cursor reads back as the same place', () => {
  expect(readCursor(toCursor(place))).toEqual(place)
})

test.each(['', 'x', '%', toCursor(place).slice(0, -4), Buffer.from('1/2').toString('base64url')])(
  '“%s” is not a cursor',
  (cursor) => {
    expect(() => readCursor(cursor)).toThrow('not valid')
  },
)
