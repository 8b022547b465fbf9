import { z } from 'zod'
import { byId, endpoints } from '#contract/endpoint.ts'
import {
  byLink,
  namesOrder,
  ofAdmin,
  ofSeller,
  requiredReason,
  whichFields,
} from '#contract/order/order-calls.ts'
import { type Carrier, carriers } from '#contract/order/order-steps.ts'
import { adminOrder, amount, buyerOrder, line, sellerOrder } from '#contract/order/order-views.ts'
import {
  type ReturnCondition,
  type ReturnReason,
  returnConditions,
  returnKinds,
  returnReasonNames,
  returnReasons,
} from './return-steps.ts'
import { photoIds } from './return-views.ts'

/* Returns, claims and cores. Amounts are dollars. */

const words = (label: string) =>
  z.string(`${label} must be text`).trim().max(600, `${label} can have at most 600 characters`)

const reasonOf = z.enum(returnReasonNames as [ReturnReason, ...ReturnReason[]], 'Choose a reason')

const request = z
  .object({
    ...whichFields,
    kind: z.enum(returnKinds, 'Choose return, claim or core'),
    /** Of these parts, by the ids of their listings; all of the order if none is named. */
    lines: z.array(z.uuid('Name parts by their listingId')).max(20).default([]),
    reason: reasonOf.optional(),
    text: words('Text').default(''),
    photoIds: photoIds.default([]),
  })
  .refine(...namesOrder)
  .transform(({ reason, ...rest }) => ({
    ...rest,
    reason: rest.kind === 'core' ? ('core' as const) : reason,
  }))
  .superRefine(({ kind, reason }, context) => {
    if (reason !== undefined && returnReasons[reason].kind === kind) return
    const message =
      reason === undefined
        ? 'Choose a reason'
        : `“${returnReasons[reason].label}” is not a reason for a ${kind}`
    context.addIssue({ code: 'custom', path: ['reason'], message })
  })

const step = z
  .object({
    ...whichFields,
    returnId: z.uuid('returnId is the id of a return'),
    step: z.enum(['send', 'appeal', 'withdraw'], 'Choose send, appeal or withdraw'),
    carrier: z
      .enum(Object.keys(carriers) as Carrier[], `Choose one of ${Object.keys(carriers).join(', ')}`)
      .optional(),
    tracking: line('Tracking number', 60).default(''),
  })
  .refine(...namesOrder)

const answer = z
  .object({
    answer: z.enum(['approve', 'decline', 'received'], 'Choose approve, decline or received'),
    condition: z
      .enum(
        Object.keys(returnConditions) as ReturnCondition[],
        `Choose one of ${Object.keys(returnConditions).join(', ')}`,
      )
      .default('good'),
    reason: words('Reason').default(''),
    /** With approve: no restocking fee is taken off. */
    waiveFee: z.boolean('waiveFee is true or false').default(false),
    /** Of photos that the yard added. */
    photoIds: photoIds.default([]),
  })
  .superRefine(({ answer: given, condition, reason }, context) => {
    const needsReason = given === 'decline' || (given === 'received' && condition !== 'good')
    if (!needsReason || reason !== '') return
    const message = given === 'decline' ? 'Say why you decline' : 'Say what is wrong with it'
    context.addIssue({ code: 'custom', path: ['reason'], message })
  })

const decision = z
  .object({
    decision: z.enum(
      ['refund', 'refuse', 'split', 'allow'],
      'Choose refund, refuse, split or allow (the buyer sends it back first)',
    ),
    /** What goes back to the buyer, of a split. */
    amount: amount('Amount').positive('Enter an amount').optional(),
    reason: requiredReason,
  })
  .superRefine(({ decision: made, amount: given }, context) => {
    if ((made === 'split') === (given !== undefined)) return
    const message = made === 'split' ? 'Enter how much goes back to the buyer' : 'Only a split has an amount'
    context.addIssue({ code: 'custom', path: ['amount'], message })
  })

const ofReturn = z.object({ id: z.uuid(), returnId: z.uuid() })
const ofPhoto = z.object({ id: z.uuid(), photoId: z.uuid() })

export const returnEndpoints = endpoints({
  addReturnPhoto: {
    summary:
      'Add a photo, to be sent with a return or claim; nobody but the buyer, the yard and administrators sees it',
    body: z.object(whichFields).refine(...namesOrder),
    file: 'image',
    status: 201,
    reply: z.object({ id: z.uuid() }),
    errors: [...byLink, 'TOO_LARGE', 'WRONG_TYPE', 'KEY_REUSED', 'STILL_RUNNING'],
  },
  readReturnPhoto: {
    summary: 'A photo of one’s own order, also one that the yard answered with',
    body: z.object({ ...whichFields, photoId: z.uuid('photoId is the id of a photo') }).refine(...namesOrder),
    reply: 'binary',
    errors: byLink,
  },
  askReturn: {
    summary:
      'Ask to return a part, claim that something is wrong with it, or say that the core is on its way',
    body: request,
    reply: buyerOrder,
    errors: byLink,
  },
  changeReturn: {
    summary: 'Say that it was sent back, let an administrator decide after the yard declined, or withdraw it',
    body: step,
    reply: buyerOrder,
    errors: byLink,
  },
  readCoreSlip: {
    summary: 'The slip that goes with the old part of a core charge, as PDF',
    body: z.object(whichFields).refine(...namesOrder),
    reply: 'binary',
    errors: byLink,
  },
  addSellerPhoto: {
    summary: 'Add a photo, to be sent with the yard’s answer to a return, claim or dispute; never public',
    params: byId,
    file: 'image',
    status: 201,
    reply: z.object({ id: z.uuid() }),
    errors: [
      'SIGNED_OUT',
      'NOT_FOUND',
      'VALIDATION_FAILED',
      'TOO_LARGE',
      'WRONG_TYPE',
      'KEY_REUSED',
      'STILL_RUNNING',
    ],
  },
  answerReturn: {
    summary: 'Approve or decline a return or claim, or say that the part or core is back',
    params: ofReturn,
    body: answer,
    reply: sellerOrder,
    errors: ofSeller,
  },
  readSellerReturnPhoto: {
    summary: 'A photo that the buyer sent with a return or claim, or the yard with an answer',
    params: ofPhoto,
    reply: 'binary',
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
  decideReturn: {
    summary: 'Decide what yard and buyer do not agree on',
    params: ofReturn,
    body: decision,
    reply: adminOrder,
    errors: ofAdmin,
  },
  readAnyReturnPhoto: {
    summary: 'A photo that a buyer sent with a return or claim, or the yard with an answer',
    params: ofPhoto,
    reply: 'binary',
    errors: [...ofAdmin.filter((code) => code !== 'STATE' && code !== 'VALIDATION_FAILED')],
  },
})
