import { expect, test } from 'vitest'
import { interpret } from '#contract/trade-language/interpret.ts'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'

/* Names as yard systems, warehouses and dismantlers of other countries write them. */

const typeOf = (name: string) => {
  const { verdict } = interpret(name, testVocabulary, 'name', {}).read
  return verdict.kind === 'known' ? verdict.name : verdict.kind
}

test.each([
  ['DOOR ASSY FL', 'Front Door'],
  ['DOOR ASSY RL', 'Rear Door'],
  ['LF DOOR', 'Front Door'],
  ['SEAT FL', 'Front Seat'],
  ['Rear Door Shell Right', 'Rear Door'],
  ['door shell', 'Front Door'],
  ['DR HANDLE OUT', 'Outside Door Handle'],
  ['DOOR HANDLE INT', 'Inside Door Handle'],
  ['AIR FLOW MTR', 'Mass Air Flow Sensor'],
  ['BLOWER MTR', 'Blower Motor'],
  ['INTAKE MAN', 'Intake Manifold'],
  ['STRG COL', 'Steering Column'],
  ['RUNN BOARD', 'Running Board'],
  ['TRANSF CASE', 'Transfer Case'],
  ['ECM ENGINE', 'Engine Control Module'],
  ['LAMP ASSY, HEAD, LH', 'Headlamp Assembly'],
  ['BOARD, RUNNING, RH', 'Running Board'],
  ['MOTOR, BLOWER, HVAC', 'Blower Motor'],
  ['LID, LUGGAGE COMPARTMENT', 'Trunk Lid'],
  ['MIRROR, OUTSIDE REARVIEW, RH', 'Door Mirror'],
  ['HANDLE, DOOR, FRONT, OUTSIDE, LH', 'Outside Door Handle'],
  ['Hood Bonnet Panel', 'Hood'],
  ['Rear Bar', 'Rear Bumper Assembly'],
  ['Tailshaft', 'Driveshaft'],
  ['Ute Tub', 'Truck Bed'],
  ['Specchietto retrovisore esterno', 'Door Mirror'],
  ['Motorino d’avviamento', 'Starter Motor'],
  ['Cerchio in lega', 'Alloy Wheel'],
  ['Porta posteriore', 'Rear Door'],
])('“%s” is a %s', (name, type) => {
  expect(typeOf(name)).toBe(type)
})

test.each([
  'DOOR ASSY',
  'DOOR ASSY R',
  'SEAT RH',
  'DOOR HANDLE',
  'Light, foggy',
  'Mirror, broken',
  'Lamp, cracked',
])('“%s” could be several', (name) => {
  expect(typeOf(name)).toBe('unsure')
})

test.each([
  ['rear view mirror', 'Rear View Mirror'],
  ['front sway bar', 'Stabilizer Bar'],
])('“%s” is still a %s', (name, type) => {
  expect(typeOf(name)).toBe(type)
})
