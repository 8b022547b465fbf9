import { z } from 'zod'
import { adminErrors, byId, endpoints } from '#contract/endpoint.ts'
import { sellerOrder } from '#contract/order/order-views.ts'
import { photoIds } from '#contract/order/returns/return-views.ts'
import { requiredText } from '#contract/text/text-fields.ts'
import { adminDispute, evidenceBody } from './dispute-views.ts'

/* Disputes: the yard says what happened, an administrator answers the bank. */

const ofAdmin = [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED', 'STATE'] as const

export const disputeEndpoints = endpoints({
  answerDispute: {
    summary: 'Say what happened with a disputed order; it goes into the evidence for the bank',
    params: byId,
    body: z.object({
      text: requiredText('Answer', 4_000),
      /** The photos of the answer; without, those that it has stay. */
      photoIds: photoIds.optional(),
    }),
    reply: sellerOrder,
    errors: ['SIGNED_OUT', 'NOT_FOUND', 'VALIDATION_FAILED', 'STATE'],
  },
  readDispute: {
    summary: 'The newest dispute of an order with the evidence for the bank: as saved, or as the order says',
    params: byId,
    reply: adminDispute,
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  readEvidencePhoto: {
    summary:
      'A photo of the evidence: a picture of the listing, or one that the buyer sent with a return or claim',
    params: z.object({ id: z.uuid(), photoId: z.uuid() }),
    reply: 'binary',
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  saveEvidence: {
    summary: 'Save the evidence of a dispute without sending it',
    params: byId,
    body: evidenceBody,
    reply: adminDispute,
    errors: ofAdmin,
  },
  submitEvidence: {
    summary: 'Send the evidence of a dispute to the bank; it can be sent once',
    params: byId,
    body: evidenceBody,
    reply: adminDispute,
    errors: ofAdmin,
  },
})
