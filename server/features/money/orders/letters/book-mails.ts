import { listAdministrators } from '#server/features/people/accounts/persons.ts'
import { queueMail } from '#server/features/talk/mail/mail.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { OrderSite } from './telling.ts'

/* To administrators, always: our books and the provider's do not agree (docs/mails.md). */

export type NewDifference = { order: string | null; text: string }

// The list has them all; a restored backup may find thousands.
const MOST_NAMED = 20

/** One email about all that a comparison found for the first time. */
export async function tellDifferences(
  trx: Db,
  found: readonly NewDifference[],
  { productName, publicUrl }: OrderSite,
): Promise<void> {
  const [first] = found
  if (first === undefined) return
  const named = found
    .slice(0, MOST_NAMED)
    .map(({ order, text }) => (order === null ? text : `${order}: ${text}`))
  const more = found.length - named.length
  const subject =
    found.length === 1
      ? `The books differ from Stripe${first.order === null ? '' : `: order ${first.order}`}`
      : `The books differ from Stripe in ${found.length} places`
  const body = [
    `${productName} compares its books with Stripe every hour. This is new:`,
    named.join('\n'),
    more > 0 && `And ${more} more.`,
    'Nothing is changed by itself. Look at each of them; the list shows it until it is gone. You get no second email about it.',
    `${publicUrl}/dashboard/admin/orders/books`,
  ]
    .filter((paragraph) => paragraph !== false)
    .join('\n\n')
  for (const to of await listAdministrators(trx)) await queueMail(trx, { to, subject, body })
}
