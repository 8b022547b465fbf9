import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findProfanity, mayContainPlain, mayContainProfanity } from './profanity.ts'

test('finds every listed word between other words, except the words of the trade', () => {
  const path = createRequire(import.meta.url).resolve('naughty-words/en.json')
  const entries: string[] = JSON.parse(readFileSync(path, 'utf8'))
  const missed = entries.filter(
    (entry) => findProfanity(`Bumper, ${entry.toUpperCase()}! (new)`) === undefined,
  )
  expect(missed.sort()).toEqual([
    ...[
      'bareback',
      'big black',
      'butt',
      'domination',
      'escort',
      'girl on',
      'hard core',
      'hardcore',
      'hooker',
    ],
    ...['jack off', 'negro', 'nipple', 'nipples', 'playboy', 'scat', 'skeet', 'snatch', 'strap on', 'suck'],
    ...['sucks', 'swinger', 'tied up', 'tight white', 'topless', 'tranny', 'white power', 'xx', 'xxx'],
  ])
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

test('the check that makes no texts agrees with the one by words', () => {
  const path = createRequire(import.meta.url).resolve('naughty-words/en.json')
  const entries: string[] = JSON.parse(readFileSync(path, 'utf8'))
  const pieces = fc.oneof(
    fc.constantFrom(...entries, ...entries.flatMap((entry) => entry.split(' '))),
    fc.constantFrom('shaft', 'é', '–', 'Größe', 'x', '4x4', 'SUV', '2012', '°', 'ñ', '“hood”'),
    fc.string({ maxLength: 6 }),
  )
  const text = fc
    .array(fc.tuple(pieces, fc.constantFrom(' ', '-', '', '. ', ', ')), { maxLength: 8 })
    .map((parts) => parts.flat().join(''))
  fc.assert(
    fc.property(text, (typed) => {
      const found = mayContainPlain(typed)
      if (found !== undefined) expect(found).toBe(mayContainProfanity(typed.normalize('NFKC').toLowerCase()))
    }),
    { numRuns: 3_000 },
  )
})
