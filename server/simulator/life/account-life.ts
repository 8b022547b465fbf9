import { capabilitiesOf, type Onboarding, standing } from '#server/simulator/objects/account.ts'
import type { Account } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { changeObject } from '#server/simulator/webhooks/record-event.ts'

/** The seller's onboarding comes to this point. */
export function moveOnboarding(work: Work, account: Account, to: Onboarding): Promise<Account> {
  return changeObject(work, account, {
    fields: standing(to, capabilitiesOf(account)),
    type: 'account.updated',
  })
}
