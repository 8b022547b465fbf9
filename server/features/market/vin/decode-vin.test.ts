import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { withCheckDigit } from '#contract/vehicle/vin-rules.ts'
import { openVinDecoder } from './decode-vin.ts'
import { fixedMatches, readVinPatterns, type VinPatterns } from './vin-patterns.ts'

const patterns = await readVinPatterns()
const decoder = openVinDecoder(patterns, () => new Date('2026-11-01'))

describe('a pattern', () => {
  const fixed = (keys: string, vin: string) => fixedMatches(keys, [0, keys.length], vin)
  const vin = '1HGCM82633A004352'

  test.each([
    ['CM826', 5],
    ['CM8**', 3],
    ['*', 0],
    ['**[6-9]2#', 3],
    ['C[A-CM]8', 3],
    ['C[A-CN]8', undefined],
    ['C#', undefined],
    ['CM8##|3A', 7],
    ['CM8##|3[B-D]', undefined],
    ['[S-]M', undefined],
    ['[C-]M', 2],
  ])('%s matches %s positions', (keys, positions) => {
    expect(fixed(keys, vin)).toBe(positions)
  })

  test('never throws, and a wildcard never matches less', () => {
    const key = fc.constantFrom('*', 'exact', 'set')
    fc.assert(
      fc.property(fc.array(key, { minLength: 5, maxLength: 5 }), fc.nat(4), (kinds, at) => {
        const write = (some: readonly string[]) =>
          some.map((kind, place) => keyOf(kind, vin.charAt(3 + place))).join('')
        const exact = fixed(write(kinds), vin)
        expect(exact).toBe(kinds.filter((kind) => kind !== '*').length)
        expect(fixed(write(kinds.with(at, '*')), vin)).toBeLessThanOrEqual(exact ?? -1)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'*#|[]-A9') }), (keys) => void fixed(keys, vin)),
    )
  })
})

function keyOf(kind: string, character: string): string {
  if (kind === '*') return '*'
  return kind === 'set' ? `[${character}Z]` : character
}

test('decodes anything without an error', () => {
  const start = fc.constantFrom('1FT', '1GC', '1C6', 'JHM', '1G9', 'ZZZ')
  const rest = fc.string({
    unit: fc.constantFrom(...'0123456789ABCDEFGHJKLMNPRSTUVWXYZ'),
    minLength: 14,
    maxLength: 14,
  })
  fc.assert(
    fc.property(start, rest, (maker, others) => {
      const { car, problems, valid } = decoder.decode(maker + others)
      expect(valid || problems.length > 0).toBe(true)
      for (const known of Object.values(car)) {
        if ('certainty' in known) expect(known.certainty > 0 && known.certainty <= 1).toBe(true)
      }
    }),
    { numRuns: 500 },
  )
})

test('says what is wrong, and halves what it is sure of', () => {
  const { valid, problems, car } = decoder.decode('1HGCM82643A004352')
  expect(valid).toBe(false)
  expect(problems).toEqual(['The check digit (9th character) should be 3.'])
  expect(car.model).toEqual({ value: 'Accord', certainty: 0.5 })
  expect(decoder.suggest('1HGCM82643A004352')).toContain('1HGCM82633A004352')
  expect(decoder.suggest('1HGCM82633A004352')).toEqual([])
})

test('lets a car of another market be without a check digit', () => {
  const european = decoder.decode('WVWZZZ1KZ8W123456')
  expect(european.valid).toBe(true)
  expect(european.problems[0]).toMatch(/^This VIN has no check digit/)
  // No pattern of ours knows it, so it may be one for Japan.
  expect(decoder.decode('JHMCM56557C404454'.replace(/(?<=.{8})./, '0')).valid).toBe(true)
})

test.each([
  // 5N exists since 2007, so position 7 would say the wrong 30 years.
  ['WVGZZZ5NZJM100001', 'Volkswagen', undefined],
  ['WAUZZZ8K1DA000001', 'Audi', undefined],
  ['WDD2050041R000001', 'Mercedes-Benz', undefined],
  ['WBA3A51050F000001', 'BMW', undefined],
])('a VIN for another market is no typo, and its year is open: %s', (vin, make, year) => {
  const { valid, car, problems } = decoder.decode(vin)
  expect(valid).toBe(true)
  expect([car.make?.value, car.year?.value]).toEqual([make, year])
  expect(problems).toHaveLength(2)
  expect(decoder.suggest(vin)).toEqual([])
})

test('a wrong check digit is a typo in North America and China, and for cars that were built for it', () => {
  expect(decoder.decode('1HGCM82643A004352').valid).toBe(false)
  expect(decoder.decode('LFV3A23C2G3000001'.replace(/(?<=.{8})./, 'Z')).valid).toBe(false)
  expect(decoder.decode('JHMFA16586S001234').valid).toBe(false)
})

test('takes position 7 for a car’s 30 years, and never a year to come', () => {
  const yearOf = (vin: string) => decoder.decode(withCheckDigit(vin)).car.year?.value
  expect(yearOf('1HGCM82633A004352')).toBe(2003)
  expect(yearOf('2HGFE1E58NH081047')).toBe(2022)
  expect(yearOf('1HGCM826XYA004352')).toBe(2000)
  // A truck of 2009 whose position 7 is a letter.
  expect(yearOf('1FUJGLDR69LAC9984')).toBe(2009)
})

/** Two schemas of one maker, and a maker of several makes. */
const made: VinPatterns = {
  makerOf: () => ({ wmi: '1XX', makes: ['Dodge', 'Ram', 'Jeep'], isTruck: true, schemas: [] }),
  match: (_, __, year) =>
    year < 2010
      ? []
      : [
          {
            model: { values: ['1500'], fixed: 3 },
            trim: { values: ['SLT', 'Laramie'], fixed: 1 },
            doors: { values: ['4'], fixed: 1 },
          },
          {
            model: { values: ['Wrangler'], fixed: 2 },
            body: { values: ['Sport Utility Vehicle (SUV)'], fixed: 4 },
          },
          { body: { values: ['Incomplete - Chassis Cab (Single Cab)'], fixed: 1 } },
        ],
  hasModel: (make, model) => make === 'Ram' && model === '1500',
}

test('takes the make that has the model, and what other schemas add without contradiction', () => {
  const { car } = openVinDecoder(made, () => new Date('2026-11-01')).decode(
    withCheckDigit('1XXRR7LT0FS123456'),
  )
  expect(car).toMatchObject({
    year: { value: 2015, certainty: 1 },
    make: { value: 'Ram', certainty: 1 },
    model: { value: '1500', certainty: 1 },
    trim: { value: 'SLT', certainty: 0.5 },
    body: { value: 'Chassis Cab', certainty: 1 },
    doors: { value: 4, certainty: 1 },
  })
})
