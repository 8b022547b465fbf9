import { expect, test } from 'vitest'
import { generatedSlug, ownSlug } from './slugs.ts'

const id = '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'

test.each([
  [['2014', 'Toyota', 'Camry', 'Alternator 130A'], '2014-toyota-camry-alternator-130a-3f4a5b'],
  [['日本'], 'part-3f4a5b'],
  [['🚗'], 'part-3f4a5b'],
  [['..'], 'part-3f4a5b'],
  [[''], 'part-3f4a5b'],
])('the generated address of %j', (words, slug) => {
  expect(generatedSlug(words, id)).toBe(slug)
})

test('a title of 300 characters still gives an address within the limit', () => {
  expect(generatedSlug(['x'.repeat(300)], id).length).toBeLessThanOrEqual(87)
})

test.each([
  ['My Own Part', 'my-own-part'],
  ['../../etc/passwd', 'etc-passwd'],
  ['edit', undefined],
  ['%2e%2e', '2e-2e'],
  ['', undefined],
])('the custom address %j', (text, slug) => {
  expect(ownSlug(text)).toBe(slug)
})
