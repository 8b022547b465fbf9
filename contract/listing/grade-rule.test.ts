import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contradictedDamage,
  damageInWords,
  gradeOfMiles,
  isGradedByMiles,
  plainDamageCode,
  readDamageCode,
  suggestGrade,
} from './grade-rule.ts'

const now = 2026
const rank = { A: 0, B: 1, C: 2, X: -1 }

describe('damage codes', () => {
  test.each([
    ['5P1', 'Parking lot ding at 5 (1 unit)'],
    ['2d1, 4s2', 'Dent at 2 (1 unit), scratch at 4 (2 units)'],
    ['0H4', 'Hail all over (4 units)'],
    ['000', 'No damage'],
    ['001', undefined],
    ['5Z1', undefined],
    ['5P0', undefined],
    ['none', undefined],
    ['', undefined],
  ])('%s: %s', (code, words) => {
    expect(damageInWords(code)).toBe(words)
  })

  const code = fc.tuple(fc.nat(9), fc.constantFrom(...'BCDEFHJKLPRST'), fc.integer({ min: 1, max: 99 }))
  const codes = fc.array(code, { minLength: 1, maxLength: 6 })

  test('every code of the scheme is read, in any case and with any separator, and stays the same as stored', () => {
    fc.assert(
      fc.property(codes, fc.constantFrom(' ', ',', ', ', '; ', '/'), (list, between) => {
        const text = list.map((parts) => parts.join('')).join(between)
        expect(readDamageCode(text.toLowerCase())).toHaveLength(list.length)
        expect(plainDamageCode(plainDamageCode(text))).toBe(plainDamageCode(text))
      }),
    )
  })

  test('more damage is never a better grade, and never D or X', () => {
    fc.assert(
      fc.property(codes, code, (list, more) => {
        fc.pre(list.length < 6)
        const grade = (all: typeof list) =>
          suggestGrade({ damagecode: all.map((parts) => parts.join('')).join(' '), words: 'Fender', now })
            .grade
        expect(rank[grade([...list, more])]).toBeGreaterThanOrEqual(rank[grade(list)])
        expect(['A', 'B', 'C']).toContain(grade(list))
      }),
    )
  })

  test.each([
    ['000', 'A'],
    ['5P1', 'A'],
    ['5P2', 'B'],
    ['5P1 3S1', 'B'],
    ['5P3', 'C'],
    ['', 'X'],
  ])('a fender with %s is %s', (damagecode, grade) => {
    expect(suggestGrade({ damagecode, words: 'Fender', now }).grade).toBe(grade)
  })
})

describe('miles', () => {
  const gradeFor = (miles: number, year: number) => gradeOfMiles({ miles, year, now }).grade

  test.each([
    [60_000, 2025, 'A'],
    [60_001, 2025, 'B'],
    [150_000, 2016, 'A'],
    [150_001, 2016, 'B'],
    [200_000, 2010, 'A'],
    [200_001, 1990, 'C'],
    [200_000, 2020, 'B'],
  ])('%d miles of a %d car are %s', (miles, year, grade) => {
    expect(gradeFor(miles, year)).toBe(grade)
  })

  test('more miles or a newer car is never a better grade', () => {
    const miles = fc.nat(400_000)
    const year = fc.integer({ min: 1950, max: now + 1 })
    fc.assert(
      fc.property(miles, fc.nat(100_000), year, fc.nat(20), (some, more, from, later) => {
        expect(rank[gradeFor(some + more, from)]).toBeGreaterThanOrEqual(rank[gradeFor(some, from)])
        expect(rank[gradeFor(some, Math.min(from + later, now + 1))]).toBeGreaterThanOrEqual(
          rank[gradeFor(some, from)],
        )
      }),
    )
  })

  test('the newest year of a span counts, and the sentence says what decided', () => {
    const facts = { partmiles: '90,000', partyear: '2012-2022', words: 'Alternator', now }
    expect(suggestGrade(facts)).toEqual({ grade: 'B', reason: '22,500 miles a year; A has up to 15,000' })
    expect(suggestGrade({ ...facts, partyear: '2012' }).grade).toBe('A')
    expect(suggestGrade({ ...facts, partmiles: '' })).toEqual({ grade: 'X', reason: 'Miles are missing' })
    expect(suggestGrade({ ...facts, partyear: '2012', damagecode: '1J3' }).grade).toBe('C')
  })

  test.each([
    ['Engine Assembly', true],
    ['Automatic Transmission', true],
    ['A/C Compressor', true],
    ['Starter Motor', true],
    ['Engine Cover', false],
    ['Window Motor', false],
    ['Transmission Control Module', false],
    ['Front Door', false],
    ['Headlamp Assembly', false],
  ])('%s wears by the mile: %s', (words, expected) => {
    expect(isGradedByMiles(words)).toBe(expected)
  })
})

test.each([
  ['000', 'Clean door, scratched near the handle', 'scratched'],
  ['000', 'Two small dents. No rust', 'dents'],
  ['000', 'No scratches, dents or rust', undefined],
  ['000', 'Not cracked. Rust-free', undefined],
  ['000', 'Works well', undefined],
  ['5S1', 'Scratched', undefined],
  ['', 'Scratched', undefined],
])('%s with “%s” points out %s', (code, text, word) => {
  expect(contradictedDamage(code, text)).toBe(word)
})
