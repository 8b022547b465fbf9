import { expect, test } from 'vitest'
import { sellerSlugWords } from './registration.ts'

test.each([
  ['Southside Auto Salvage', 'southside-auto-salvage'],
  ['Müller & Söhne', 'mueller-and-soehne'],
  ['日本', 'seller'],
  ['..', 'seller'],
  ['🚗', 'seller'],
  ['x'.repeat(300), 'x'.repeat(50)],
  [`${'x'.repeat(49)} yard`, 'x'.repeat(49)],
])('the slug of %j starts with %s', (name, words) => {
  expect(sellerSlugWords(name)).toBe(words)
})
