import { expect, test } from 'vitest'
import { isOurName } from './outbox-page.ts'

test.each([
  ['localhost:8080', true],
  ['127.0.0.1:8080', true],
  ['127.8.0.1', true],
  ['[::1]:8080', true],
  ['parts.example', true],
  ['PARTS.example:8443', true],
  ['evil.example', false],
  ['localhost.evil.example:8080', false],
  ['127.0.0.1.evil.example', false],
  ['parts.example.evil.example', false],
  ['192.168.0.7:8080', false],
  ['evil.example@localhost', false],
  ['a b', false],
  ['', false],
  [undefined, false],
])('the host name %s is ours: %s', (host, ours) => {
  expect(isOurName(host, 'https://parts.example')).toBe(ours)
})
