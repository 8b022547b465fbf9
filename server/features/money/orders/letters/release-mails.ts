import { dayInWords, onOneLine } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import { type NewMail, queueMail } from '#server/features/talk/mail/mail.ts'
import { type MailSite, paragraphs } from '#server/features/talk/mail/mail-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { LONGEST_NAME, shortened } from './order-mails.ts'
import { listReaders, queueOrderMail } from './telling.ts'

/* Emails to a yard about its money. Which kind is sent when: docs/mails.md. */

type MoneyMail =
  | { kind: 'money-released'; cents: number; nettedCents: number }
  | { kind: 'transfer-waits'; cents: number; problem: string }
  | { kind: 'taken-back'; cents: number; why: string }
  | { kind: 'owed'; cents: number; why: string }

/** To everybody: what concerns money that is missing. Released money is news. */
const isNews = ({ kind }: MoneyMail): boolean => kind === 'money-released'

type Letter = { lead: string; says: string[] }

const LETTERS: { [Kind in MoneyMail['kind']]: (mail: Extract<MoneyMail, { kind: Kind }>) => Letter } = {
  'money-released': ({ cents, nettedCents }) => ({
    lead: cents > 0 ? `${moneyInWords(cents)} is on its way to you` : 'this sale paid what you owed',
    says: [
      cents > 0
        ? `We transferred ${moneyInWords(cents)} to your Stripe account. Stripe sends it to your bank with your next payout.`
        : '',
      nettedCents > 0
        ? `We kept ${moneyInWords(nettedCents)} of this sale for what you owed from earlier refunds.`
        : '',
    ],
  }),
  'transfer-waits': ({ cents, problem }) => ({
    lead: `${moneyInWords(cents)} waits for your Stripe account`,
    says: [problem, 'We try again by ourselves, and the money stays yours.'],
  }),
  'taken-back': ({ cents, why }) => ({
    lead: `we took ${moneyInWords(cents)} back from your Stripe account`,
    says: [`${why} We took ${moneyInWords(cents)} back from your Stripe account.`],
  }),
  owed: ({ cents, why }) => ({
    lead: `you owe ${moneyInWords(cents)} after a refund`,
    says: [
      `${why} Your Stripe account did not cover ${moneyInWords(cents)} of it. We keep that much of your next sales; you have nothing to do.`,
    ],
  }),
}

type Telling = { site: MailSite }

/** Queues the emails about an order's money to the yard's people. */
export async function tellMoney(trx: Db, order: Order, mail: MoneyMail, { site }: Telling): Promise<void> {
  const letter = (LETTERS[mail.kind] as (mail: MoneyMail) => Letter)(mail)
  const written = {
    subject: `${shortened(order.sellerName, LONGEST_NAME)}: ${letter.lead} (${order.number})`,
    button: 'See the order',
    body: paragraphs([
      ...letter.says,
      `${site.publicUrl}/dashboard/seller/orders/${order.id}`,
      `Order ${order.number}\n${onOneLine(order.lines[0]?.facts.title ?? '')}`,
      footer(isNews(mail), site),
    ]),
  }
  for (const { email: to } of await listReaders(trx, order.sellerId, isNews(mail))) {
    await queueOrderMail(trx, order.id, { to, ...written })
  }
}

const footer = (isNewsMail: boolean, { productName, publicUrl }: MailSite): string =>
  isNewsMail
    ? `${productName} sends this email while “Email me about new orders” is on in your settings:\n${publicUrl}/dashboard/seller/account-settings`
    : `${productName} always sends emails that have a deadline, are about money or stop an order.`

/** Nobody can order from the yard until its payout account is in order again. */
export async function tellSellingStopped(
  trx: Db,
  { sellerId, yard, problem }: { sellerId: string; yard: string; problem: string },
  { site }: Telling,
): Promise<void> {
  const written: Omit<NewMail, 'to'> = {
    subject: `${shortened(yard, LONGEST_NAME)}: new orders are stopped, check your payout account`,
    button: 'Check your payout account',
    body: paragraphs([
      `Buyers cannot order from you on ${site.productName} right now. ${problem}`,
      'Orders that you have go on. New ones are possible again as soon as your payout account allows it.',
      `${site.publicUrl}/dashboard/seller/account-settings#selling`,
      footer(false, site),
    ]),
  }
  for (const { email: to } of await listReaders(trx, sellerId, false)) {
    await queueMail(trx, { to, ...written })
  }
}

type FailedPayout = {
  sellerId: string
  yard: string
  cents: number
  createdAt: Date
  problem: string | null
  timeZone: string
}

/** The bank refused a payout: nobody but the yard can mend that. */
export async function tellPayoutFailed(
  trx: Db,
  { sellerId, yard, cents, createdAt, problem, timeZone }: FailedPayout,
  { site }: Telling,
): Promise<void> {
  const amount = moneyInWords(cents)
  const written: Omit<NewMail, 'to'> = {
    subject: `${shortened(yard, LONGEST_NAME)}: your bank refused ${amount}, check your bank account`,
    button: 'Check your payouts',
    body: paragraphs([
      `Your bank refused the payout of ${amount} of ${dayInWords(createdAt.toISOString(), timeZone)}.`,
      problem === null ? '' : `Stripe says: ${onOneLine(problem)}`,
      'Check the bank account in your Stripe account. The money is back there, and Stripe pays it again with the next payout.',
      `${site.publicUrl}/dashboard/seller/payouts`,
      footer(false, site),
    ]),
  }
  for (const { email: to } of await listReaders(trx, sellerId, false)) {
    await queueMail(trx, { to, ...written })
  }
}
