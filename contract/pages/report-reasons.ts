/* Has no schemas, which would load zod on every public page. */

/** Reasons that a visitor can choose when reporting a listing. */
export const reportReasons = {
  'wrong-part': 'It is a different part',
  'wrong-details': 'Price, picture, or details are wrong',
  'not-for-sale': 'It is sold or not available',
  suspicious: 'It looks like a scam',
  offensive: 'It is offensive',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons
