import { z } from 'zod'

/** Maximum characters of each listing default. */
export const longestDefaults = {
  city: 80,
  state: 40,
  dealerName: 120,
  dealerPhone: 40,
  grade: 20,
  shipping: 40,
  license: 40,
} as const

/** Schema of a default's text, with an error message. */
export function defaultText(field: keyof typeof longestDefaults, label: string) {
  const longest = longestDefaults[field]
  return z.string().trim().max(longest, `${label} can have at most ${longest} characters`).optional()
}

/** Prefills a new listing; as typed by the seller, with grade and shipping in the form’s wording. */
export const listingDefaults = z.object({
  city: defaultText('city', 'City'),
  state: defaultText('state', 'State'),
  dealerName: defaultText('dealerName', 'Dealer name'),
  dealerPhone: defaultText('dealerPhone', 'Dealer phone'),
  grade: defaultText('grade', 'Condition/grade'),
  shipping: defaultText('shipping', 'Shipping'),
  /** A dismantler’s license, which some parts need (`listing/restricted-parts.ts`). */
  license: defaultText('license', 'License'),
})
export type ListingDefaults = z.infer<typeof listingDefaults>
