import { describe, expect, test } from 'vitest'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import { checkCells, fieldsOf, goodRow, issuesOf, YEAR } from '#tests/support/checked-row.ts'
import { compileRowCheck } from './check-row.ts'

/* Fields that a file has in more than one column, as rows are checked with them. */

test('further picture columns are joined to the mapped one, unless another field uses them', () => {
  const at = (number: number) => `https://cdn.example.com/${number}.jpg`
  const good: Record<string, string> = {
    ...goodRow,
    'Image 2': at(2),
    imageUrl3: at(3),
    Photo: at(4),
    pictures: '5',
  }
  const header = Object.keys(good)
  const mapping = Object.fromEntries(Object.keys(goodRow).map((field) => [field, field])) as ImportMapping
  const pictures = (changes: ImportMapping) => {
    const check = compileRowCheck({ header, mapping: { ...mapping, ...changes }, defaults: {}, year: YEAR })
    return fieldsOf(check(Object.values(good))).imageUrl
  }
  expect(pictures({})).toBe([goodRow.imageUrl, at(2), at(3), at(4)].join(' | '))
  expect(pictures({ h1: 'Photo' })).toBe([goodRow.imageUrl, at(2), at(3)].join(' | '))
})

test('a day that the car was built gives its year, and the driver may sit on the right', () => {
  const header = ['Part', 'Make', 'Model', 'Build Date', 'Price (AUD)', 'Side']
  const mapping = {
    partname: 'Part',
    partmanu: 'Make',
    partmodel: 'Model',
    partyear: 'Build Date',
    partprice: 'Price (AUD)',
    partside: 'Side',
  }
  const answers = [
    { id: 'currency:Price (AUD)', kind: 'currency' as const, column: 'Price (AUD)', use: 0.65 },
  ]
  const rules = { header, mapping, defaults: {}, year: YEAR, answers }
  const right = compileRowCheck({ ...rules, isDriverOnRight: true })
  const read = (day: string, side: string) =>
    fieldsOf(right(['Door Mirror', 'Ford', 'Ranger', day, '100', side]))
  expect(read('2015-12-01', 'Drivers side')).toMatchObject({ partyear: '2015', partname: 'Door Mirror RH' })
  expect(read('Mar-14', 'P/S')).toMatchObject({ partyear: '2014', partname: 'Door Mirror LH' })
  expect(read('03/2014', 'Left')).toMatchObject({ partyear: '2014', partname: 'Door Mirror Left' })
})

test('the price of a pair is not the price of one', () => {
  const headlights = { partname: 'Headlights', partdescription: 'Clear' }
  expect(fieldsOf(checkCells({ ...headlights, partprice: '$150 pair', partquantity: '4' }))).toMatchObject({
    partprice: '150',
    partquantity: '2',
    partdescription: 'The price is for the pair.\nClear',
  })
  expect(fieldsOf(checkCells({ ...headlights, partprice: 'set of 4 $1,200' })).partprice).toBe('1200')
  expect(fieldsOf(checkCells({ partname: 'Headlight LH', partprice: '$69/ea' })).partprice).toBe('69')
  const [issue] = issuesOf(checkCells({ partname: 'Headlight LH', partprice: '$150/pr' }))
  expect(issue).toMatchObject({ column: 'partprice', code: 'INVALID_PRICE', value: '$150/pr' })
  expect(issuesOf(checkCells({ partname: 'Headlights (pair)', partprice: '75 ea' }))).toHaveLength(1)
})

describe('columns beside a part’s own', () => {
  const named = (extra: Record<string, string>, more: ImportMapping = {}) => {
    const good: Record<string, string> = { ...goodRow, ...extra }
    const mapping = Object.fromEntries(Object.keys(goodRow).map((field) => [field, field])) as ImportMapping
    const rules = { header: Object.keys(good), mapping: { ...mapping, ...more }, defaults: {}, year: YEAR }
    return compileRowCheck(rules)(Object.values(good))
  }
  test('an end and a side are both added to the name, and compared with it', () => {
    const sided = { partside: 'L/R' } as const
    const door = { ...goodRow, partname: 'Door' }
    expect(fieldsOf(named({ ...door, 'F/R': 'R', 'L/R': 'L' }, sided))).toMatchObject({
      partname: 'Door Rear LH',
      partside: 'Rear LH',
    })
    expect(fieldsOf(named({ ...door, 'F/R': 'F' }))).toMatchObject({ partname: 'Door Front' })
    expect(fieldsOf(named({ ...door, partname: 'Rear door', 'F/R': 'R', 'L/R': '' }, sided))).toMatchObject({
      partname: 'Rear door',
    })
    const [issue] = issuesOf(named({ ...door, partname: 'Rear door', 'F/R': 'F' }))
    expect(issue).toMatchObject({ column: 'F/R', code: 'CONTRADICTING_SIDE' })
  })
  test('a sale price goes before the price', () => {
    const price = { partprice: 'price' } as const
    expect(fieldsOf(named({ price: '55.00 USD', sale_price: '35.00 USD' }, price)).partprice).toBe('35.00')
    expect(fieldsOf(named({ price: '55.00 USD', sale_price: '' }, price)).partprice).toBe('55.00')
  })
})

const joining = (header: readonly string[], mapping: ImportMapping) => {
  const names = ['Part', 'Make', 'Model', 'Price']
  const check = compileRowCheck({
    header: [...names, ...header],
    mapping: { partname: 'Part', partmanu: 'Make', partmodel: 'Model', partprice: 'Price', ...mapping },
    defaults: { partyear: '2001' },
    year: YEAR,
  })
  return (...cells: string[]) => fieldsOf(check(['Hood', 'Ford', 'Focus', '85', ...cells]))
}

test.each(['Yr To', 'Year End', 'Thru', 'YearTo', 'Last Year', 'Thru Yr', 'Año hasta', 'bis Baujahr'])(
  'the years go on to those in “%s”',
  (last) => {
    const years = joining(['Yr', last], { partyear: 'Yr' })
    const cells = [
      ['2008', '2012'],
      ['08', '12'],
      ['2008', '2008'],
      ['2008', ''],
      ['2008', 'up'],
      ['2008', '0'],
      ['2008-2010', '2012'],
    ] as const
    expect(cells.map(([from, to]) => years(from, to).partyear)).toEqual([
      ...['2008-2012', '2008-2012', '2008', '2008', '2008-2026', '2008', '2008-2010'],
    ])
    const split = joining(['Yr', last], { split: { from: 'Yr', as: 'years' } })
    expect(split('2008', '2012').partyear).toBe('2008-2012')
  },
)

test('other columns are no last years', () => {
  const years = joining(['Yr', 'End of line', 'Thru'], { partyear: 'Yr' })
  expect(years('2008', '2012', '2013').partyear).toBe('2008')
})

test('miles come from the other column of distances where their own has none', () => {
  const miles = joining(['Kilometerstand', 'Meilen'], { partmiles: 'Meilen' })
  expect(
    [miles('160000', '99000'), miles('160000', ''), miles('', '')].map(({ partmiles }) => partmiles),
  ).toEqual(['99000', '99419', undefined])
  expect(joining(['Odo km', 'Odo mi'], { partmiles: 'Odo km' })('', '99000').partmiles).toBe('99000')
})
