import { z } from 'zod'

/** What Stripe still needs before or so that it pays out, in its own names; the web app has the words. */
const payoutNeeds = z.object({
  /** Such as `individual.id_number`; late ones first. */
  due: z.array(z.string()),
  isLate: z.boolean(),
  /** By when, if Stripe says so. */
  deadline: z.string().nullable(),
  /** Why Stripe restricted the account, such as `platform_paused`. */
  reason: z.string().nullable(),
})
export type PayoutNeeds = z.infer<typeof payoutNeeds>

/** What the user's reply says about being paid, besides `connectStatus`. */
export const payoutFields = {
  royaltyPercent: z.number(),
  stripe_seller: z.object({ charges_enabled: z.boolean() }),
  payoutNeeds: payoutNeeds.nullable(),
}
