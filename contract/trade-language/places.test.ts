import { describe, expect, test } from 'vitest'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import { withDriverOnRight } from './places.ts'

const { cornersAmong, endOf, positionsOf, sideOf, typed, withPosition } = language.places

describe('a column of corners', () => {
  test.each([
    [
      ['FL', 'FR', 'RL', 'RR'],
      ['fr', 'rr'],
    ],
    [['LF', 'RF', 'LR', 'RR'], ['rr']],
    [['FR', 'RR', 'L', 'R'], []],
    [['FL', 'LF', 'FR', 'RR'], []],
  ])('%s', (cells, corners) => {
    expect(cornersAmong(cells)).toEqual(corners)
  })

  test('FR is the front right of a part in the middle', () => {
    expect(withPosition('CV AXLE', 'FR', 'POS', ['fr', 'rr'])).toMatchObject({ name: 'CV AXLE Front RH' })
    expect(withPosition('CV AXLE', 'FR', 'POS')).toMatchObject({ name: 'CV AXLE FR' })
    expect(withPosition('CALIPER', 'FR', 'POS', ['fr'])).toMatchObject({ name: 'CALIPER FR' })
  })
})

test.each([
  ['Faro anteriore sx', 'left'],
  ['Porta posteriore DX', 'right'],
  ['Civic DX emblem', undefined],
])('“%s” is on the %s', (name, side) => {
  expect(sideOf(name)).toBe(side)
})

test.each([
  ['Drivers side', 'cell', 'RH'],
  ['D/S', 'cell', 'RH'],
  ['P/S', 'cell', 'LH'],
  ['Left', 'cell', 'Left'],
  ['Headlight Passenger side', 'name', 'Headlight LH'],
  ['P/S Pump', 'name', 'P/S Pump'],
  ['Passenger Airbag', 'name', 'Passenger Airbag'],
] as const)('where the driver sits on the right, “%s” of a %s is “%s”', (text, of, said) => {
  expect(withDriverOnRight(text, of)).toBe(said)
})

describe('the side that a name says', () => {
  test.each([
    ['Headlamp, left', 'left'],
    ['Front door handle LH', 'left'],
    ['Mirror driver’s side', 'left'],
    ["Driver's seat", 'left'],
    ['DRIVER SIDE Window Regulator', 'left'],
    ['Master window switch, driver', 'left'],
    ['FL wheel speed sensor', 'left'],
    ['Passenger Air Bag', 'right'],
    ['Fender (RH)', 'right'],
    ['Fender R/H', 'right'],
    ['pass side headlight', 'right'],
    ['Front door, pass. side', 'right'],
    ['EZ pass holder', undefined],
    ['pass rear door', 'right'],
    ['Pass outside door handle', 'right'],
    ['pass cv axle', 'right'],
    ['low pass filter', undefined],
    ['Farol esquerdo', 'left'],
    ['Porta dianteira direita', 'right'],
    ['Lampa tylna prawa', 'right'],
    ['Front Door Nearside', 'left'],
    ['Offside rear light', 'right'],
    ['Fender L.H.', 'left'],
    ['Puerta derecha', 'right'],
    ['Calavera izquierda', 'left'],
    // Corners.
    ['Caliper RR', 'right'],
    ['STRUT RR RIGHT', 'right'],
    ['Door FR', 'right'],
    ['FR door glass', 'right'],
    ['RR DOOR LH', 'left'],
    ['RR door LT', 'left'],
    ['Wheel speed sensor FL/FR', undefined],
    ['Shock FR & RR', undefined],
    ['RR Bumper', undefined],
    ['BUMPER COVER, RR', undefined],
    ['Fender cover RR', 'right'],
    ['FR seat', undefined],
    ['Owner’s manual FR', undefined],
    // Letters that are trims, too.
    ['Fender RT', 'right'],
    ['LT FENDER', 'left'],
    ['Tail Lights LT', 'left'],
    ['Door, front, LT', 'left'],
    ['Front LT door', 'left'],
    ['Mirror R', 'right'],
    ['L headlight', 'left'],
    ['Emblem RT', undefined],
    ['Hood RT', undefined],
    ['Grille Silverado LT', undefined],
    ['Fender LT/LTZ', undefined],
    ['Fender R/T', undefined],
    ['Charger RT wheel', undefined],
    ['LT wheel', undefined],
    ['Tail light assembly L', 'left'],
    ['HEADLAMP ASSY R', 'right'],
    ['Axle shaft R', 'right'],
    ['Emblem chrome R', undefined],
    ['Fender black LT', undefined],
    ['Headlights L/R', undefined],
    ['A/C line R134a', undefined],
    ['Engine 5.7 L', undefined],
    // Both, neither, something else.
    ['Lamps left and right', undefined],
    ['Fender LH/RH', undefined],
    ['LED driver module', undefined],
    ['Headlight LED driver', undefined],
    ['Rear glass, passenger van', undefined],
    ['Floor mat, 7 passenger', undefined],
    ['Cluster, left hand drive', undefined],
    ['RF receiver', undefined],
    ['Sway bar links', undefined],
    ['Kotflügel links', 'left'],
    ['Tür vorne links', 'left'],
    ['Scheinwerfer rechts', 'right'],
    ['Piloto trasero', undefined],
    ['Light bar', undefined],
    ['Bright trim', undefined],
    ['', undefined],
  ])('“%s”: %s', (name, side) => {
    expect(sideOf(name)).toBe(side)
  })
})

