import { sql } from 'kysely'
import { type Carrier, carriers, trackingUrl } from '#contract/order/order-steps.ts'
import { titlesInWords } from '#contract/order/several-words.ts'
import { nameOfDay, timesInWords, weekdays } from '#contract/pages/yard-words.ts'
import { listRefunds } from '#server/features/money/orders/money/refund-rows.ts'
import { openOrderLink } from '#server/features/money/orders/order-links.ts'
import { amountsOf, type Order, wasTaken } from '#server/features/money/orders/orders.ts'
import { readSellingYard, type SellingYard } from '#server/features/money/orders/quotes.ts'
import { canSignIn } from '#server/features/people/accounts/closure.ts'
import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import { mailedPartOf } from './mailed-parts.ts'
import { isNews, type MailedOrder, mailToBuyer, mailToSeller, type OrderMailKind } from './order-mails.ts'
import { firstName, wordsOf } from './order-words-of.ts'

/* Emails about an order, written in the transaction of what they tell. */

export type OrderSite = { publicUrl: string; productName: string }
type TellDeps = { now: () => Date; site: OrderSite }
type Extras = { reason?: string; refundCents?: number }

/** Writes the two emails of a change; undefined for a side that gets none. */
export type OrderLetters = {
  toBuyer: (order: MailedOrder, link: string) => NewMail | undefined
  toSeller: (order: MailedOrder, receiver: { to: string; link: string }) => NewMail | undefined
  isNews?: boolean
}

/** Queues the emails of a change to the buyer and to the yard's people. */
export const tell = (trx: Db, order: Order, kind: OrderMailKind, deps: TellDeps & Extras): Promise<void> => {
  const { site } = deps
  const toBuyer: OrderLetters['toBuyer'] = (mailed, link) => mailToBuyer(kind, mailed, link, site)
  const toSeller: OrderLetters['toSeller'] = (mailed, receiver) => mailToSeller(kind, mailed, receiver, site)
  return sendLetters(trx, order, { toBuyer, toSeller, isNews: isNews(kind) }, deps)
}

export async function sendLetters(
  trx: Db,
  order: Order,
  { toBuyer, toSeller, isNews: isOnlyNews = false }: OrderLetters,
  { now, site, ...extras }: TellDeps & Extras,
): Promise<void> {
  const mailed = await mailedOrder(trx, order, extras)
  if (!(await wasTaken(trx, order.id, 'disowned'))) {
    const token = await openOrderLink(trx, order.id, now())
    const mail = toBuyer(mailed, `${site.publicUrl}/orders#${token}`)
    if (mail) await queueOrderMail(trx, order.id, mail)
  }
  if (!(await wasSeen(trx, order.id))) return
  const link = `${site.publicUrl}/dashboard/seller/orders/${order.id}`
  for (const { email } of await listReaders(trx, order.sellerId, isOnlyNews)) {
    const mail = toSeller(mailed, { to: email, link })
    if (mail) await queueOrderMail(trx, order.id, mail)
  }
}

/** Nobody tells the yard how a cart ended that was never paid: it has not heard of it. */
async function wasSeen(db: Db, orderId: string): Promise<boolean> {
  const { rows } = await sql`
    select from order_event where order_id = ${orderId} and state in ('quoting', 'authorized', 'confirmed') limit 1
  `.execute(db)
  return rows.length > 0
}

export async function queueOrderMail(trx: Db, orderId: string, mail: NewMail): Promise<void> {
  const id = await queueMail(trx, mail)
  await sql`update mail set order_id = ${orderId} where id = ${id}`.execute(trx)
}

/** Writes to every administrator about an order. */
export async function mailAdministrators(trx: Db, orderId: string, mail: Omit<NewMail, 'to'>): Promise<void> {
  for (const to of await listAdministrators(trx)) await queueOrderMail(trx, orderId, { to, ...mail })
}

/** The yard's people with a confirmed address; news only to those who want it. */
export async function listReaders(
  db: Db,
  sellerId: string,
  isOnlyNews: boolean,
): Promise<{ email: string }[]> {
  const { rows } = await sql<{ email: string }>`
    select u.email::text as email from seller_member m join app_user u on u.id = m.user_id
    where m.seller_id = ${sellerId} and ${canSignIn} and u.email_verified_at is not null
      and (not ${isOnlyNews} or coalesce((u.notification_prefs ->> 'orderEmails')::boolean, true))
    order by u.id`.execute(db)
  return rows
}

/** A yard may sell parts to fetch and not have named its street: then the buyer calls for it. */
export function pickupOf(yard: SellingYard): { address: string; hours: string[] } | null {
  const hours = yard.hours
  const days = hours ? weekdays.map((day) => `${nameOfDay(day)} ${timesInWords(hours[day])}`) : []
  const address = [yard.street, yard.city, [yard.state, yard.zip].filter(Boolean).join(' ')]
    .filter(Boolean)
    .join(', ')
  return address === '' ? null : { address, hours: days }
}

export function shipmentOf({ carrier, tracking }: Order): MailedOrder['shipment'] {
  if (carrier === null) return null
  const number = tracking ?? ''
  return {
    carrierName: carriers[carrier as Carrier],
    tracking: number,
    url: trackingUrl(carrier as Carrier, number),
  }
}

/** The street and whom it is for, a line each. */
export const addressLines = ({ name, line1, line2, city, region, zip }: Order): string[] =>
  line1 === null ? [] : [name, line1, line2 ?? '', `${city}, ${region} ${zip}`].filter(Boolean)

async function mailedOrder(
  db: Db,
  order: Order,
  { reason = '', refundCents = 0 }: Extras,
): Promise<MailedOrder> {
  const yard = await readSellingYard(db, order.sellerId)
  return {
    ...wordsOf(order, await listRefunds(db, [order.id])),
    buyer: firstName(order.name),
    number: order.number,
    title: titlesInWords(order.lines.map(({ facts }) => facts.title)),
    parts: order.lines.map(mailedPartOf),
    lines: amountsOf(order) ?? [],
    buyerName: order.name,
    buyerEmail: order.email,
    buyerPhone: order.phone,
    address: addressLines(order),
    town: order.city === null ? null : `${order.city}, ${order.region} ${order.zip}`,
    vin: order.vin,
    vinConfirmed: order.vinConfirmed,
    yardPhone: yard.phone,
    pickup: order.delivery === 'pickup' ? pickupOf(yard) : null,
    pickupCode: order.pickupCode,
    shipment: shipmentOf(order),
    reason,
    refundCents,
    terms: [...new Set(order.lines.flatMap(({ facts: { terms = [] } }) => terms))],
    restricted: [...new Set(order.lines.flatMap(({ facts }) => facts.restricted ?? []))].join(' ') || null,
  }
}
