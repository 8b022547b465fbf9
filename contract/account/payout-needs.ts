import { z } from 'zod'

/** What Stripe still needs for payouts, under its own names; the web app words them. */
const payoutNeeds = z.object({
  /** Such as `individual.id_number`; late ones first. */
  due: z.array(z.string()),
  isLate: z.boolean(),
  /** Deadline, if Stripe gives one. */
  deadline: z.string().nullable(),
  /** Why Stripe restricted the account, such as `platform_paused`. */
  reason: z.string().nullable(),
})
export type PayoutNeeds = z.infer<typeof payoutNeeds>

/** Payout fields of the user's reply, besides `connectStatus`. */
export const payoutFields = {
  royaltyPercent: z.number(),
  stripe_seller: z.object({ charges_enabled: z.boolean() }),
  payoutNeeds: payoutNeeds.nullable(),
}
