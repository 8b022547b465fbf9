import { z } from 'zod'
import { money, time } from '#contract/order/order-quote.ts'
import {
  MAX_RETURN_PHOTOS,
  type ReturnCondition,
  type ReturnReason,
  returnActions,
  returnConditions,
  returnKinds,
  returnReasonNames,
  returnStates,
} from './return-steps.ts'

/* Returns, claims and cores in the views of an order. */

/** Of photos that were added to the order before. */
export const photoIds = z
  .array(z.uuid('This is not the id of a photo'))
  .max(MAX_RETURN_PHOTOS, `Add at most ${MAX_RETURN_PHOTOS} photos`)

const wayBack = z.enum(['buyer', 'yard'])

export const orderReturn = z.object({
  id: z.uuid(),
  kind: z.enum(returnKinds),
  state: z.enum(returnStates),
  reason: z.enum(returnReasonNames as [ReturnReason, ...ReturnReason[]]),
  /** What happens next, for this reader. */
  sentence: z.string(),
  /** When it goes on by itself; null once it has ended. */
  deadline: z.object({ at: time, zone: z.string() }).nullable(),
  createdAt: time,
  /** Of these parts. */
  listingIds: z.array(z.uuid()),
  /** The buyer's words. */
  text: z.string(),
  photoIds: z.array(z.uuid()),
  /** What goes back if it is approved: without the restocking fee, with shipping and core charge where they come back. */
  amount: money,
  restockingFee: money,
  /** Who pays for sending it back; null if nothing is sent. */
  wayBack: wayBack.nullable(),
  /** Where to send it, once it is to be sent. */
  sendTo: z.array(z.string()),
  shipment: z
    .object({
      carrierName: z.string().nullable(),
      tracking: z.string(),
      url: z.string().nullable(),
      sentAt: time,
    })
    .nullable(),
  condition: z.enum(Object.keys(returnConditions) as ReturnCondition[]).nullable(),
  /** The yard's words, and ours. */
  answer: z.string().nullable(),
  /** The yard's photos. */
  answerPhotoIds: z.array(z.uuid()),
  decision: z.string().nullable(),
  actions: z.array(z.enum(returnActions)),
})
export type OrderReturn = z.infer<typeof orderReturn>

/** A reason that the buyer can give now, and what it leads to for the whole order. */
export const returnChoice = z.object({
  kind: z.enum(['return', 'claim']),
  reason: z.enum(returnReasonNames as [ReturnReason, ...ReturnReason[]]),
  until: time.nullable(),
  /** Of all parts that it can be given for. */
  amount: money,
  restockingFee: money,
  wayBack: wayBack.nullable(),
  /** What each of these parts brings alone. */
  parts: z.array(z.object({ listingId: z.uuid(), amount: money, restockingFee: money })),
  /** Included in `amount`; it comes back only if all parts of the order do. */
  shipping: money,
})
export type ReturnChoice = z.infer<typeof returnChoice>
