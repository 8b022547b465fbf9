import { readFileSync } from 'node:fs'
import { parse } from 'csv-parse/sync'
import { expect, test } from 'vitest'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { MIN_PART_CERTAINTY } from './type-verdicts.ts'

type Labelled = { word: string; name: string; expected: string }

const { partNames: parts } = testVocabulary

const labelled: Labelled[] = parse(readFileSync(new URL('../examples/yard-parts.csv', import.meta.url)), {
  columns: true,
})
const results = labelled.map((part) => ({ ...part, ...parts.match(part.name, part.word) }))

const print = (line: string) => void process.stdout.write(`${line}\n`)

test('common yard words and part names are nearly all matched, and almost never wrongly', () => {
  const sums = { right: 0, wrong: 0, unsure: 0, missed: 0 }
  for (const { word, name, expected, verdict } of results) {
    const got = verdict.kind === 'known' ? verdict.name : 'none'
    if (got !== 'none') sums[got === expected ? 'right' : 'wrong'] += 1
    else sums[expected === 'none' ? 'unsure' : 'missed'] += 1
    if (got !== expected) print(`“${word}” / “${name}”: ${got} instead of ${expected}`)
  }
  const words = new Set(labelled.map(({ word }) => word.toLowerCase()).filter(Boolean))
  print(`${labelled.length} parts under ${words.size} words: ${JSON.stringify(sums)}`)
  expect(words.size).toBeGreaterThanOrEqual(60)
  expect(sums.wrong / results.length).toBeLessThanOrEqual(0.01)
  expect(sums.missed / results.length).toBeLessThanOrEqual(0.05)
})

test('the certainty of a match is close to how often such matches are right', () => {
  const decided = results.flatMap(({ expected, verdict }) =>
    verdict.kind === 'known' ? [{ certainty: verdict.certainty, right: verdict.name === expected }] : [],
  )
  for (const [certainty, group] of Map.groupBy(decided, (each) => each.certainty)) {
    const right = group.filter((each) => each.right).length / group.length
    print(`certainty ${certainty}: ${group.length} parts, ${(100 * right).toFixed(1)}% right`)
    expect(certainty).toBeGreaterThanOrEqual(MIN_PART_CERTAINTY)
    // One part more or less decides a small group.
    expect(Math.abs(right - certainty)).toBeLessThanOrEqual(0.05 + 1 / group.length)
  }
})

test('an unsure part lists likely categories, whose certainties add up to less than a match', () => {
  const { verdict, partType } = parts.match('Front door handle LH', 'Glass')
  expect(partType).toBe('front door handle')
  if (verdict.kind === 'known') throw new Error(`it is a ${verdict.name}`)
  expect(verdict.candidates.map(({ name }) => name)).toContain('Outside Door Handle')
  const sum = verdict.candidates.reduce((total, { confidence }) => total + confidence, 0)
  expect(sum).toBeLessThan(MIN_PART_CERTAINTY)
})

test('the part type leaves out side, vehicle, years and numbers, so that one decision covers all parts of a kind', () => {
  const types = ['Rotor LH', 'Toyota Camry rotor (2014)', 'rotors 5C-22'].map(
    (name) => parts.match(name, 'Brakes').partType,
  )
  expect(new Set(types)).toEqual(new Set(['rotor']))
})

test('for a name with a slash, the seller chooses between its two sides', () => {
  const asked = (name: string, word = '') => {
    const { verdict } = parts.match(name, word)
    return verdict.kind === 'known' ? verdict.name : verdict.candidates.map((candidate) => candidate.name)
  }
  expect(asked('Tailgate/Trunk Lid')).toEqual(['Tailgate', 'Trunk Lid'])
  expect(asked('Brake Rotor/Drum, Rear')).toEqual(['Brake Rotor', 'Brake Drum'])
  expect(asked('Brake Rotor/Drum, Rear', 'Brake drums')).toBe('Brake Drum')
  expect(asked('Transmission Assembly')).toEqual([
    'Automatic Transmission',
    'Manual Transmission',
    'CVT Transmission',
  ])
})

