import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { isOneLine, notOneLine } from '#contract/text/one-line.ts'
import { phoneField } from '#contract/text/phone.ts'
import { stateCode } from '#contract/text/us-states.ts'
import {
  nameOfDay,
  type PolicyKind,
  policyLabels,
  type TimeZone,
  timeZones,
  type Weekday,
} from './yard-words.ts'

/* The yard profile: location, hours and terms. */

/** Maximum characters. */
export const longestOfYard = { street: 120, city: 80, state: 40, phone: 40, policy: 600 } as const

const line = (label: string, longest: number) =>
  z
    .string(`${label} must be text`)
    .trim()
    .max(longest, { error: `${label} can have at most ${longest} characters`, abort: true })
    .refine((text) => text === '' || isOneLine(text), notOneLine(label))

const policyText = (kind: PolicyKind) =>
  z
    .string(`${policyLabels[kind]} must be text`)
    .trim()
    .max(longestOfYard.policy, `${policyLabels[kind]} can have at most ${longestOfYard.policy} characters`)

const timesOf = (day: Weekday) => {
  const time = (verb: 'opening' | 'closing') => {
    const problem = `${nameOfDay(day)}: enter the ${verb} time, such as ${verb === 'opening' ? '08:00' : '17:00'}`
    return z.string(problem).regex(/^([01]\d|2[0-3]):[0-5]\d$/, problem)
  }
  return z
    .object({ opens: time('opening'), closes: time('closing') })
    .refine(({ opens, closes }) => opens !== closes || opens === '00:00', {
      path: ['closes'],
      error: `${nameOfDay(day)}: the closing time is the opening time. For 24 hours, enter 12:00 AM twice.`,
    })
    .nullable()
}

export const openingHours = z.object({
  monday: timesOf('monday'),
  tuesday: timesOf('tuesday'),
  wednesday: timesOf('wednesday'),
  thursday: timesOf('thursday'),
  friday: timesOf('friday'),
  saturday: timesOf('saturday'),
  sunday: timesOf('sunday'),
})

export const timeZone = z.enum(Object.keys(timeZones) as TimeZone[], 'Choose a time zone from the list')

/** '' for unstated fields. */
const yard = z.object({
  street: line('Street address', longestOfYard.street),
  city: line('City', longestOfYard.city),
  state: line('State', longestOfYard.state).overwrite(stateCode),
  zip: z
    .string('ZIP code must be text')
    .trim()
    .regex(/^(\d{5})?$/, 'A ZIP code has 5 digits'),
  phone: phoneField('Phone', longestOfYard.phone).unwrap(),
  timeZone,
  /** Null, or closed on all days, if unstated. */
  hours: openingHours.nullable(),
  policy: z.object({
    shipping: policyText('shipping'),
    returns: policyText('returns'),
    warranty: policyText('warranty'),
  }),
})
export type Yard = z.infer<typeof yard>

const yardChanges = yard.superRefine(({ street, city, state }, context) => {
  if (street === '') return
  for (const [field, value] of Object.entries({ city, state })) {
    if (value !== '') continue
    context.addIssue({ code: 'custom', path: [field], message: `Enter the ${field} of the street address` })
  }
})

const ownYard = yard.extend({
  slug: z.string(),
  /** Whether the page is public: the seller has listed something. */
  hasPage: z.boolean(),
})
export type OwnYard = z.infer<typeof ownYard>

export const yardEndpoints = endpoints({
  readYard: {
    summary: 'Your yard’s profile',
    reply: ownYard,
    errors: ['SIGNED_OUT'],
  },
  changeYard: {
    summary: 'Change your yard’s profile: address, phone, hours, shipping, returns and warranty',
    body: yardChanges,
    reply: ownYard,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})
