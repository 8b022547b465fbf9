import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { matchVehicle } from './match-vehicle.ts'

const found = (make: string, model: string) => {
  const { manufacturer, model: of } = matchVehicle(testVocabulary, make, model)
  return [manufacturer, of].map((verdict) => (verdict?.kind === 'known' ? verdict.name : verdict?.kind))
}

test.each([
  ['VOL', 'JETTA', 'Volkswagen', 'Jetta'],
  ['VOL', 'S60', 'Volvo', 'S60'],
  ['SUB', 'FORST', 'Subaru', 'Forester'],
  ['FOR', 'EXPLR', 'Ford', 'Explorer'],
  ['FOR', 'MUST', 'Ford', 'Mustang'],
  ['HON', 'ACC', 'Honda', 'Accord'],
  ['TOY', 'COROL', 'Toyota', 'Corolla'],
  ['CHE', 'SIL15', 'Chevrolet', 'Silverado 1500'],
  ['DOD', 'GCARV', 'Dodge', 'Grand Caravan'],
])('the codes %s and %s are a %s %s', (make, model, manufacturer, name) => {
  expect(found(make, model)).toEqual([manufacturer, name])
})

test.each([
  ['Volkswagen', 'Gol', 'unsure'],
  ['Ford', 'EXP', 'unsure'],
  ['Ford', 'Esc', 'unsure'],
  ['Chevrolet', 'City', 'unsure'],
  ['Chevrolet', 'Astra', 'unsure'],
  ['Toyota', 'Hilux', 'new'],
  ['Volkswagen', 'Vento', 'new'],
])('%s %s is no short form of another model', (make, model, kind) => {
  expect(found(make, model)[1]).toBe(kind)
})

test('three letters that begin no make with such a model are a new name', () => {
  expect(found('SEA', 'Ibiza')).toEqual(['new', 'new'])
})
