import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nameKey, singular, spacedWordsOf, wordsOf } from './names.ts'
import { editsBetween, TrigramIndex, typoBetween } from './spelling.ts'

test.each([
  ['F-150', 'f150'],
  ['F 150', 'f150'],
  ['CR-V', 'crv'],
  ['A.C. Compressor', 'accompressor'],
  ['A/C Compressor', 'accompressor'],
  ['E.C.M.', 'ecm'],
  ['Town & Country', 'townandcountry'],
  ['Citroën', 'citroen'],
  ['  MX–5  Miata ', 'mx5miata'],
  ['ID.4', 'id4'],
  ['???', ''],
])('%s is compared as “%s”', (typed, form) => {
  expect(nameKey(typed)).toBe(form)
})

test('words are split at punctuation or only at spaces', () => {
  expect(wordsOf('Bumper Cover, Front (used)')).toEqual(['bumper', 'cover', 'front', 'used'])
  expect(spacedWordsOf('Accord EX-L 2.4 R/T')).toEqual(['accord', 'exl', '2.4', 'rt'])
})

test.each([
  ['alternators', 'alternator'],
  ['switches', 'switch'],
  ['boxes', 'box'],
  ['bodies', 'body'],
  ['axles', 'axle'],
  ['glass', 'glass'],
  ['chassis', 'chassis'],
  ['abs', 'abs'],
  ['tires', 'tire'],
])('the singular of %s is %s', (word, one) => {
  expect(singular(word)).toBe(one)
})

test.each([
  ['chevorlet', 'chevrolet', 1],
  ['toyata', 'toyota', 1],
  ['mazada', 'mazda', 1],
  ['camery', 'camry', 1],
  ['chevelle', 'chevrolet', 3],
  ['', 'abc', 3],
])('%s and %s are %i edits apart', (a, b, edits) => {
  expect(editsBetween(a, b, 3)).toBe(edits)
})

test('edits are symmetric, zero between equal words, and at least the difference in length', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
  fc.assert(
    fc.property(word, word, (a, b) => {
      const edits = editsBetween(a, b, 8)
      expect(edits).toBe(editsBetween(b, a, 8))
      expect(edits === 0).toBe(a === b)
      expect(edits).toBeGreaterThanOrEqual(Math.abs(a.length - b.length))
      expect(editsBetween(a, b, 1)).toBe(Math.min(edits, 2))
    }),
  )
})

test.each([
  ['frod', 'ford', 1],
  ['axel', 'axle', 1],
  ['hodna', 'honda', 1],
  ['catalitik', 'catalytic', 2],
  // Different names, not typos.
  ['fit', 'kit', undefined],
  ['seat', 'fiat', undefined],
  ['e150', 'e250', undefined],
  ['mack', 'mark', undefined],
  ['merkur', 'mercury', undefined],
  ['ford', 'ford', undefined],
])('%s as a mistyped %s: %s', (typed, word, edits) => {
  expect(typoBetween(typed, word)).toBe(edits)
})

test('similar names are found by trigrams, most similar first', () => {
  const index = new TrigramIndex<string>()
  for (const name of ['chevrolet', 'chrysler', 'cadillac']) index.add(name, name)
  index.add('chevy', 'chevrolet')
  const found = index.find('chevrolette', { min: 0.2, limit: 5 })
  expect(found.map(({ entry }) => entry)).toEqual(['chevrolet'])
  expect(found[0]?.similarity).toBeGreaterThan(0.6)
  expect(index.find('zzz', { min: 0.2, limit: 5 })).toEqual([])
})
