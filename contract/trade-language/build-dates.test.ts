import { expect, test } from 'vitest'
import { isOfBuildDates, readYears, yearOfDate } from './years.ts'

/* Days and months that a car was built in or first registered. */

test.each([
  ['2015-12-01', '2015'],
  ['2014/03', '2014'],
  ['1/12/2015', '2015'],
  ['Mar-14', '14'],
  ['March 2014', '2014'],
  ['03/14', '14'],
])('“%s” is of %s', (text, year) => {
  expect(yearOfDate(text)).toBe(year)
})

test.each(['2014', '2014-2016', 'VE', '120,000', 'Mar', '14'])('“%s” is no day', (text) => {
  expect(yearOfDate(text)).toBeUndefined()
})

test.each(['Build Date', 'build_date', 'Compliance Date', 'Mfg Date', 'EZ', 'Date of first registration'])(
  '“%s” has such days',
  (header) => {
    expect(isOfBuildDates(header)).toBe(true)
  },
)

test.each(['Years', 'Year', 'Date sold', 'Rebuilt', 'Product'])('“%s” has none', (header) => {
  expect(isOfBuildDates(header)).toBe(false)
})

test.each([
  ['11.2012', { from: 2012, to: 2012 }],
  ['04/2011', { from: 2011, to: 2011 }],
  ['2013.5', { from: 2013, to: 2013 }],
  ['MY13', { from: 2013, to: 2013 }],
])('“%s” is a year', (text, years) => {
  expect(readYears(text, 2026).years).toEqual(years)
})

test.each(['05-2012', '2012.7', '13.2012', 'Sep-13'])('“%s” is none', (text) => {
  expect(readYears(text, 2026).years).toBeUndefined()
})
