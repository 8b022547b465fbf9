import { z } from 'zod'
import { linkToken } from '#contract/account/accounts.ts'
import { phoneField } from '#contract/text/phone.ts'
import { emailAddress, requiredLine } from '#contract/text/text-fields.ts'
import { delivery } from './order-quote.ts'
import { ifMissingChoices, UNPAID_HOLDS } from './order-steps.ts'
import { amount, shipTo } from './order-views.ts'

/* What a buyer sends to buy a part, or several of one yard. */

export const MAX_QUANTITY = 99

const quantity = z
  .number('Quantity must be a number')
  .int('Quantity must be a whole number')
  .min(1, 'Quantity starts at 1')
  .max(MAX_QUANTITY, `Quantity can be at most ${MAX_QUANTITY}`)
  .default(1)

/** Who buys, and how it gets there. */
const buyerFields = {
  email: emailAddress,
  name: requiredLine('Name', 80),
  phone: phoneField('Phone', 40),
  delivery,
  /** Required if it is shipped. */
  address: shipTo.optional(),
  /** The buyer's vehicle; the yard confirms that the part fits it. */
  vin: z
    .string()
    .trim()
    .toUpperCase()
    .regex(/^([A-HJ-NPR-Z0-9]{17})?$/, 'A VIN has 17 letters and digits, without I, O and Q')
    .optional(),
  /** The total that the buyer saw; null if the yard names the shipping price first. */
  expectedTotal: amount('expectedTotal').nullable().default(null),
}

type Context = z.core.$RefinementCtx
function requireAddress(given: { delivery: string; address?: unknown }, context: Context): void {
  if (given.delivery !== 'ship' || given.address) return
  context.addIssue({ code: 'custom', path: ['address'], message: 'Enter the address to ship to' })
}

export const purchase = z
  .object({
    ...buyerFields,
    quantity,
    /** Of the conversation whose accepted offer this pays. */
    conversation: linkToken.optional(),
  })
  .superRefine(requireAddress)
export type Purchase = z.output<typeof purchase>
export type PurchaseForm = z.input<typeof purchase>

export const items = z
  .array(z.object({ slug: z.string('Name the part by its slug').trim().min(1).max(300), quantity }))
  .min(1, 'Choose at least one part')
  .max(UNPAID_HOLDS.partsByBuyer, `An order can have at most ${UNPAID_HOLDS.partsByBuyer} parts`)
  .superRefine((given, context) => {
    for (const [at, { slug }] of given.entries()) {
      if (given.findIndex((other) => other.slug === slug) === at) continue
      const message = 'This part is in the list twice. Use its quantity'
      context.addIssue({ code: 'custom', path: [at], message })
    }
  })

export const purchaseOfParts = z
  .object({
    ...buyerFields,
    /** Parts of one yard. */
    items,
    /** If the yard cannot find one of several: send the others, or cancel everything. */
    ifMissing: z.enum(ifMissingChoices, 'Choose send or cancel').optional(),
  })
  .superRefine(requireAddress)
  .superRefine((given, context) => {
    if (given.items.length === 1 || given.ifMissing !== undefined) return
    const message = 'Choose what happens if one part is missing: send the others, or cancel everything'
    context.addIssue({ code: 'custom', path: ['ifMissing'], message })
  })
export type PurchaseOfParts = z.input<typeof purchaseOfParts>
