import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'

/** The type that is surely meant, or all that a seller chooses from. */
const asked = (name: string) => {
  const { verdict } = testVocabulary.partNames.match(name, '')
  return verdict.kind === 'known' ? verdict.name : verdict.candidates.map((candidate) => candidate.name)
}

test.each([
  ['Engine less starter', 'Engine Assembly'],
  ['Engine less turbo', 'Engine Assembly'],
  ['Engine minus alternator', 'Engine Assembly'],
  ['Engine sans turbo', 'Engine Assembly'],
  ['Engine except turbo', 'Engine Assembly'],
  ['Rear door needs glass', 'Rear Door'],
  ['Front door missing mirror', 'Front Door'],
  ['Radiator lacks cap', 'Radiator'],
])('what a part lacks is no part: “%s” is a %s', (name, type) => {
  expect(asked(name)).toBe(type)
})

test.each([
  ['Engine has bad water pump', 'Engine Assembly'],
  ['Engine bad water pump', 'Engine Assembly'],
  ['Engine cracked cylinder head', 'Engine Assembly'],
  ['Headlight broken tab', 'Headlamp Assembly'],
  ['Engine water pump bad', ['Engine Assembly', 'Water Pump']],
  ['Door mirror broken glass', ['Door Mirror', 'Mirror Glass']],
  ['Hood hinge bent', 'Hood Hinge'],
  ['Headlight good tabs', 'Headlamp Assembly'],
  ['Headlight all tabs intact', 'Headlamp Assembly'],
  ['Engine runs good', 'Engine Assembly'],
  ['Good front bumper', 'Front Bumper Assembly'],
  ['Amplifier 4 channel', 'Amplifier'],
  ['Hood 4 Runner', 'Hood'],
  ['Rusted hood', 'Hood'],
])('how a part is says nothing else: “%s” is %s', (name, type) => {
  expect(asked(name)).toEqual(type)
})

test.each([
  ['Tailgate has camera', 'Tailgate'],
  ['Engine comes with starter', 'Engine Assembly'],
  ['Radiator incl. fan', 'Radiator'],
  ['Radio w amplifier', 'Radio'],
  ['Radiator AC condenser attached', 'Radiator'],
  ['Front door mirror missing', 'Front Door'],
  ['Headlight ballast not included', 'Headlamp Assembly'],
  ['Engine and starter too', 'Engine Assembly'],
  ['Rear seat [with headrest]', 'Rear Seat'],
  ['Fuel pump included', 'Fuel Pump'],
  ['Tail lamp quarter panel mounted', 'Tail Lamp Assembly'],
])('what comes along is no part: “%s” is a %s', (name, type) => {
  expect(asked(name)).toBe(type)
})

test.each([
  ['Bumper has fog lights', 'Front Bumper Cover'],
  ['Transmission less torque converter', 'Automatic Transmission'],
  ['Door glass missing', 'Front Door'],
  ['Mirror power heated, blind spot', 'Door Mirror'],
  ['Bumper, fog lights', 'Front Bumper Cover'],
  ['Handle, tailgate', 'Outside Door Handle'],
])('a part that may be several is asked as itself: “%s” may be a %s', (name, type) => {
  expect(asked(name)).toContain(type)
})

test('of two parts in one name, the seller chooses', () => {
  expect(asked('Radiator & fan')).toEqual(['Radiator', 'Radiator Fan'])
  expect(asked('Engine and automatic transmission')).toEqual(['Engine Assembly', 'Automatic Transmission'])
  expect(asked('Rack and pinion')).toBe('Steering Gear')
})

test.each([
  ...['hood insulator', 'hood deflector', 'headlight adjuster', 'grille shutter', 'wheel weight'],
  ...['steering wheel cover', 'brake light switch', 'stop lamp switch', 'fog light switch', 'shift boot'],
  ...[
    'clutch master cylinder',
    'fuel cap',
    'gas cap',
    'cruise control switch',
    'knock sensor',
    'rain sensor',
  ],
  ...['fender apron', 'radio faceplate', 'key fob battery', 'door striker', 'mirror turn signal'],
])('a small part is not surely the larger one: %s', (name) => {
  expect(testVocabulary.partNames.match(name, '').verdict.kind).toBe('unsure')
})

test.each([
  ['door window switch', 'Window Switch'],
  ['front door window regulator', 'Window Regulator'],
  ['heater door actuator', 'Blend Door Actuator'],
  ['door mirror glass', 'Mirror Glass'],
  ['hood hinge', 'Hood Hinge'],
  ['hub', 'Wheel Hub'],
  ['rack', 'Steering Gear'],
])('a part of its own remains: %s is a %s', (name, type) => {
  expect(asked(name)).toBe(type)
})
