import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findProfanity, wordScreen } from './text-check.ts'

const mayHold = wordScreen(['rust', 'two words', 'a-b', 'x y z', '🚗'])

test.each([
  ['', false],
  ['clean', false],
  ['rust', true],
  ['RUST!', true],
  ['(no) rust.', true],
  ['rusty trust', false],
  ['two', false],
  ['words two', false],
  ['Two Words', true],
  ['two, words', true],
  ['two other words', false],
  ['A-B', true],
  ['a', false],
  // Not certain, but near enough to look closely.
  ['x y', true],
  ['any text with an é', true],
  ['🚗', true],
])('%j: %s', (text, expected) => {
  expect(mayHold(text)).toBe(expected)
})

test('never misses a phrase that stands in a text as whole words', () => {
  const word = fc.stringMatching(/^[a-z0-9]{1,4}$/)
  const phrase = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))
  const around = fc.stringMatching(/^([ .,'&/\n-][A-Za-z0-9 .,-]{0,12})?$/)
  fc.assert(
    fc.property(
      fc.array(phrase, { minLength: 1 }),
      fc.nat(),
      around,
      around,
      (phrases, pick, before, after) => {
        const text = phrases[pick % phrases.length]?.toUpperCase() ?? ''
        const start = before === '' ? '' : `${before} `
        expect(wordScreen(phrases)(start + text + after)).toBe(true)
      },
    ),
  )
})

test.each([
  ['Cockpit trim, Dick Cepek wheel, driveshaft', undefined],
  ['Ford Escort tranny with shaft', undefined],
  ['Charger Scat Pack white power mirror', undefined],
  ['Ford Probe radiator drain cock', undefined],
  ['This SHIT works', 'shit'],
  ['what a piece of shit!', 'piece of shit'],
  ['shitake', undefined],
  ['fuck', 'fuck'],
  ["'fuck'", 'fuck'],
  ['well-fuck-', 'fuck'],
  ['f\u200buck and \uff46uck', 'fuck'],
  ["driver's rear-view mirror, A/C & heater", undefined],
  ['s&m', 's&m'],
  ['no 🖕 sign', '🖕'],
  ['– sh\u00adit –', 'shit'],
  ['Ⓢhit', 'shit'],
  ['Größe 5°, “new” – no shaft', undefined],
  ['', undefined],
])('%s → %s', (text, found) => {
  expect(findProfanity(text)).toBe(found)
})
