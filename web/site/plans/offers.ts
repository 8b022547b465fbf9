import type { Plan } from '#web/paths.ts'
import { useSiteFacts } from '#web/site/head.tsx'

/** What the plan's priority placement is. */
export const featuredInWords =
  'Up to three of the first twelve results on a page are Pro sellers’ parts marked “Featured”; they come before parts that match the search equally well, never before a better match.'

/** `soon`: promised by the plan, but not built yet. */
export type PlanFeature = { text: string; soon?: true; note?: string }
export type PlanOffer = {
  plan: Plan
  name: string
  for: string
  features: readonly PlanFeature[]
}

/** What a plan costs a month, such as "$149". */
export function usePlanPrice(plan: Plan): string {
  const { proPrice } = useSiteFacts()
  return plan === 'pro' ? proPrice : '$0'
}

/** The two plans, worded as in the spec. */
export const freePlan: PlanOffer = {
  plan: 'free',
  name: 'Starter Seller',
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
  for: 'For dealers with a yard system and a full inventory.',
  features: [
    { text: 'Everything in Starter Seller' },
    { text: 'Bulk import of your inventory' },
    { text: 'Billing portal access' },
    { text: 'Priority placement', note: featuredInWords },
    { text: 'Promo placements and boosts', soon: true },
    { text: 'Advanced analytics', soon: true },
  ],
}
