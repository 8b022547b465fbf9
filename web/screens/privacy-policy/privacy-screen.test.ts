import { expect, test } from 'vitest'
import { DAYS_TO_REOPEN } from '#contract/account/accounts.ts'
import { daysToReopen } from './privacy-screen.tsx'

test('the policy names the days after which a closed account is erased', () => {
  expect(daysToReopen).toBe(DAYS_TO_REOPEN)
})
