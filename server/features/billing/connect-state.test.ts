import { expect, test } from 'vitest'
import { connectState, type PayoutAccount } from './connect-state.ts'

const bools = [false, true]
const every = bools.flatMap((detailsSubmitted) =>
  bools.flatMap((chargesEnabled) =>
    bools.map((payoutsEnabled) => ({ detailsSubmitted, chargesEnabled, payoutsEnabled })),
  ),
)
const account = (changes: Partial<PayoutAccount>): PayoutAccount => ({
  id: 'acct_1',
  detailsSubmitted: true,
  chargesEnabled: true,
  payoutsEnabled: true,
  disabledReason: null,
  ...changes,
})

function expected({ detailsSubmitted, chargesEnabled, payoutsEnabled }: (typeof every)[number]) {
  if (!detailsSubmitted) return 'IN_PROGRESS'
  return chargesEnabled && payoutsEnabled ? 'VERIFIED' : 'PENDING'
}

test.each(every)('$detailsSubmitted, $chargesEnabled, $payoutsEnabled', (facts) => {
  for (const disabledReason of [null, 'requirements.past_due', 'under_review', 'listed']) {
    expect(connectState(account({ ...facts, disabledReason }))).toEqual({
      connectStatus: expected(facts),
      chargesEnabled: facts.chargesEnabled,
    })
  }
  for (const disabledReason of ['rejected.fraud', 'rejected.terms_of_service', 'rejected.other']) {
    expect(connectState(account({ ...facts, disabledReason })).connectStatus).toBe('REJECTED')
  }
})
