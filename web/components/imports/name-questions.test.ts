import { expect, test } from 'vitest'
import { wordsOf } from './name-questions.tsx'

test.each([
  ['', 'door handle', 'What kind of part is “door handle”?'],
  ['Glass', 'door handle', 'What kind of part is “door handle” (your word: “Glass”)?'],
  ['STEERING GEAR/RACK', 'steering gear rack', 'What kind of part is “STEERING GEAR/RACK”?'],
  ['Transmission Assembly', 'transmission', 'What kind of part is “Transmission Assembly”?'],
])('the yard’s word “%s” for a part of the type “%s”: %s', (typed, about, words) => {
  expect(wordsOf({ kind: 'category', typed, about })).toBe(words)
})
