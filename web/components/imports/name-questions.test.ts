import { expect, test } from 'vitest'
import { wordsOf } from './name-questions.tsx'

test.each([
  ['', 'door handle', 'Which category is “door handle”?'],
  ['Glass', 'door handle', 'Which category is “door handle” (your word: “Glass”)?'],
  ['STEERING GEAR/RACK', 'steering gear rack', 'Which category is “STEERING GEAR/RACK”?'],
  ['Transmission Assembly', 'transmission', 'Which category is “Transmission Assembly”?'],
])('the yard’s word “%s” for a part of the type “%s”: %s', (typed, about, words) => {
  expect(wordsOf({ kind: 'category', typed, about })).toBe(words)
})
