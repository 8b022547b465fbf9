import { expect, test } from 'vitest'
import { singular, spacedWordsOf, squash, wordsOf } from './name-form.ts'

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
  expect(squash(typed)).toBe(form)
})

test('words are cut where signs stand, or where spaces do', () => {
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
])('%s: one of them is a %s', (word, one) => {
  expect(singular(word)).toBe(one)
})
