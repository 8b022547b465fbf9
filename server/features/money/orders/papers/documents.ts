import { encode } from 'uqr'
import { coreTaxSentence } from '#contract/order/money/sales-tax.ts'
import type { LineKind } from '#contract/order/order-quote.ts'
import type { Delivery } from '#contract/order/order-steps.ts'
import { dayInWords } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import { escapeHtml } from '#server/features/talk/mail/html-part.ts'

/* The packing slip, the invoice and the core slip of an order: what they say, and as a page. `document-pdf.ts` draws the same. */

export type DocumentPart = {
  title: string
  quantity: number
  grade: string | null
  partNumber: string | null
  stockNumber: string | null
  /** Of the vehicle that it came from. */
  donorVin: string | null
  miles: number | null
  terms: readonly string[]
  restricted: string | null
  shelf: string | null
  /** Its price among several parts. */
  cents?: number | undefined
  /** Paid and then not found: it is not in the package. */
  isMissing?: boolean
}

/** The facts of an order that its papers show, as bought. */
export type OrderDocument = {
  number: string
  placedAt: Date
  /** When the money was taken: the date of the invoice. Null before. */
  paidAt: Date | null
  shipsBy: Date | null
  /** The yard's, for all dates. */
  timeZone: string
  seller: { name: string; address: readonly string[]; phone: string | null }
  /** Without a name until the yard may know it. */
  buyer: { name: string; address: readonly string[] }
  delivery: Delivery
  /** Of the buyer's vehicle. */
  vin: string | null
  vinConfirmed: boolean
  parts: readonly DocumentPart[]
  lines: readonly { kind: LineKind; cents: number }[]
  totalCents: number | null
  capturedCents: number
  refunds: readonly { at: Date; cents: number }[]
  /** That it was shipped to. */
  state: string | null
  /** Days to return the old part for the core charge; null if not stated. */
  coreDays: number | null
  /** The page where the yard says that the core is there, and until when it has to be; null if none is to come back. */
  core: { url: string; by: Date } | null
  site: { productName: string; publicUrl: string }
}

export type DocumentKind = 'slip' | 'invoice' | 'core'

/** A part of a document, from top to bottom. */
export type Block =
  | { kind: 'title'; text: string; stamp: string }
  | { kind: 'heading'; text: string }
  | { kind: 'facts'; facts: readonly (readonly [label: string, value: string])[] }
  | { kind: 'lines'; lines: readonly string[] }
  | { kind: 'code'; url: string; label: string }
  | { kind: 'amounts'; amounts: readonly { label: string; amount: string; strong: boolean }[] }
  /** The first column is text, the others are amounts. */
  | { kind: 'table'; head: readonly string[]; rows: readonly (readonly string[])[] }

/** FTC, 16 CFR 20: a used part is called used on listing, invoice and package. */
const STAMP = 'USED'

type Facts = Extract<Block, { kind: 'facts' }>['facts']
const stated = (facts: readonly (readonly [string, string | null | false])[]): Facts =>
  facts.filter((fact): fact is readonly [string, string] => typeof fact[1] === 'string' && fact[1] !== '')

const dateOf = (at: Date, order: OrderDocument) =>
  dayInWords(at.toISOString(), order.timeZone, ALWAYS_WITH_YEAR)
// A date on paper is read in other years, too.
const ALWAYS_WITH_YEAR = new Date(0)

const labels: Readonly<Record<LineKind, string>> = {
  part: 'Used part',
  shipping: 'Shipping',
  core: 'Core charge',
  tax: 'Sales tax',
}

/** Restricted parts show what the law asks for even if it is missing (Colorado: donor VIN and part number of air bags). */
const orMissing = (value: string | null, part: DocumentPart): string | null =>
  value === null && part.restricted !== null ? 'Not stated' : value

function partBlocks(part: DocumentPart, kind: DocumentKind): Block[] {
  const { title, quantity, grade, stockNumber, miles, terms, restricted, shelf } = part
  return [
    { kind: 'heading', text: quantity === 1 ? title : `${quantity} × ${title}` },
    {
      kind: 'facts',
      facts: stated([
        ['Condition', grade === null ? 'Used' : `Used, grade ${grade}`],
        ['Part number', orMissing(part.partNumber, part)],
        ['Stock number', stockNumber],
        ['From VIN', orMissing(part.donorVin, part)],
        ['Miles', miles === null ? null : miles.toLocaleString('en-US')],
        ['Shelf', kind === 'slip' && shelf],
        ['Price', part.cents === undefined ? null : moneyInWords(part.cents)],
        ['Not found', part.isMissing === true ? 'Refunded' : null],
      ]),
    },
    { kind: 'lines', lines: [...terms, ...(restricted === null ? [] : [restricted])] },
  ]
}

