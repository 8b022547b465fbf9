import { expect, test } from 'vitest'
import { isOneLine } from './one-line.ts'

test.each(['Ruth Amador', "O'Brien & Söhne", '山田', '=?utf-8?q?x?=', '<b>'])('%j is one line', (text) => {
  expect(isOneLine(text)).toBe(true)
})

test.each([
  'A\nB',
  'A\r\nBcc: b@yard.example',
  'A\u0000',
  'A\u0085B',
  'A\u2028B',
  'A\u2029B',
  'A\u202egnp.exe',
  'A\u2066B',
  '\u200b\u200b',
  ' ',
  '',
])('%j is not', (text) => {
  expect(isOneLine(text)).toBe(false)
})
