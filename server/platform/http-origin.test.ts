import { expect, test } from 'vitest'
import { hostIn, httpOrigin } from './http-origin.ts'

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000'],
  ['localhost', 'http://localhost:3000'],
  ['::1', 'http://[::1]:3000'],
])('a server on %s is reached at %s, and the way back', (host, origin) => {
  expect(httpOrigin(host, 3000)).toBe(origin)
  expect(hostIn(new URL(origin))).toBe(host)
})
