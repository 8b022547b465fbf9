/* Has no schemas, which would load zod on every public page. */

/** Reasons that a visitor can choose when reporting a listing. */
export const reportReasons = {
  'wrong-part': 'Not the part described',
  'wrong-details': 'Wrong price, picture or details',
  'wrong-number': 'A part number is wrong',
  'not-for-sale': 'Already sold',
  suspicious: 'Looks like a scam',
  offensive: 'Offensive',
  other: 'Something else',
} as const
export type ReportReason = keyof typeof reportReasons

/** Reasons that a visitor or a yard can choose when reporting a review. */
export const reviewReportReasons = {
  offensive: 'Offensive',
  personal: 'Names a person, phone number or address',
  'not-about-order': 'Not about the order',
  other: 'Something else',
} as const
export type ReviewReportReason = keyof typeof reviewReportReasons
