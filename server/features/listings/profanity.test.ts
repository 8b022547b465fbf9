import { expect, test } from 'vitest'
import { findProfanity } from './profanity.ts'

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
