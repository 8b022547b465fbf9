import type { Plan } from '#web/paths.ts'

/** `soon`: promised by the plan, but not built yet. */
export type PlanFeature = { text: string; soon?: true }
export type PlanOffer = {
  plan: Plan
  name: string
  priceDollars: number
  for: string
  features: readonly PlanFeature[]
}

/** The two plans, worded as in the spec (sections 1 and 9). */
export const freePlan: PlanOffer = {
  plan: 'free',
  name: 'Starter Seller',
  priceDollars: 0,
  for: 'For yards and people who list parts one at a time.',
  features: [
    { text: 'Unlimited part listings' },
    { text: 'Standard placement' },
    { text: 'Payout onboarding via Stripe Connect' },
    { text: 'Community support' },
  ],
}

export const proPlan: PlanOffer = {
  plan: 'pro',
  name: 'Pro Seller',
  priceDollars: 149,
  for: 'For dealers with a yard system and a full inventory.',
  features: [
    { text: 'Everything in Starter Seller' },
    { text: 'Bulk import of your inventory' },
    { text: 'Billing portal access' },
    { text: 'Priority placement', soon: true },
    { text: 'Promo placements and boosts', soon: true },
    { text: 'Advanced analytics', soon: true },
  ],
}
