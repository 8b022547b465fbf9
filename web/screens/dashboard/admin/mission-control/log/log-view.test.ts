import { expect, test } from 'vitest'
import type { JobLine } from '#web/components/job-stream/feed-log.ts'
import { breakLine, layRows, lineAt, type Ruler } from './log-view.ts'

const line = (text: string): JobLine => ({
  id: 0,
  stream: 'stdout',
  level: 'log',
  text,
  at: '2026-11-21T09:00:00.000Z',
})
/** All characters have the same width, except Chinese characters and emoji (twice as wide) and tabs. */
const ruler = (room: number): Ruler => ({
  room,
  widest: 1,
  widthOf: (character) => {
    if (character === '\t') return 4
    return (character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1
  },
})
const pieces = (text: string, room: number) =>
  breakLine(text, ruler(room)).map(([from, to]) => text.slice(from, to))

test.each([
  ['', ['']],
  ['abcd', ['abcd']],
  ['abcde', ['abcd', 'e']],
  ['abcdefgh', ['abcd', 'efgh']],
  ['ab\ncdefg', ['ab', 'cdef', 'g']],
  ['\n', ['', '']],
  ['配件港ab', ['配件', '港ab']],
  ['abc配', ['abc', '配']],
  ['ab🔧c', ['ab🔧', 'c']],
  ['a\tb', ['a', '\t', 'b']],
  ['abcd\n', ['abcd', '']],
])('%j in rows of four', (text, rows) => {
  expect(pieces(text, 4)).toEqual(rows)
})

test('a word is kept whole unless that leaves a row half empty', () => {
  expect(pieces('removed in seven ms', 12)).toEqual(['removed in ', 'seven ms'])
  expect(pieces('in removedremoved', 12)).toEqual(['in removedre', 'moved'])
})

test('a character wider than a row still gets one', () => {
  expect(pieces('配件', 1)).toEqual(['配', '件'])
})

test('each row maps to its line', () => {
  const rows = layRows([line('abc'), line(''), line('abcdefghij'), line('配件港'), line('z')], ruler(4))
  expect(rows).toEqual({ starts: [0, 1, 2, 5, 7], total: 8 })
  expect([0, 1, 2, 3, 4, 5, 6, 7].map((row) => lineAt(rows, row))).toEqual([0, 1, 2, 2, 2, 3, 3, 4])
})

test('an empty log has no rows', () => {
  expect(layRows([], ruler(80))).toEqual({ starts: [], total: 0 })
})
