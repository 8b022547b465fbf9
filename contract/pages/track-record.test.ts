import { expect, test } from 'vitest'
import { averageStars, fitInWords, hasBadge, recordLines, type TrackRecord } from './track-record.ts'

const share = (count: number, of: number) => ({ count, of })
const good: TrackRecord = { confirmed: share(48, 50), shipped: share(46, 48), cameBack: share(3, 45) }

test.each<[string, Partial<TrackRecord>, boolean]>([
  ['48 of 50, 46 of 48, 3 of 45 back', {}, true],
  ['exactly 95%', { confirmed: share(19, 20) }, true],
  ['just below', { confirmed: share(94, 99) }, false],
  ['shipped too late', { shipped: share(45, 48) }, false],
  ['one of ten back', { cameBack: share(1, 10) }, true],
  ['two of nineteen back', { cameBack: share(2, 19) }, false],
  ['nine orders, all in time', { confirmed: share(9, 9) }, false],
  ['nobody has got a part yet', { cameBack: share(0, 0) }, false],
])('the badge for %s', (_name, change, expected) => {
  expect(hasBadge({ ...good, ...change })).toBe(expected)
})

test('the figures are said with what they are of, from ten orders up', () => {
  expect(recordLines(good)).toEqual([
    '48 of 50 orders confirmed in time',
    '46 of 48 orders shipped in time',
    '3 of 45 orders came back',
  ])
  expect(recordLines({ ...good, shipped: share(9, 9), cameBack: share(1200, 20000) })).toEqual([
    '48 of 50 orders confirmed in time',
    '1,200 of 20,000 orders came back',
  ])
})

test.each([
  [4, 20, null],
  [5, 21, 4.2],
  [5, 25, 5],
  [7, 30, 4.3],
])('%i reviews with %i stars: %s', (reviews, stars, average) => {
  expect(averageStars({ reviews, stars })).toBe(average)
})

const accords = { make: 'Honda', model: 'Accord', from: 2013, to: 2017, bought: 14, cameBack: 1 }
test.each([
  [{}, 'Bought for 14 Honda Accords (2013–2017), 1 came back as not fitting'],
  [{ to: 2013 }, 'Bought for 14 Honda Accords (2013), 1 came back as not fitting'],
  [{ from: null }, 'Bought for 14 Honda Accords, 1 came back as not fitting'],
  [{ cameBack: 0 }, 'Bought for 14 Honda Accords (2013–2017), none came back as not fitting'],
  [
    { make: 'BMW', model: '3 Series' },
    'Bought for 14 BMW 3 Series vehicles (2013–2017), 1 came back as not fitting',
  ],
])('evidence in words: %j', (change, words) => {
  expect(fitInWords({ ...accords, ...change })).toBe(words)
})
