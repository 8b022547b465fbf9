import { csvLine } from '#contract/csv/csv-cell.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
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
  ['Core and tax', ({ asideCents }) => asideCents],
  ['Other', ({ otherCents }) => otherCents],
  ['Transferred', ({ transferCents }) => transferCents],
]

const total = (lines: readonly StatementLine[], of: (line: StatementLine) => number) =>
  lines.reduce((sum, line) => sum + of(line), 0)

const day = (at: Date) => at.toISOString().slice(0, 10)

/** A row for the opening balance, one for each order, one for the sums. */
export function statementCsv({ month, openingCents, closingCents, lines }: Statement): string {
  const head = ['Date', 'Order', 'Part', ...columns.map(([label]) => label), 'Change', 'Balance']
  const informed = ['Shipping in gross', 'Owed by you']
  const { from, to } = spanOfMonth(month)
  const blanks = columns.map(() => '')
  let balance = openingCents
  const rows = lines.map((line) => {
    balance += line.changeCents
    const amounts = [...columns.map(([, cents]) => cents(line)), line.changeCents, balance]
    const more = [line.shippingCents, line.debtCents]
    return [day(line.at), line.number, line.title, ...[...amounts, ...more].map(plainAmount)]
  })
  const sums = [...columns.map(([, cents]) => total(lines, cents)), closingCents - openingCents, closingCents]
  const more = [
    total(lines, ({ shippingCents }) => shippingCents),
    total(lines, ({ debtCents }) => debtCents),
  ]
  return [
    [...head, ...informed],
    [day(from), 'Opening balance', '', ...blanks, '', plainAmount(openingCents), '', ''],
    ...rows,
    [day(new Date(to.getTime() - 1)), 'Closing balance', '', ...[...sums, ...more].map(plainAmount)],
  ]
    .map(csvLine)
    .join('')
}

export function statementPdf(statement: Statement, { yard, site, now }: StatementOf): Promise<Uint8Array> {
  const { month, openingCents, closingCents, owedCents, lines } = statement
  const { from, to } = spanOfMonth(month)
  const isOver = to <= now
  const sums = columns.map(([label, cents]) => ({ label, cents: total(lines, cents) }))
  const blocks: Block[] = [
    { kind: 'title', text: `Statement for ${monthInWords(month)}`, stamp: '' },
    {
      kind: 'facts',
      facts: [
        ['Yard', lines.at(-1)?.yard ?? yard],
        ['From', `${day(from)} 00:00 UTC`],
        [
          'Until',
          isOver
            ? `${day(new Date(to.getTime() - 1))} 24:00 UTC`
            : `${now.toISOString().slice(0, 16).replace('T', ' ')} UTC, the month is not over`,
        ],
        ['Amounts', 'US dollars'],
      ],
    },
    {
      kind: 'amounts',
      amounts: [
        { label: 'Opening balance', amount: moneyInWords(openingCents), strong: true },
        ...sums
          .filter(({ cents }) => cents !== 0)
          .map(({ label, cents }) => ({ label, amount: moneyInWords(cents), strong: false })),
        { label: 'Closing balance', amount: moneyInWords(closingCents), strong: true },
        ...(owedCents > 0
          ? [{ label: 'Of it, you owe us', amount: moneyInWords(-owedCents), strong: false }]
          : []),
      ],
    },
    { kind: 'heading', text: 'Orders' },
    {
      kind: 'table',
      head: ['Order', ...columns.map(([label]) => label), 'Change'],
      rows: lines.map((line) => [
        line.number,
        ...columns.map(([, cents]) => plainAmount(cents(line))),
        plainAmount(line.changeCents),
      ]),
    },
    {
      kind: 'lines',
      lines: [
        'Gross is what buyers paid, with shipping, core charges and sales tax. Royalty is our share. Core and tax are set aside: they are not yours, or not yet. Other is disputes, and core charges that became yours.',
        'The balance is what we hold for you, less what you owe us.',
        `${site.productName}, ${site.publicUrl}`,
      ],
    },
  ]
  return blocksPdf(blocks, { creator: site.productName, at: isOver ? to : now })
}