function coreBlocks({ lines, coreDays, state }: OrderDocument): Block[] {
  const core = lines.find(({ kind }) => kind === 'core')
  if (!core || core.cents === 0) return []
  const tax = lines.find(({ kind }) => kind === 'tax')?.cents ?? 0
  const within = coreDays === null ? '' : ` within ${coreDays === 1 ? '1 day' : `${coreDays} days`}`
  return [
    { kind: 'heading', text: 'Core charge' },
    {
      kind: 'lines',
      lines: [
        `${moneyInWords(core.cents)} is refunded when you return the old part${within} of delivery. ${coreTaxSentence(tax, state)}`,
      ],
    },
  ]
}

function buyerBlocks(order: OrderDocument, heading: string): Block[] {
  const { buyer, delivery } = order
  return [
    { kind: 'heading', text: heading },
    {
      kind: 'lines',
      lines: [
        buyer.name || 'Shown once the order is confirmed',
        ...(delivery === 'ship' ? buyer.address : ['Picked up at the yard']),
      ],
    },
  ]
}

const sellerBlocks = ({ seller }: OrderDocument, heading: string): Block[] => [
  { kind: 'heading', text: heading },
  {
    kind: 'lines',
    lines: [seller.name, ...seller.address, ...(seller.phone === null ? [] : [seller.phone])],
  },
]

function amountBlocks(order: OrderDocument): Block[] {
  const { lines, totalCents, capturedCents, refunds } = order
  const row = (label: string, cents: number, strong = false) => ({
    label,
    amount: moneyInWords(cents),
    strong,
  })
  const refunded = refunds.reduce((sum, { cents }) => sum + cents, 0)
  return [
    {
      kind: 'amounts',
      amounts: [
        ...lines
          .filter(({ kind, cents }) => kind === 'part' || cents > 0)
          .map(({ kind, cents }) => row(labels[kind], cents)),
        ...(totalCents === null ? [] : [row('Total', totalCents, true)]),
        row('Paid', capturedCents),
        ...refunds.map(({ at, cents }) => row(`Refunded ${dateOf(at, order)}`, -cents)),
        ...(refunds.length > 0 ? [row('Paid after refunds', capturedCents - refunded, true)] : []),
      ],
    },
  ]
}

const ofVehicle = ({ vin, vinConfirmed }: OrderDocument): Facts =>
  stated([['For VIN', vin && `${vin}${vinConfirmed ? ', fit confirmed by the yard' : ''}`]])

/** The packing slip: lies in the package, and says what to pull. */
function slip(order: OrderDocument): Block[] {
  const { shipsBy, delivery } = order
  return [
    { kind: 'title', text: `Packing slip ${order.number}`, stamp: STAMP },
    {
      kind: 'facts',
      facts: [
        ...stated([
          ['Order', order.number],
          ['Ordered', dateOf(order.placedAt, order)],
          [delivery === 'ship' ? 'Ship by' : 'Ready by', shipsBy && dateOf(shipsBy, order)],
        ]),
        ...ofVehicle(order),
      ],
    },
    ...buyerBlocks(order, delivery === 'ship' ? 'Ship to' : 'Pickup by'),
    ...sellerBlocks(order, 'From'),
    ...order.parts.filter(({ isMissing }) => !isMissing).flatMap((part) => partBlocks(part, 'slip')),
    ...amountBlocks(order),
    ...coreBlocks(order),
    { kind: 'lines', lines: [`Questions about your order: ${order.site.publicUrl}/orders`] },
  ]
}

