import { disputeReason } from '#contract/order/disputes/dispute-words.ts'
import { deadlineInWords, onOneLine } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { DisputeRow } from '#server/features/money/orders/disputes/dispute-rows.ts'
import type { Order } from '#server/features/money/orders/orders.ts'
import type { NewMail } from '#server/features/talk/mail/mail.ts'
import { paragraphs, quote } from '#server/features/talk/mail/mail-text.ts'
import type { Db } from '#server/platform/database/database.ts'
import { firstName } from './order-words-of.ts'
import { listReaders, mailAdministrators, type OrderSite, queueOrderMail } from './telling.ts'

/* Emails about disputes, to the yard's people and to administrators; all of them always go (docs/mails.md). */

const disputeMailKinds = [
  'dispute-opened',
  'dispute-answered',
  'dispute-due',
  'dispute-won',
  'dispute-lost',
] as const
type DisputeMailKind = (typeof disputeMailKinds)[number]

type Facts = {
  number: string
  title: string
  yard: string
  buyer: string
  amount: string
  reason: string
  /** "Wed 3 PM Central", or nothing. */
  due: string
  by: string
  answer: string
  /** What the yard still has to do with the part; '' if nothing. */
  part: string
  fee: string
}
type Letter = {
  subject: (facts: Facts) => string
  body: (facts: Facts) => readonly string[]
  button?: string
}

const toYard: Readonly<Partial<Record<DisputeMailKind, Letter>>> = {
  'dispute-opened': {
    subject: ({ amount, by }) => `the buyer’s bank disputes ${amount}, tell us what happened${by}`,
    button: 'Tell us what happened',
    body: ({ amount, buyer, reason, part, by }) => [
      `${buyer}’s bank disputes ${amount} of this order: ${reason}. Nothing is paid out or refunded until the bank decides.`,
      part,
      `We answer the bank. Write down on the order’s page what you know${by}: how the part was packed, what the buyer said, when it arrived.`,
    ],
  },
  'dispute-won': {
    subject: ({ amount }) => `dispute won, ${amount} stays with the order`,
    body: ({ amount }) => [
      `The bank closed the dispute. ${amount} is part of this order again, and it goes on.`,
    ],
  },
  'dispute-lost': {
    subject: ({ amount, buyer }) => `dispute lost, ${amount} went back to ${buyer}`,
    body: ({ amount, buyer, fee, part }) => [
      `The bank decided for ${buyer}: ${amount} went back, and you are not paid for it.`,
      fee,
      part,
    ],
  },
}

const toAdministrators: Readonly<Record<DisputeMailKind, Letter>> = {
  'dispute-opened': {
    subject: ({ amount, by }) => `Dispute of ${amount}, send the evidence${by}`,
    button: 'Read the evidence',
    body: ({ amount, yard, reason, due }) => [
      `A bank disputes ${amount} of an order of ${yard}: ${reason}. The evidence is prepared from the order; read it, edit it, and send it once.`,
      due && `The bank takes it until ${due}, and decides without us after that.`,
    ],
  },
  'dispute-answered': {
    subject: ({ yard }) => `${yard} answered a dispute, read the evidence`,
    button: 'Read the evidence',
    body: ({ yard, answer }) => [`${yard} wrote:\n${quote(answer)}`],
  },
  'dispute-due': {
    subject: ({ due }) => `Send the evidence by ${due}, or the dispute is lost`,
    button: 'Send the evidence',
    body: ({ due }) => [`Nobody has answered the bank yet. It takes evidence until ${due}.`],
  },
  'dispute-won': {
    subject: ({ amount }) => `Dispute won, ${amount} is back`,
    body: ({ amount }) => [`The bank closed the dispute. ${amount} is part of the order again.`],
  },
  'dispute-lost': {
    subject: ({ amount }) => `Dispute lost, ${amount} is gone`,
    body: ({ amount, fee }) => [`The bank decided for the buyer and keeps ${amount}.`, fee],
  },
}

type Telling = { kind: DisputeMailKind; dispute: DisputeRow }

/** Queues the emails of what happened to a dispute. */
export async function tellDispute(
  trx: Db,
  order: Order,
  { kind, dispute }: Telling,
  { now, site }: { now: () => Date; site: OrderSite },
): Promise<void> {
  const facts = factsOf(order, dispute, now())
  const admin = toAdministrators[kind]
  const desk = `${site.publicUrl}/dashboard/admin/orders/${order.id}`
  await mailAdministrators(trx, order.id, {
    ...mailOf(admin, facts, desk, site),
    subject: `${admin.subject(facts)}: order ${order.number}`,
  })
  const letter = toYard[kind]
  if (!letter) return
  const page = `${site.publicUrl}/dashboard/seller/orders/${order.id}`
  const subject = `${facts.yard}: ${letter.subject(facts)}: ${facts.title}`
  for (const { email } of await listReaders(trx, order.sellerId, false)) {
    await queueOrderMail(trx, order.id, { to: email, ...mailOf(letter, facts, page, site), subject })
  }
}

function mailOf(
  letter: Letter,
  facts: Facts,
  link: string,
  site: OrderSite,
): Omit<NewMail, 'to' | 'subject'> {
  return {
    button: letter.button ?? 'See the order',
    body: paragraphs([
      ...letter.body(facts),
      link,
      `Order ${facts.number}\n${facts.title}\nSold by ${facts.yard}`,
      `${site.productName} always sends emails that have a deadline, are about money or stop an order.`,
    ]),
  }
}

/** As subjects and lists of parts have it: a long name is shortened, and stays on one line. */
const shortened = (text: string, longest: number): string => {
  const line = [...onOneLine(text)]
  return line.length <= longest ? line.join('') : `${line.slice(0, longest - 1).join('')}…`
}

function factsOf(order: Order, dispute: DisputeRow, now: Date): Facts {
  const due = dispute.dueAt === null ? '' : deadlineInWords(dispute.dueAt.toISOString(), order.timeZone, now)
  const { state, amountCents, feeCents, feeIsYards, reason, answer } = dispute
  const isUnsent = order.state === 'confirmed' || order.state === 'ready'
  return {
    number: order.number,
    title: shortened(order.lines[0]?.facts.title ?? '', 40),
    yard: shortened(order.sellerName, 40),
    buyer: shortened(firstName(order.name), 40),
    amount: moneyInWords(amountCents),
    reason: disputeReason(reason),
    due,
    by: due && ` by ${due}`,
    answer: answer ?? '',
    part: partOf(order, isUnsent, state === 'lost'),
    fee:
      feeIsYards && feeCents > 0
        ? `The bank’s fee of ${moneyInWords(feeCents)} is the yard’s, because the part was not shipped in time with a tracking number. It comes off the next sale.`
        : '',
  }
}

function partOf({ restock }: Order, isUnsent: boolean, isLost: boolean): string {
  if (isLost) return restock === 'asked' ? 'The part is still yours: put it back on sale or scrap it.' : ''
  return isUnsent ? 'Do not ship or hand over the part until then.' : ''
}
