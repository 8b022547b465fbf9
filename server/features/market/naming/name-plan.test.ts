import { expect, test } from 'vitest'
import type { LookupKind } from '#server/features/market/lookups/lookup-kind.ts'
import { properName } from './name-plan.ts'

test.each<[LookupKind, string, string]>([
  ['category', 'BRAKE PADS', 'Brake Pads'],
  ['category', '  brake   pads ', 'Brake Pads'],
  ['category', 'abs pump', 'ABS Pump'],
  ['category', 'A/C COMPRESSOR', 'A/C Compressor'],
  ['category', 'rack and pinion', 'Rack and Pinion'],
  ['category', 'FAN', 'Fan'],
  ['category', 'Door w/ Glass', 'Door w/ Glass'],
  ['category', '10-inch SUBWOOFER', '10-inch SUBWOOFER'],
  ['manufacturer', 'bmw', 'BMW'],
  ['manufacturer', 'GMC', 'GMC'],
  ['manufacturer', 'ram', 'RAM'],
  ['manufacturer', 'mini', 'MINI'],
  ['manufacturer', 'STUDEBAKER', 'Studebaker'],
  ['manufacturer', 'harley davidson', 'Harley-Davidson'],
  ['manufacturer', 'Great Wall', 'Great Wall'],
  ['car_model', 'f150', 'F-150'],
  ['car_model', 'F 150', 'F-150'],
  ['car_model', 'crv', 'CR-V'],
  ['car_model', 'rav4', 'RAV4'],
  ['car_model', 'GREMLIN', 'Gremlin'],
  ['car_model', 'MDX', 'MDX'],
  ['car_model', 'fox', 'Fox'],
  ['car_model', 'xj6 vanden plas', 'XJ6 Vanden Plas'],
  ['car_model', 'El Camino', 'El Camino'],
  ['car_model', '2002', '2002'],
])('a %s “%s” becomes “%s”, which does not change again', (kind, typed, proper) => {
  expect(properName(kind, typed)).toBe(proper)
  expect(properName(kind, proper)).toBe(proper)
})