/** The invoice of the yard's sale. Sellers keep it for three years at least. */
function invoice(order: OrderDocument): Block[] {
  const { paidAt, site } = order
  return [
    { kind: 'title', text: `Invoice ${order.number}`, stamp: STAMP },
    {
      kind: 'facts',
      facts: [
        ...stated([
          ['Order', order.number],
          ['Date', paidAt ? dateOf(paidAt, order) : 'Not paid yet'],
          ['Ordered', dateOf(order.placedAt, order)],
        ]),
        ...ofVehicle(order),
      ],
    },
    ...sellerBlocks(order, 'Seller'),
    ...buyerBlocks(order, 'Buyer'),
    ...order.parts.flatMap((part) => partBlocks(part, 'invoice')),
    ...amountBlocks(order),
    ...coreBlocks(order),
    { kind: 'lines', lines: [`Sold and paid through ${site.productName}, ${site.publicUrl}`] },
  ]
}

/** Goes with the old part: the yard scans it, and the core charge goes back. */
function coreSlip(order: OrderDocument): Block[] {
  const { core, lines, parts, buyer } = order
  const charge = lines.find(({ kind }) => kind === 'core')?.cents ?? 0
  return [
    { kind: 'title', text: `Core slip ${order.number}`, stamp: 'CORE' },
    {
      kind: 'facts',
      facts: stated([
        ['Order', order.number],
        ['Back by', core && dateOf(core.by, order)],
        ['Charge', moneyInWords(charge)],
        ['From', buyer.name],
      ]),
    },
    ...sellerBlocks(order, 'Send or bring it to'),
    { kind: 'heading', text: 'Old part for' },
    {
      kind: 'lines',
      lines: parts.map(({ title, partNumber }) =>
        partNumber === null ? title : `${title}, part number ${partNumber}`,
      ),
    },
    {
      kind: 'lines',
      lines: ['Drain all fluids. Put this slip in the box, where it can be seen first.'],
    },
    ...(core === null
      ? []
      : [
          { kind: 'heading' as const, text: 'For the yard: scan it when the old part is there' },
          { kind: 'code' as const, url: core.url, label: 'Opens the order' },
        ]),
  ]
}

const writers: Readonly<Record<DocumentKind, (order: OrderDocument) => Block[]>> = {
  slip,
  invoice,
  core: coreSlip,
}

/** What a document says, without empty parts. */
export function documentBlocks(kind: DocumentKind, order: OrderDocument): Block[] {
  return writers[kind](order).filter(
    (block) =>
      !(block.kind === 'facts' && block.facts.length === 0) &&
      !(block.kind === 'lines' && block.lines.length === 0),
  )
}

/** Dark on white in every color scheme, with the quiet zone that scanners need. */
export const codeOf = (url: string) => encode(url, { border: 4 })

function codeSvg({ url, label }: { url: string; label: string }): string {
  const { data, size } = codeOf(url)
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return `<svg viewBox="0 0 ${size} ${size}" width="180" height="180" role="img" aria-label="${escapeHtml(label)}"><rect width="${size}" height="${size}" fill="#fff"/><path d="${dark.join('')}" fill="#000"/></svg>`
}

function blockHtml(block: Block): string {
  switch (block.kind) {
    case 'title':
      return `<h1>${escapeHtml(block.stamp)}</h1>\n<h1>${escapeHtml(block.text)}</h1>`
    case 'heading':
      return `<h2>${escapeHtml(block.text)}</h2>`
    case 'facts':
      return `<dl>${block.facts.map(([label, value]) => `<dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd>`).join('')}</dl>`
    case 'lines':
      return `<p>${block.lines.map(escapeHtml).join('<br>')}</p>`
    case 'code':
      return `<p>${codeSvg(block)}<br>${escapeHtml(block.url)}</p>`
    case 'amounts':
      return `<table>${block.amounts
        .map(({ label, amount, strong }) => {
          const cell = strong ? 'th' : 'td'
          return `<tr><${cell} align="left">${escapeHtml(label)}</${cell}><${cell} align="right">${escapeHtml(amount)}</${cell}></tr>`
        })
        .join('')}</table>`
    case 'table':
      return `<table>${[block.head, ...block.rows]
        .map((cells) => `<tr>${cells.map((cell) => `<td>${escapeHtml(cell)}</td>`).join('')}</tr>`)
        .join('')}</table>`
  }
}

/** A document as plain HTML without scripts or styles, which every content security policy allows. */
export function documentPage(kind: DocumentKind, order: OrderDocument): string {
  const blocks = documentBlocks(kind, order)
  const title = blocks.find((block) => block.kind === 'title')?.text ?? order.number
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><title>${escapeHtml(title)}</title></head>
<body>
${blocks.map(blockHtml).join('\n')}
</body>
</html>
`
}