test.each([
  ['Front bumper', 'front'],
  ['FRT door', 'front'],
  ['RR Bumper', 'rear'],
  ['Door LF', 'front'],
  ['Puerta trasera', 'rear'],
  ['Rear view mirror', undefined],
  ['Seat back', undefined],
  ['Front and rear', undefined],
])('“%s” is %s', (name, end) => {
  expect(endOf(name)).toBe(end)
})

test.each([
  ['RH', ['right']],
  [' l/h ', ['left']],
  ['Driver Side', ['left']],
  ["Passenger's side", ['right']],
  ['P/S', ['right']],
  ['FR', ['front', 'right']],
  ['Left Front', ['front', 'left']],
  ['Front, upper', ['front', 'upper']],
  ['Izquierda', ['left']],
  ['vorne links', ['front', 'left']],
  ['LH/RH', ['left', 'right']],
  ['A12', undefined],
  ['Shelf 3', undefined],
  ['Row L', undefined],
  ['side', undefined],
  ['N/A', undefined],
  ['', undefined],
])('a cell with “%s” says %j', (cell, positions) => {
  const found = positionsOf(cell)
  expect(found && [...found].toSorted()).toEqual(positions)
})

test.each([
  ['F/R', 'R', 'Door Rear'],
  ['Front/Rear', 'F', 'Door Front'],
  ['Frt/Rr', 'Rr', 'Door Rear'],
  ['Axle', 'Front', 'Door Front'],
  ['F/R', '', undefined],
  ['L/R', 'R', 'Door RH'],
])('a door under “%s” with “%s” is “%s”', (header, cell, name) => {
  const found = withPosition('Door', cell, header)
  expect(typeof found === 'object' ? found.name : found).toBe(name)
})

test.each([
  ['Fender', 'RH', 'Fender RH'],
  ['Fender', 'rh', 'Fender RH'],
  ['Fender', 'Right', 'Fender Right'],
  ['Fender', 'R', 'Fender RH'],
  ['Fender', 'RT', 'Fender RT'],
  ['Hood hinge', 'Driver', 'Hood hinge Driver'],
  ['Wheel', 'LT', 'Wheel LH'],
  ['Kotflügel', 'vorne links', 'Kotflügel Front LH'],
  ['Door', 'FR', 'Door FR'],
  ['Bumper', 'RR', 'Bumper RR'],
  ['Front Door', 'LF', 'Front Door LF'],
  ['Control arm LH', 'Left Upper', 'Control arm LH Left Upper'],
  ['Headlights', 'LH & RH', 'Headlights LH & RH'],
  ['RR DOOR ASY', 'L', 'RR DOOR ASY LH'],
  // Said already.
  ['Fender RH', 'Right', undefined],
  ['Front Bumper', 'Front', undefined],
  ['Door RR', 'Right Rear', undefined],
  ['Headlights LH RH', 'RH', undefined],
  // No side.
  ['Fender', 'A12', undefined],
  // The opposite.
  ['Fender LH', 'RH', 'contradiction'],
  ['Fender Left', 'LH/RH', 'contradiction'],
  ['Front Door', 'RR', 'contradiction'],
  ['Lower control arm', 'Upper', 'contradiction'],
  ['LR Door', 'RH', 'contradiction'],
])('“%s” with “%s” is %j', (name, cell, expected) => {
  const found = withPosition(name, cell)
  expect(typeof found === 'object' ? found.name : found).toBe(expected)
})

test('G and D are left and right under a French header only', () => {
  const added = (cell: string, header: string) => withPosition('Aile', cell, header)
  expect(added('D', 'Côté')).toMatchObject({ added: 'droite' })
  expect(added('G', 'COTE')).toMatchObject({ added: 'gauche' })
  expect(added('D', 'Side')).toMatchObject({ added: 'LH' })
  expect(added('G', 'Side')).toBeUndefined()
})

test('a name with what a column says says it', () => {
  for (const { word, places } of typed) {
    if (word.includes('hand') || word.includes('lado')) continue
    const found = withPosition('Fender', word)
    expect(typeof found === 'object' && withPosition(found.name, word), word).toBe(undefined)
    expect(places.length).toBeGreaterThan(0)
  }
})

test('N/S and O/S in a column are the nearside and the offside', () => {
  expect([...(positionsOf('N/S', 'Position') ?? [])]).toEqual(['left'])
  expect([...(positionsOf('O/S', 'Position') ?? [])]).toEqual(['right'])
})
