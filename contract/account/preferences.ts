import { z } from 'zod'

/* What a user chose to be mailed about, and how buyers reach them. */

export const notificationPrefs = z.object({
  orderEmails: z.boolean().default(true),
  messageEmails: z.boolean().default(true),
  weeklySummary: z.boolean().default(false),
})

export const contactWay = z.enum(['email', 'phone'])
export const communicationPrefs = z.object({
  showPhonePublicly: z.boolean().default(false),
  preferredContact: contactWay.default('email'),
  takesOffers: z.boolean().default(true),
})
