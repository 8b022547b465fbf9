import { expect, test } from 'vitest'
import { findProblems } from './fact-check.ts'

const record = [
  'Strut RR right, 3.73',
  '2012-2015',
  'Mercedes-Benz',
  'F-150',
  'C300',
  '84,213 miles',
  'DL3Z-10346-A',
  '$95.50',
  'A/C hose',
]
const names = new Set(['toyota', 'ford', 'benz', 'mercedes'])
const claims = (text: string, kind: 'heading' | 'description' = 'heading') =>
  findProblems(text, { kind, record, names }).map(({ claim }) => claim)

test.each([
  'The right strut is for a 2012 Mercedes-Benz C300.',
  'Struts of the years 2012 to 2015. Comes from a car with 84213 miles.',
  'Right RR strut, ratio 3.73: number DL3Z-10346-A, $95.5',
  'An A/C hose for the F150 or the Mercedes Benz',
  'Used right strut (RR); the Strut’s mileage is 84,213',
])('“%s” matches the record', (text) => {
  expect(claims(text)).toEqual([])
})

test.each<[text: string, claim: string]>([
  ['Right strut for 2016 cars', '2016'],
  ['Right strut with 84,214 miles', '84,214'],
  ['Right strut for $96', '$96'],
  ['Right strut of an F-250', 'F-250'],
  ['Right strut 130A', '130A'],
  ['Right strut for a Camry', 'Camry'],
  ['Toyota struts, right', 'Toyota'],
  ['Right strut. OEM quality', 'OEM'],
  ['Left strut', 'Left'],
  ['A new right strut', 'new'],
  ['Right strut in black', 'black'],
  ['Pair of right struts', 'Pair'],
  ['Right strut with a warranty', 'warranty'],
  ['Right strut from yard.com', '.com'],
  ['**Right strut**', '*'],
  ['Right strut\nfor a car', '\n'],
  ['Right strut for a сar', 'с'],
  ['Right strut, shit happens', 'shit'],
])('“%s” is refused for “%s”', (text, claim) => {
  expect(claims(text)).toContain(claim)
})

test('length depends on the kind, and an overlong text is not read', () => {
  expect(claims('Right strut.', 'description')).toEqual(['12 characters'])
  expect(claims('x 5 '.repeat(1_000))).toEqual(['4000 characters'])
})
