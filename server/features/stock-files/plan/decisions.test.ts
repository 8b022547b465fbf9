import { describe, expect, test } from 'vitest'
import type { ReviewReason } from '#server/features/stock-files/promotion/promotions.ts'
import { afterPlanning, type PlanFigures, reviewReasons } from './decisions.ts'

const calm: PlanFigures = {
  rows: 1_000,
  mode: 'replace',
  newNames: 0,
  rowsWithNewNames: 0,
  toEnd: 0,
  liveSourced: 1_000,
  unreadRows: 0,
}

describe('why a plan needs a review', () => {
  test.each<[string, Partial<PlanFigures>, string[]]>([
    ['nothing unusual', {}, []],
    ['50 new names', { newNames: 50, rowsWithNewNames: 50 }, []],
    ['51 new names', { newNames: 51, rowsWithNewNames: 50 }, ['new-names']],
    ['a few new names on any number of rows', { newNames: 10, rowsWithNewNames: 1_000 }, []],
    ['more of them on 5% of the rows', { newNames: 11, rowsWithNewNames: 50 }, []],
    ['more of them on more than 5% of the rows', { newNames: 11, rowsWithNewNames: 51 }, ['new-name-rows']],
    ['rows that could not be read end nothing', { unreadRows: 3 }, []],
    ['an end where rows could not be read', { toEnd: 1, unreadRows: 1 }, ['endings']],
    ['a fifth of the parts ends', { toEnd: 200 }, []],
    ['more than a fifth of the parts ends', { toEnd: 201 }, ['endings']],
    ['no rows at all', { rows: 0, liveSourced: 0 }, []],
    ['an empty stock ends everything', { rows: 0, toEnd: 1_000 }, ['endings']],
    [
      'everything at once',
      { newNames: 60, rowsWithNewNames: 60, toEnd: 999 },
      ['new-names', 'new-name-rows', 'endings'],
    ],
  ])('%s', (_, figures, codes) => {
    expect(reviewReasons({ ...calm, ...figures }, true).map(({ code }) => code)).toEqual(codes)
  })

  test('the seller decides about new names, or an administrator if imports are reviewed', () => {
    const sentence = (byItself: boolean) =>
      reviewReasons({ ...calm, newNames: 60 }, byItself).map(({ message }) => message)
    expect(sentence(true)).toEqual([
      '60 names of categories, manufacturers or models are new. That is more than 50 new names: check them before they go live.',
    ])
    expect(sentence(false)).toEqual([
      '60 names of categories, manufacturers or models are new. Imports with more than 50 new names are reviewed by an administrator.',
    ])
  })

  test('the sentence gives the numbers', () => {
    const [reason] = reviewReasons({ ...calm, toEnd: 2_345, liveSourced: 7_000 }, true)
    expect(reason?.message).toBe(
      '2,345 of 7,000 live parts (33.5%) are not in this file and would be taken down; more than 20% need a second look.',
    )
  })
})

describe('what comes after a plan', () => {
  const endings: ReviewReason[] = [{ code: 'endings', message: '' }]
  const names: ReviewReason[] = [{ code: 'new-names', message: '' }]
  const calmPlan = {
    reasons: [] as ReviewReason[],
    toEnd: 0,
    approved: false,
    endingsSeen: 0,
    byItself: false,
  }
  test.each<[string, Partial<typeof calmPlan>, string]>([
    ['a seller who is not trusted waits', {}, 'wait'],
    ['a trusted seller goes live', { byItself: true }, 'apply'],
    ['a review stops a trusted seller', { reasons: names, byItself: true }, 'review'],
    ['an approval covers the names', { reasons: names, approved: true }, 'apply'],
    ['but not endings that were not seen', { reasons: endings, toEnd: 10, approved: true }, 'review'],
    ['endings that were seen', { reasons: endings, toEnd: 10, approved: true, endingsSeen: 10 }, 'apply'],
    [
      'more endings than were seen',
      { reasons: endings, toEnd: 11, approved: true, endingsSeen: 10 },
      'review',
    ],
  ])('%s', (_, changes, outcome) => {
    const { reasons, toEnd, ...approval } = { ...calmPlan, ...changes }
    expect(afterPlanning(reasons, toEnd, approval)).toBe(outcome)
  })
})
