import { sql } from 'kysely'
import { titlesInWords } from '#contract/order/several-words.ts'
import { openOrderLink } from '#server/features/money/orders/order-links.ts'
import { readOrders } from '#server/features/money/orders/orders.ts'
import { queueMail, takeUnconfirmedMailSlot } from '#server/features/talk/mail/mail.ts'
import { type Db, inTransaction } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { OrderSite } from './telling.ts'

/** Mails the links of these orders to their address. Nothing tells the caller whether there were any. */
export async function mailLinks(
  db: Db,
  { email, ip, orderIds }: { email: string; ip: string; orderIds: readonly string[] },
  { now, site }: { now: () => Date; site: OrderSite },
): Promise<void> {
  if (orderIds.length === 0) return
  await inTransaction(db, async (trx) => {
    await takeUnconfirmedMailSlot(trx, email, { ip })
    const orders = await readOrders(trx, sql`o.id = any(${[...orderIds]}::uuid[])`, sql`order by o.id desc`)
    const lines: string[] = []
    for (const { id, number, lines: parts } of orders) {
      const token = await openOrderLink(trx, id, now())
      lines.push(
        `Order ${number}: ${titlesInWords(parts.map(({ facts }) => facts.title))}\n${site.publicUrl}/orders#${token}`,
      )
    }
    const opening = `These are the links to your orders on ${site.productName}. Whoever has a link can see and change its order, so keep them to yourself.`
    await queueMail(trx, {
      to: email,
      subject: `Your orders on ${site.productName}`,
      body: [opening, ...lines].join('\n\n'),
    })
  }).catch((error: unknown) => {
    // The reply is the same for every address.
    if (!(error instanceof AppError && error.code === 'TOO_MANY')) throw error
  })
}
