import { describe, expect, test } from 'vitest'
import { isVin, numberOf, shapesOf, type ValueShape } from './value-shapes.ts'

describe('a value looks like', () => {
  test.each<[string, ValueShape, ...ValueShape[]]>([
    ['2012', 'year', 'amount'],
    ['2012-2015', 'years'],
    ['2012-15', 'years'],
    ['$1,299.00', 'money'],
    ['1.299,00', 'money'],
    ['$150 pair', 'money'],
    ['set of 4 $400', 'money'],
    ['85', 'amount', 'quantity'],
    ['(918) 555-0142', 'phone'],
    ['+1 918.555.0142', 'phone'],
    ['918-555-0142 x12', 'phone'],
    ['74103', 'zip'],
    ['74103-1234', 'zip'],
    ['1HGCM82633A004352', 'vin', 'vinShaped'],
    ['300-01687', 'interchange'],
    ['27060-0V210', 'partNumber'],
    ['BL3Z-13008-C', 'partNumber'],
    ['31100-R40-A01', 'partNumber'],
    ['1K0 941 005 B', 'partNumber'],
    ['56029700AB', 'partNumber'],
    ['A', 'grade'],
    ['b+', 'grade', 'gradeMarked'],
    ['Grade A', 'grade', 'gradeMarked'],
    ['150k', 'miles', 'milesMarked'],
    ['150,000', 'miles'],
    ['https://yard.example/1.jpg', 'url', 'picture'],
    ['OK', 'state'],
    ['Oklahoma', 'state'],
    ['St. Louis', 'city', 'place'],
    ['Free', 'shipping'],
    ['Green Country Salvage', 'business'],
    ['1/2/2024', 'date'],
    ['XLT', 'trim'],
    ['Runs quiet, no leaks seen', 'sentence'],
  ])('%s: %s', (text, ...shapes) => {
    expect(shapesOf(text)).toEqual(expect.arrayContaining(shapes))
  })
})

describe('a value does not look like', () => {
  test.each<[string, ValueShape, ...ValueShape[]]>([
    ['2O19', 'year'],
    ['1/2/2024', 'year', 'amount', 'partNumber'],
    ['118-555-0142', 'phone'],
    ['9185550142123', 'phone'],
    ['1HGCM82643A004352', 'vin'],
    ['11111111111111111', 'vinShaped'],
    ['300-01687', 'partNumber'],
    ['2 sets', 'amount'],
    ['pair', 'amount'],
    ['E', 'grade'],
    ['85.00 inc VAT', 'business'],
    ['Parts Income', 'business'],
    ['450000', 'miles'],
    ['FixedPrice', 'place'],
    ['', 'code'],
  ])('%s: %s', (text, ...shapes) => {
    for (const shape of shapes) expect(shapesOf(text)).not.toContain(shape)
  })
})

test('a VIN may have X as its check digit', () => {
  expect(isVin('1M8GDM9AXKP042788')).toBe(true)
  expect(isVin('1M8GDM9A1KP042788')).toBe(false)
})

test.each([
  ['$1,299.00', 1299],
  ['1.299,00', 1299],
  ['85', 85],
  ['150,000', 150_000],
  ['12,50', 12.5],
  ['call', Number.NaN],
])('%s reads as the number %d', (text, number) => {
  expect(numberOf(text)).toBe(number)
})
