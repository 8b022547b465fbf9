import type { OrderReader } from '#contract/order/order-words.ts'
import { returnSentence } from '#contract/order/returns/return-sentences.ts'
import type { ReturnStepName } from '#contract/order/returns/return-steps.ts'
import { letterToBuyer, letterToSeller } from '#server/features/money/orders/letters/order-mails.ts'
import { firstName } from '#server/features/money/orders/letters/order-words-of.ts'
import { returnLetters } from '#server/features/money/orders/letters/return-mails.ts'
import { type OrderSite, pickupOf, sendLetters } from '#server/features/money/orders/letters/telling.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import { readSellingYard, type SellingYard } from '#server/features/money/orders/quotes.ts'
import type { Db } from '#server/platform/database/database.ts'
import { shownDeadline } from './return-deadlines.ts'
import type { ReturnRow } from './return-rows.ts'
import { backCents } from './return-rules.ts'

/* What is said about a return, claim or core: its sentence, and its mails. */

export function sentenceOf(order: Order, row: ReturnRow, reader: OrderReader, now?: Date): string {
  const deadline = shownDeadline(row, order)
  const words = {
    kind: row.kind,
    state: row.state,
    reason: row.reason,
    yard: order.sellerName,
    buyer: firstName(order.name),
    amountCents: backCents(row),
    wayBack: row.wayBack,
    deadline: deadline && { at: deadline.toISOString(), zone: order.timeZone },
  }
  return returnSentence(words, reader, now)
}

/** The yard's name and address, a line each; none if it has not told us its street. */
export function sendToOf(order: Order, yard: SellingYard | undefined): string[] {
  const place = yard && pickupOf(yard)
  return place ? [order.sellerName, place.address] : []
}

export type ReturnMailOccasion = ReturnStepName | 'ask' | 'core' | 'reminder'

/** Queues the emails of what happened to a return, claim or core. Money that goes back has mails of its own. */
export async function tellReturn(
  trx: Db,
  { order, row }: { order: Order; row: ReturnRow },
  occasion: ReturnMailOccasion,
  deps: { now: () => Date; site: OrderSite },
): Promise<void> {
  const now = deps.now()
  const deadline = shownDeadline(row, order)
  const letters = returnLetters(occasion, {
    kind: row.kind,
    reason: row.reason,
    state: row.state,
    deadline: deadline && { at: deadline.toISOString(), zone: order.timeZone },
    amountCents: backCents(row),
    sendTo: sendToOf(order, await readSellingYard(trx, order.sellerId)),
    sentences: {
      buyer: sentenceOf(order, row, 'buyer', now),
      seller: sentenceOf(order, row, 'seller', now),
    },
  })
  if (!letters) return
  const reason = { ask: row.note, decline: row.answer, contest: row.answer, refuse: row.decision }[
    occasion as string
  ]
  const { buyer, seller } = letters
  await sendLetters(
    trx,
    order,
    {
      toBuyer: (mailed, link) => buyer && letterToBuyer(buyer, mailed, { link }, deps.site),
      toSeller: (mailed, receiver) => seller && letterToSeller(seller, mailed, receiver, deps.site),
    },
    { ...deps, reason: reason ?? '' },
  )
}
