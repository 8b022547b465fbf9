import { csvLine } from '#contract/csv/csv-cell.ts'
import type { PayoutState } from '#contract/order/money/release-views.ts'
import { blocksPdf } from '#server/features/money/orders/papers/document-pdf.ts'
import type { Block } from '#server/features/money/orders/papers/documents.ts'
import { monthInWords, plainAmount, spanOfMonth } from './months.ts'
import type { Statement, StatementLine } from './statements.ts'

/* A statement as a bookkeeper gets it: on paper, and as a file. Both have the same rows and sums. */

/** `yard`: its name if no order has one. */
type StatementOf = { yard: string; site: { productName: string; publicUrl: string }; now: Date }

type Column = readonly [label: string, cents: (line: StatementLine) => number]

/** They add up to the change of the balance. */
const columns: readonly Column[] = [
  ['Gross', ({ grossCents }) => grossCents],
  ['Refunds', ({ refundCents }) => refundCents],
  ['Royalty', ({ royaltyCents }) => royaltyCents],
  ['Core', ({ coreCents }) => coreCents],
  ['Sales tax', ({ taxCents }) => taxCents],
  ['Disputes', ({ disputeCents }) => disputeCents],
  ['Other', ({ otherCents }) => otherCents],
  ['Transferred', ({ transferCents }) => transferCents],
]

const partsOfGross = ({ grossCents, shippingCents, soldCoreCents, soldTaxCents }: StatementLine) =>
  grossCents === 0 ? 0 : grossCents - shippingCents - soldCoreCents - soldTaxCents

/** For information: they are in the columns above, or say what of the balance is left. */
const informed: readonly Column[] = [
  ['Parts in gross', partsOfGross],
  ['Shipping in gross', ({ shippingCents }) => shippingCents],
  ['Core in gross', ({ soldCoreCents }) => soldCoreCents],
  ['Tax in gross', ({ soldTaxCents }) => soldTaxCents],
  ['Owed by you', ({ debtCents }) => debtCents],
  ['Open at the end', ({ openCents }) => openCents],
]

const total = (lines: readonly StatementLine[], of: (line: StatementLine) => number) =>
  lines.reduce((sum, line) => sum + of(line), 0)

const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })
/** Always with cents, as sums are added by hand. */
const inDollars = (cents: number) => dollars.format(cents / 100)

const day = (at: Date | null) => at?.toISOString().slice(0, 10) ?? ''
const lastDay = (to: Date) => day(new Date(to.getTime() - 1))

const titleOf = ({ title, parts }: StatementLine) => (parts > 1 ? `${title} and ${parts - 1} more` : title)

const payoutStates: Readonly<Record<PayoutState, string>> = {
  pending: 'on its way',
  in_transit: 'on its way',
  paid: 'paid',
  failed: 'refused by the bank',
  canceled: 'canceled',
}

type Transfer = StatementLine['transfers'][number]

const transferText = ({ id, at, cents }: Transfer) => `${day(at)} ${plainAmount(cents)} ${id}`
const payoutText = ({ payout }: Transfer) =>
  payout === null ? [] : [`${payout.arrivesAt.slice(0, 10)} ${payout.id} ${payoutStates[payout.state]}`]

/** A row for the opening balance, one for each order, one for the sums. Orders that are only open come first. */
export function statementCsv({ month, openingCents, closingCents, lines }: Statement): string {
  const { from, to } = spanOfMonth(month)
  const labels = [
    ...columns.map(([label]) => label),
    'Change',
    'Balance',
    ...informed.map(([label]) => label),
  ]
  let balance = openingCents
  const rows = lines.map((line) => {
    balance += line.changeCents
    const amounts = [
      ...columns.map(([, cents]) => cents(line)),
      line.changeCents,
      balance,
      ...informed.map(([, cents]) => cents(line)),
    ]
    return [
      ...[day(line.at), line.number, titleOf(line), day(line.soldAt), line.state ?? 'Pickup'],
      ...amounts.map(plainAmount),
      line.transfers.map(transferText).join('; '),
      [...new Set(line.transfers.flatMap(payoutText))].join('; '),
    ]
  })
  const opening = labels.map((label) => (label === 'Balance' ? plainAmount(openingCents) : ''))
  const sums = [
    ...columns.map(([, cents]) => total(lines, cents)),
    closingCents - openingCents,
    closingCents,
    ...informed.map(([, cents]) => total(lines, cents)),
  ]
  return [
    ['Date (UTC)', 'Order', 'Part', 'Sold on (UTC)', 'Shipped to', ...labels, 'Transfers', 'Bank payouts'],
    [day(from), 'Opening balance', '', '', '', ...opening, '', ''],
    ...rows,
    [lastDay(to), 'Closing balance', '', '', '', ...sums.map(plainAmount), '', ''],
  ]
    .map(csvLine)
    .join('')
}

