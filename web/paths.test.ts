import { expect, test } from 'vitest'
import { safeReturnPath } from './paths.ts'

const followed: [from: string, to: string][] = [
  ['/dashboard/seller/my-quick-listings?page=2', '/dashboard/seller/my-quick-listings?page=2'],
  ['/parts/2014-toyota-camry#photos', '/parts/2014-toyota-camry#photos'],
  ['/', '/'],
  ['/parts?q=//evil.example', '/parts?q=//evil.example'],
  ['/a/../dashboard/user', '/dashboard/user'],
]

test.each(followed)('a return to %j is followed', (from, to) => {
  expect(safeReturnPath(from)).toBe(to)
})

const refused = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/x/..//evil.example',
  'https://evil.example/dashboard',
  'https:evil.example',
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  'dashboard/user',
  '?from=x',
  '',
  null,
  undefined,
]

test.each(refused)('a return to %j is refused', (from) => {
  expect(safeReturnPath(from)).toBeUndefined()
})
