import { expect, test } from 'vitest'
import { isOurName, renderOutbox } from './outbox-page.ts'

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

test('links to our own addresses and back to the site, and to nothing else', () => {
  const body = `Hello <b>,
confirm it: https://parts.example/confirm#a"b
https://parts.example/confirm#t
or at https://parts.example.evil.example/x
javascript:alert(1)
> Look: https://parts.example/login`
  const mail = {
    ...{ id: '1', to: 'ada@shop.example', replyTo: null, subject: 'Confirm', body, state: 'kept' as const },
    ...{ error: null, createdAt: new Date(0), sentAt: null },
  }
  const page = renderOutbox([mail], 'https://parts.example')
  expect(page.match(/<a [^>]*>/g)).toEqual(['<a href="/">', '<a href="https://parts.example/confirm#t">'])
  expect(page).not.toContain('<b>')
})