export function statementPdf(statement: Statement, { yard, site, now }: StatementOf): Promise<Uint8Array> {
  const { month, lines, year } = statement
  const { from, to } = spanOfMonth(month)
  const isOver = to <= now
  const until = isOver
    ? `${lastDay(to)} 24:00 UTC`
    : `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, the month is not over`
  const blocks: Block[] = [
    { kind: 'title', text: `Statement for ${monthInWords(month)}`, stamp: '' },
    {
      kind: 'facts',
      facts: [
        ['Yard', lines.at(-1)?.yard ?? yard],
        ['From', `${day(from)} 00:00 UTC`],
        ['Until', until],
        ['Amounts', 'US dollars'],
        [
          'Since January',
          `${inDollars(year.grossCents)} from ${year.payments} ${year.payments === 1 ? 'payment' : 'payments'}, before refunds and our share, as form 1099-K counts it`,
        ],
      ],
    },
    { kind: 'amounts', amounts: sumsOf(statement) },
    ...orderBlocks(
      lines.filter(({ at }) => at !== null),
      from,
    ),
    ...transferBlocks(lines),
    ...openBlocks(lines),
    {
      kind: 'lines',
      lines: [
        'Gross is what buyers paid, with shipping, core charges and sales tax. Royalty is our share. Core charges are not yours until their time is over; then they are in Other. Sales tax is collected and paid by us. Disputes are what banks took back, with their fee where it is yours. Card fees are ours, and none is taken from you.',
        'The balance is what we hold for you, less what you owe us.',
        `${site.productName}, ${site.publicUrl}`,
      ],
    },
  ]
  return blocksPdf(blocks, { creator: site.productName, at: isOver ? to : now })
}

function sumsOf({ openingCents, closingCents, owedCents, lines }: Statement) {
  const row = (label: string, cents: number, strong = false) => ({
    label,
    amount: inDollars(cents),
    strong,
  })
  const sums = columns.map(([label, cents]) => row(label, total(lines, cents)))
  return [
    row('Opening balance', openingCents, true),
    ...sums.filter((_, at) => lines.some((line) => columns[at]?.[1](line) !== 0)),
    row('Closing balance', closingCents, true),
    ...(owedCents > 0
      ? [row('Of it, held for you', closingCents + owedCents), row('Of it, you owe us', -owedCents)]
      : []),
  ]
}

/** Without the columns in which nothing happened: paper is narrow. */
function orderBlocks(lines: readonly StatementLine[], from: Date): Block[] {
  const shown = columns.filter(([, cents]) => lines.some((line) => cents(line) !== 0))
  const earlier = lines.filter(({ soldAt }) => soldAt !== null && soldAt < from)
  return [
    { kind: 'heading', text: 'Orders' },
    {
      kind: 'table',
      head: ['Order', 'Date', ...shown.map(([label]) => label), 'Change'],
      rows: lines.map((line) => [
        line.number,
        day(line.at).slice(5),
        ...shown.map(([, cents]) => plainAmount(cents(line))),
        plainAmount(line.changeCents),
      ]),
    },
    ...(earlier.length === 0
      ? []
      : [
          {
            kind: 'lines' as const,
            lines: [
              `Sold before this month: ${earlier.map(({ number, soldAt }) => `${number} on ${day(soldAt)}`).join(', ')}.`,
            ],
          },
        ]),
  ]
}

/** What to look for in the bank's own statement. */
function transferBlocks(lines: readonly StatementLine[]): Block[] {
  const made = lines.flatMap(({ number, transfers }) =>
    transfers.map((transfer) => ({ number, ...transfer })),
  )
  if (made.length === 0) return []
  const payouts = new Map(made.flatMap(({ payout }) => (payout === null ? [] : [[payout.id, payout]])))
  return [
    { kind: 'heading', text: 'Transfers to your Stripe account' },
    {
      kind: 'table',
      head: ['Order', 'Date', 'Amount', 'At your bank'],
      rows: made.map(({ number, at, cents, payout }) => [
        number,
        day(at),
        plainAmount(cents),
        payout === null ? '' : payout.arrivesAt.slice(0, 10),
      ]),
    },
    {
      kind: 'lines',
      lines: [...payouts.values()].map(
        ({ id, state, arrivesAt }) => `Bank payout ${id}, ${arrivesAt.slice(0, 10)}: ${payoutStates[state]}.`,
      ),
    },
  ]
}

/** What the closing balance is made of. */
function openBlocks(lines: readonly StatementLine[]): Block[] {
  const open = lines.filter(({ openCents }) => openCents !== 0)
  if (open.length === 0) return []
  return [
    { kind: 'heading', text: 'Closing balance by order' },
    {
      kind: 'table',
      head: ['Order', 'Sold on', 'Balance'],
      rows: open.map(({ number, soldAt, openCents }) => [number, day(soldAt), plainAmount(openCents)]),
    },
  ]
}
