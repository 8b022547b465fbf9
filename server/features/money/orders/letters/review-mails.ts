import { sql } from 'kysely'
import { DAY_MS } from '#contract/order/order-steps.ts'
import { onOneLine } from '#contract/order/order-words.ts'
import { openOrderLink } from '#server/features/money/orders/order-links.ts'
import { lockOrder, type Order } from '#server/features/money/orders/orders.ts'
import { paragraphs, quote } from '#server/features/talk/mail/mail-text.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { firstName } from './order-words-of.ts'
import { listReaders, type OrderSite, queueOrderMail } from './telling.ts'

/* Emails about reviews. Both are news: nobody has to do anything. */

const titleOf = ({ lines }: Order) => onOneLine(lines[0]?.facts.title ?? '')
const starsInWords = (stars: number) => `${stars} ${stars === 1 ? 'star' : 'stars'}`

type Written = { stars: number; text: string; isChange: boolean }

/** Tells the yard's people of a review, or that its buyer changed it after the yard's answer. */
export async function mailReview(
  trx: Db,
  order: Order,
  { stars, text, isChange }: Written,
  { publicUrl, productName }: OrderSite,
): Promise<void> {
  const yard = onOneLine(order.sellerName)
  const did = isChange ? 'changed the review' : 'reviewed you'
  for (const { email } of await listReaders(trx, order.sellerId, true)) {
    await queueOrderMail(trx, order.id, {
      to: email,
      subject: `${yard}: ${onOneLine(firstName(order.name))} ${did}, ${starsInWords(stars)}, order ${order.number}`,
      button: 'Read and answer',
      body: paragraphs([
        `The buyer of order ${order.number} ${did}: ${starsInWords(stars)}.`,
        text === '' ? '' : quote(text),
        'Only you see it for 14 days. Then it is published, with your answer if you have written one.',
        `${publicUrl}/dashboard/seller/customer-reviews`,
        titleOf(order),
        `${productName} sends this email while “Email me about new orders” is on in your settings:\n${publicUrl}/dashboard/seller/account-settings`,
      ]),
    })
  }
}

/** Time to open the box and to fit the part. */
const ASK_AFTER_DAYS = 3
// Nobody is asked about a part of long ago, such as after an outage.
const ASK_UNTIL_DAYS = 30
const MOST_AT_ONCE = 200

/** Whether the buyer of order `o` is to be asked now: not while something is open between them, and only once. */
const isDue = (now: Date) => sql`(
  o.review_asked_at is null and o.state in ('delivered', 'closed') and o.held_at is null and not o.disputed
  and o.open_returns = 0 and o.delivered_at <= ${new Date(now.getTime() - ASK_AFTER_DAYS * DAY_MS)}
  and o.delivered_at > ${new Date(now.getTime() - ASK_UNTIL_DAYS * DAY_MS)}
  and not exists (select from yard_review r where r.order_id = o.id)
  and not exists (select from order_event e where e.order_id = o.id and e.kind = 'disowned'))`

/** Asks buyers for a review: one email an order. An order that was written in the meantime is asked about next time. */
export async function askForReviews(
  db: Db,
  { now, site }: { now: Date; site: OrderSite },
): Promise<{ asked: number }> {
  const { rows } = await sql<{ id: string }>`
    select o.id from part_order o where ${isDue(now)} order by o.delivered_at limit ${MOST_AT_ONCE}`.execute(
    db,
  )
  let asked = 0
  for (const { id } of rows) {
    await inTransaction(db, async (trx) => {
      const order = await lockOrder(trx, id)
      const { rows: due } = await sql`
        update part_order o set review_asked_at = ${now} where o.id = ${id} and ${isDue(now)} returning id`.execute(
        trx,
      )
      if (due.length === 0) return
      await mailBuyer(trx, order, { now, site })
      asked += 1
    })
  }
  return { asked }
}

async function mailBuyer(
  trx: Db,
  order: Order,
  { now, site }: { now: Date; site: OrderSite },
): Promise<void> {
  const token = await openOrderLink(trx, order.id, now)
  const yard = onOneLine(order.sellerName)
  await queueOrderMail(trx, order.id, {
    to: order.email,
    subject: `How was ${yard}? Review order ${order.number}`,
    button: 'Review the yard',
    body: paragraphs([
      `Hello ${onOneLine(firstName(order.name))},`,
      `You have your part from ${yard}. How did it go? A few words help the next buyer: was the part as described, was it well packed, did it come in time?`,
      `${site.publicUrl}/orders#${token}`,
      titleOf(order),
      'Your review is published after 14 days, without your name. This is the only email that asks for it.',
      `You get this email because somebody ordered with this address on ${site.productName}. If it wasn't you, open the order and choose “This wasn't me”.`,
    ]),
  })
}
