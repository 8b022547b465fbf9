import { expect, test } from 'vitest'
import { isEscapeAttempt } from './escape-attempt.ts'

test.each([
  '../a.json',
  '/yard/../a.json',
  '/yard+..+a.json',
  '/yard/.. /a.json',
  '/yard/....//a.json',
  '%2e%2e%2fa.json',
  '%252e%252e/a.json',
  '/yard\\a.json',
  '/yard/．．/a.json',
  '/.env',
  'C:a.json',
  'file:///a.json',
  '~root/a.json',
  '/a.json\u0000',
  '/a\u202e.json',
])('%j is one', (typed) => {
  expect(isEscapeAttempt(typed)).toBe(true)
})

test.each(['', '/yard/a.json', '/yard/a..b.json', '/yard/a.json.', '/yard/50 % off.json', '/yard/a|b.json'])(
  '%j is a slip at most',
  (typed) => {
    expect(isEscapeAttempt(typed)).toBe(false)
  },
)
