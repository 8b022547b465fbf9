import type { Plan } from '#web/paths.ts'

export type PlanOffer = { plan: Plan; name: string; priceDollars: number; for: string; features: string[] }

/** The two plans, worded as in the spec (sections 1 and 9). */
export const freePlan: PlanOffer = {
  plan: 'free',
  name: 'Starter Seller',
  priceDollars: 0,
  for: 'For yards and people who list parts one at a time.',
  features: [
    'Unlimited part listings',
    'Standard placement',
    'Payout onboarding via Stripe Connect',
    'Community support',
  ],
}

export const proPlan: PlanOffer = {
  plan: 'pro',
  name: 'Pro Seller',
  priceDollars: 149,
  for: 'For dealers with a yard system and a full inventory.',
  features: [
    'Everything in Starter Seller',
    'Bulk import of your inventory',
    'Priority placement',
    'Promo placements and boosts',
    'Advanced analytics',
    'Billing portal access',
  ],
}
