import { describe, expect, test } from 'vitest'
import { checkFileKey, isFileKey } from './file-key.ts'

describe('a key of the file store', () => {
  test.each([
    'a',
    'health/check',
    'images/3f/3fa1b2-440.webp',
    'ecomm/rust-belt-auto/2026-03-01/parts-3f2a.json',
    'with_underscore/and-dash',
    'x'.repeat(512),
  ])('may be %s', (key) => {
    expect(checkFileKey(key)).toBe(key)
  })

  test.each([
    '',
    '/',
    '/etc/passwd',
    'images/',
    'images//a',
    '.',
    '..',
    'images/../../etc/passwd',
    'images/..',
    'a..b',
    '.parts/a',
    'images/.hidden',
    'images/a.',
    'Images/A.webp',
    'images\\a',
    'images/a b',
    'images/a\0.webp',
    'images/%2e%2e/a',
    'images/ａ',
    'images/a\n',
    'c:/windows',
    'x'.repeat(513),
  ])('S29 may not be %j', (key) => {
    expect(isFileKey(key)).toBe(false)
    expect(() => checkFileKey(key)).toThrow(RangeError)
  })
})
