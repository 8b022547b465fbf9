import { expect, test } from 'vitest'
import { listingYears, narrowedYear, readYearSpan, wasSold, yearSpanText } from './year-span.ts'

test.each([
  ['2012', { from: 2012, to: 2012 }],
  ['2012-2015', { from: 2012, to: 2015 }],
  ['2012–2015', { from: 2012, to: 2015 }],
  ['2015-2012', undefined],
  ['2012-15', undefined],
  ['12', undefined],
  ['2012 2015', undefined],
  ['', undefined],
])('%s', (text, span) => {
  expect(readYearSpan(text)).toEqual(span)
  if (span) expect(readYearSpan(yearSpanText(span))).toEqual(span)
})

test('a listing’s years in its form', () => {
  expect(listingYears({ partyear: '2012', partyearto: null })).toBe('2012')
  expect(listingYears({ partyear: '2012', partyearto: '2015' })).toBe('2012-2015')
})

test('a span that is narrowed to its first year is sent with both ends', () => {
  expect(narrowedYear('2012-2015', '2012')).toBe('2012-2012')
  expect(narrowedYear('2012-2015', '2013')).toBe('2013')
  expect(narrowedYear('2012', '2012')).toBe('2012')
  expect(narrowedYear('2012-2015', 'soon')).toBe('soon')
})

test.each([
  ['2012', true],
  ['2009', true],
  ['2008', false],
  ['2016-2018', true],
  ['2017-2018', false],
  ['2023', true],
  ['2030', true],
])('a model of 2010-2015 and 2024 was sold in %s: %s', (text, sold) => {
  const years = [
    [2010, 2015],
    [2024, 2024],
  ] as const
  expect(wasSold(years, readYearSpan(text))).toBe(sold)
  expect(wasSold([], readYearSpan(text))).toBe(true)
})