test.each([
  ['Alloy Wheel', ['Wheel', 'Rim 17', 'Rines', 'Wheel|Brakes', 'Wheel|Wheel', '17x7.5 5-spoke|Wheels']],
  ['Steel Wheel', ['Wheel (15x6, steel)', 'Wheel|Wheel, Steel', 'Rim|Steel', '15x6 steel|Wheel']],
  ['Steel Wheel', ['Rim 16 (hubcap style)']],
  ['Spare Wheel', ['Wheel, spare']],
  ['Steering Wheel', ['Wheel|Steering Wheel']],
  [undefined, ['205/55R16|Wheels']],
])('a wheel of no kind is an alloy one, unless its row says otherwise: %s', (type, rows) => {
  for (const row of rows) {
    const [name = '', word = ''] = row.split('|')
    const { verdict } = parts.match(name, word)
    expect([row, verdict.kind === 'known' ? verdict.name : undefined]).toEqual([row, type])
  }
})

test.each([
  ['MOTOR 5.3L', 'Engine Assembly'],
  ['5.7 L Motor', 'Engine Assembly'],
  ['Fan motor 5.3L', undefined],
  ['Window motor 5.3L', undefined],
])('a displacement makes no other part of it: %s', (name, type) => {
  const { verdict } = parts.match(name, '')
  if (type === undefined) expect(verdict).not.toMatchObject({ kind: 'known', name: 'Engine Assembly' })
  else expect(verdict).toMatchObject({ kind: 'known', name: type })
})

test('a part that we do not know is asked by its own name, without its side', () => {
  const types = ['Fairing, right side', 'FAIRING LH', 'Fairing'].map((name) => parts.match(name, '').partType)
  expect(types).toEqual(['Fairing', 'FAIRING', 'Fairing'])
})

test.each([
  // Any motor, until the yard's word says which.
  ['GLRF MTR', undefined],
  ['Ecm 2.4L AT', undefined],
  ['Motor', 'Engine Assembly'],
  ['A/T', 'Automatic Transmission'],
  // What follows describes it.
  ['ENG ASM W/ALT&STARTER', 'Engine Assembly'],
  ['Headlamp HID NO BALLAST', 'Headlamp Assembly'],
  ['Throttle Body, 90 DAY WARR', 'Throttle Body'],
])('without the yard’s word, %s is %s', (name, expected) => {
  const { verdict } = parts.match(name, '')
  expect(verdict.kind === 'known' ? verdict.name : undefined).toBe(expected)
})

test('a question about a word that we don’t know is not about the known word beside it', () => {
  expect(parts.match('Flibber motor', '')).toMatchObject({
    verdict: { kind: 'unsure' },
    partType: 'Flibber motor',
  })
  expect(parts.match('flibber mirror', '').partType).toBe('mirror')
  // A lamp at the front is another part than one at the rear.
  expect(parts.match('Flibbero trasero LH', '').partType).toBe('Flibbero trasero')
  expect(parts.match('Centralita motor', '').verdict).toMatchObject({ name: 'Engine Control Module' })
  expect(parts.match('DR MIRROR', '').verdict).toMatchObject({ name: 'Door Mirror' })
})

test.each([
  ['Rear Liftgate Hatch', 'Liftgate'],
  ['Front Grille Grill', 'Grille'],
  ['Driver Side Mirror', 'Door Mirror'],
  ['Starter Motor Starter', 'Starter Motor'],
])('all names of one part are that part: %s', (name, expected) => {
  expect(parts.match(name, '').verdict).toMatchObject({ kind: 'known', name: expected })
})

test.each([
  ['Headlight Fog Light', 'Fog Lamp'],
  ['Door Mirror Mirror Glass', 'Mirror Glass'],
])('of two parts the last one decides: %s', (name, expected) => {
  expect(parts.match(name, '').verdict).toMatchObject({ kind: 'known', name: expected })
})
