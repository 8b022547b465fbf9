import { expect, test } from 'vitest'
import { listingYears, listingYearsInWords, narrowedYear, readYearSpan, yearSpanText } from './year-span.ts'

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

test('a listing’s years in its form and in words', () => {
  expect(listingYears({ partyear: '2012', partyearto: null })).toBe('2012')
  expect(listingYears({ partyear: '2012', partyearto: '2015' })).toBe('2012-2015')
  expect(listingYearsInWords({ partyear: '2012', partyearto: '2015' })).toBe('2012–2015')
})

test('a span that is narrowed to its first year is sent with both ends', () => {
  expect(narrowedYear('2012-2015', '2012')).toBe('2012-2012')
  expect(narrowedYear('2012-2015', '2013')).toBe('2013')
  expect(narrowedYear('2012', '2012')).toBe('2012')
  expect(narrowedYear('2012-2015', 'soon')).toBe('soon')
})
