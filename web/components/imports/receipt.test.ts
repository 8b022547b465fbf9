import { expect, test } from 'vitest'
import type { ImportRecord } from '#contract/imports.ts'
import { appliedTitle } from './receipt.tsx'

const none = { create: 0, update: 0, unchanged: 0, ended: 0, merged: 0, rejected: 0, held: 0 }
const plan = (counts: Partial<typeof none>) =>
  ({
    ...none,
    ...counts,
    id: '',
    version: 1,
    newNames: { category: [], manufacturer: [], model: [] },
  }) satisfies ImportRecord['plan']

test.each([
  [3, { create: 3 }, 'Your parts are live'],
  [3, { create: 3, held: 200 }, 'Your parts are live'],
  [0, { unchanged: 3 }, 'Your listings were already up to date'],
  [0, { create: 165, held: 3 }, 'Your parts are live'],
  [0, { rejected: 3 }, 'None of your rows could be used'],
  [0, { held: 200 }, 'Nothing is live yet. We need a few answers first.'],
  [0, { held: 200, unchanged: 3 }, 'Nothing new is live yet. We need a few answers first.'],
])('%i changes of %j: %s', (total, counts, title) => {
  expect(appliedTitle({ progress: { done: total, total }, plan: plan(counts) })).toBe(title)
})
