import { expect, test } from 'vitest'
import { mailingOf } from './message-limit.ts'

test.each([
  [1, { mailed: true, last: false }],
  [59, { mailed: true, last: false }],
  [60, { mailed: true, last: true }],
  [61, { mailed: false, last: false }],
  [5_000, { mailed: false, last: false }],
])('message %d of an hour: %o', (count, mailing) => {
  expect(mailingOf(count)).toEqual(mailing)
})
