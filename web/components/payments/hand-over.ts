import type { billingEndpoints } from '#contract/billing.ts'
import type { Answer } from '#contract/endpoint.ts'
import { leaveFor } from './leave-for.ts'
import { step } from './payment-action.ts'

type HandOver = Answer<typeof billingEndpoints.startFreeOnboarding>

/** Leaves for the provider's page; `mocked` runs where there is none because payments are off (spec, section 7). */
export async function follow(answer: HandOver, mocked: () => unknown): Promise<void> {
  if ('mock' in answer) await mocked()
  else await step(leaveFor(answer.url), 'Could not redirect to Stripe')
}
