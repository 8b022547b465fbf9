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
  ['', undefined],
])('%s → %s', (text, found) => {
  expect(findProfanity(text)).toBe(found)
})
